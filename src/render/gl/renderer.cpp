#include "render/gl/renderer.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "render/gl/air.h"
#include "render/gl/body_subject.h"
#include "render/gl/canvas.h"
#include "render/gl/context.h"
#include "render/gl/ground_subject.h"
#include "render/gl/passes.h"
#include "render/gl/state.h"
#include "render/look/sky.h"

namespace scree::render {
namespace {

constexpr int tile_pixels = 2048;  // a larger picture is taken in parts, unless told

void check_size(int width, int height) {
  if (width < 1 || height < 1 || width > most_pixels_a_side || height > most_pixels_a_side)
    throw UsageError(text("picture: expected 1 to ", most_pixels_a_side, " pixels a side, got ",
                          width, " x ", height));
}

void check_samples(int samples) {
  if (samples < 1 || samples > 4)
    throw UsageError(text("picture: expected 1 to 4 samples along a pixel, got ", samples));
}

void check_target(const Target& target) {
  check_size(target.width, target.height);
  if (glCheckNamedFramebufferStatus(target.framebuffer, GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw Error(text("picture: framebuffer ", target.framebuffer,
                     ": expected one that is complete in the context that is current"));
}

// Before the maps: those of so large a ground take minutes.
void check_ground_fits(const Ground& ground) {
  GLint most = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  if (std::max(ground.width, ground.height) > most)
    throw Error(text("picture: this graphics driver takes ", most, " cells a side, found ",
                     ground.width, " x ", ground.height));
}

Picture empty_picture(int width, int height) {
  Picture picture{width, height, {}};
  picture.rgb.resize(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  return picture;
}

}  // namespace

struct Renderer::Parts {
  Supplies supplies;
  Look look;
  std::optional<Sky> sky;
  gl::Texture sky_table;
  std::unique_ptr<GroundSubject> ground;
  std::unique_ptr<BodySubject> bodies;  // or these, instead of a ground
  std::optional<Canvas> canvas;
  bool edges = false;  // of triangles
  int part_side = tile_pixels;
  Made made;

  // What was shown, and how: supplies and the sky are left.
  void forget() {
    ground.reset();
    bodies.reset();
    canvas.reset();
    edges = false;
    part_side = tile_pixels;
    made = {};
  }

  Subject& subject() const {
    if (ground) return *ground;
    if (bodies) return *bodies;
    throw Error("picture: there is nothing to show yet");
  }

  // What is begun and fails leaves nothing that could be shown.
  template <class Change>
  auto change(const Change& what) {
    const gl::CleanState clean;
    try {
      return what();
    } catch (...) {
      ground.reset();
      bodies.reset();
      throw;
    }
  }

  void look_as(const Look& wanted) {
    const bool new_sky =
        !sky || wanted.sun_azimuth != look.sun_azimuth || wanted.sun_altitude != look.sun_altitude;
    look = wanted;
    if (!new_sky) return;
    sky.emplace(look.sun_azimuth, look.sun_altitude);
    sky_table = map_texture(GL_RGBA32F, GL_RGBA, GL_FLOAT, Sky::table_width, Sky::table_height,
                            sky->table().data(), false);
    ++made.skies;
  }

  const Canvas& canvas_for(const Part& part, int samples) {
    const Window& window = part.drawn;
    const CanvasKind kind = subject().canvas_kind();
    if (!canvas || !canvas->is_of(window.width, window.height, samples, kind)) {
      canvas.reset();
      canvas.emplace(window.width, window.height, samples, kind);
      ++made.canvases;
    }
    return *canvas;
  }

  void bind() {
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, supplies.frame.name());
    glBindBufferBase(GL_UNIFORM_BUFFER, 1, supplies.land.name());
    subject().bind(*canvas);
    glBindTextureUnit(5, canvas->depths.name());
    glBindTextureUnit(13, sky_table.name());
  }

  // Samples of a part, which are then pixels wherever they are wanted.
  void draw_samples(const Sight& sight) {
    Subject& shown = subject();
    const Canvas& room = canvas_for(sight.part, sight.samples);
    fill(supplies.frame, frame_of(sight, shown, look, *sky, part_side));
    shown.choose_programs(sight);
    bind();
    draw_form(shown, sight, room);
    supplies.noise.bind();
    shade(shown, sight, room, supplies.programs, supplies.nothing);
    if (edges) draw_edges(shown, sight);
  }

  // take(canvas, part) for each part of a picture, once its samples are there.
  template <class Take>
  void each_part(const View& view, int width, int height, int samples, const Take& take) {
    const bool over = over_land(view.eye, subject().extent()) > 0;
    for (const Part& part :
         parts_of(width, height, part_side, subject().margin(part_side, samples))) {
      draw_samples({view, width, height, part, samples, edges, over});
      take(*canvas, part);
    }
  }
};

Renderer::Renderer() : context_(OffscreenContext::current()) {
  if (context_ != nullptr) parts_ = std::static_pointer_cast<Parts>(context_->take_kept());
  if (!parts_) parts_ = std::make_shared<Parts>();
}

Renderer::~Renderer() {
  if (context_ == nullptr || context_ != OffscreenContext::current()) return;
  parts_->forget();
  context_->keep(parts_);
}

void Renderer::show(const Ground& ground, const Look& look) {
  check_ground_fits(ground);
  Parts& parts = *parts_;
  parts.change([&] {
    parts.look_as(look);
    parts.bodies.reset();
    parts.ground.reset();
    parts.ground = std::make_unique<GroundSubject>(ground, look, parts.supplies, parts.made);
  });
}

void Renderer::show(const Mesh& mesh, const Look& look, std::span<const WaterOn> water,
                    const Mesh* coarse, const Sawn* sawn) {
  Parts& parts = *parts_;
  parts.change([&] {
    parts.look_as(look);
    parts.ground.reset();
    parts.bodies.reset();
    parts.bodies = std::make_unique<BodySubject>(BodyShape{mesh, water, coarse, sawn}, look,
                                                 parts.supplies, parts.made);
  });
}

bool Renderer::change_look(const Look& look) {
  Parts& parts = *parts_;
  parts.subject();  // there must be one
  return parts.change([&] {
    const bool changed =
        parts.ground ? parts.ground->change_look(look) : parts.bodies->change_look(look);
    if (changed) parts.look_as(look);
    return changed;
  });
}

void Renderer::change_water(const Ground& ground) {
  if (!parts_->ground) throw Error("picture: there is no ground");
  parts_->change([&] { parts_->ground->change_water(ground); });
}

bool Renderer::change_water(std::span<const WaterOn> water) {
  if (!parts_->bodies) throw Error("picture: there is no mesh");
  return parts_->change([&] { return parts_->bodies->change_water(water); });
}

const Made& Renderer::made() const { return parts_->made; }

void Renderer::show_edges(bool shown) { parts_->edges = shown; }

void Renderer::take_parts_of(int pixels) { parts_->part_side = std::clamp(pixels, 1, tile_pixels); }

View Renderer::view_of(const Camera& camera, int width, int height) const {
  const Subject& subject = parts_->subject();
  Camera placed = camera;
  if (camera.from && camera.above_ground) {
    const Vec3 at = turned_eye(camera, subject.outline());
    placed.from->z += subject.height_at(at.x, at.y);
  }
  return look(placed, subject.outline(), static_cast<double>(width) / height);
}

View Renderer::checked_view(const Camera& camera, int width, int height, int samples) const {
  check_size(width, height);
  check_samples(samples);
  const View view = view_of(camera, width, height);
  if (camera.from) parts_->subject().check_eye(view.eye);
  return view;
}

Vec3 Renderer::place_of(Vec3 point) const {
  if (!parts_->bodies) throw Error("picture: there is no mesh");
  return parts_->bodies->place_of(point);
}

Vec3 Renderer::place_of(int column, int row) const {
  if (!parts_->ground) throw Error("picture: there is no ground");
  return parts_->ground->place_of(column, row);
}

void Renderer::draw(const Camera& camera, const Target& target, int samples) {
  check_target(target);
  const View view = checked_view(camera, target.width, target.height, samples);
  const gl::CleanState clean;
  parts_->each_part(
      view, target.width, target.height, samples, [&](const Canvas& canvas, const Part& part) {
        const int below = target.height - part.drawn.top - part.drawn.height;
        make_pixels(canvas, part, parts_->supplies,
                    {target.framebuffer, target.left + part.drawn.left, target.bottom + below});
      });
}

Picture Renderer::read(const Target& target) {
  check_target(target);
  const gl::CleanState clean;
  Picture picture = empty_picture(target.width, target.height);
  read_pixels(target.framebuffer, target.left, target.bottom, {0, 0, target.width, target.height},
              picture);
  return picture;
}

// Part by part: one as large as this may be has no room beside the ground.
Picture Renderer::take(const Camera& camera, int width, int height, int samples) {
  const View view = checked_view(camera, width, height, samples);
  const gl::CleanState clean;
  Picture picture = empty_picture(width, height);
  parts_->each_part(view, width, height, samples, [&](const Canvas& canvas, const Part& part) {
    make_pixels(canvas, part, parts_->supplies, {canvas.resolving.name(), 0, 0});
    read_pixels(canvas.resolving.name(), part.kept.left - part.drawn.left, rows_below(part),
                part.kept, picture);
  });
  return picture;
}

bool can_render() { return true; }

}  // namespace scree::render
