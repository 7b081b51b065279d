#include "render/gl/renderer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <future>
#include <optional>

#include "base/error.h"
#include "base/progress.h"
#include "render/bodies/bodies.h"
#include "render/gl/canvas.h"
#include "render/gl/context.h"
#include "render/gl/gl.h"
#include "render/gl/map_textures.h"
#include "render/gl/programs.h"
#include "render/gl/shader_blocks.h"
#include "render/gl/textures.h"
#include "render/ground/grid_detail.h"
#include "render/ground/ground_maps.h"
#include "render/look/materials.h"
#include "render/look/sky.h"

namespace scree::render {
namespace {

constexpr int tile_pixels = 2048;  // a larger picture is taken in parts, unless told
constexpr double no_limit = 1e9;
// Haze over half the width of the land: a block on a table is seen through less air than the land
// that one stands on; rocks are small.
constexpr double block_haze = 0.07, land_haze = 0.34, body_haze = 0.02;
// Air has metres all the same: where half the width is less than this, there is less of it.
constexpr double hazy_metres = 2500;
// How much is done until a person who wants to stop is heard.
constexpr int blocks_at_once = 256, sample_rows_at_once = 128;
// The nearest that is seen, over half the width of the land: a hand's breadth on a hundred
// kilometres. Depth is a float and reversed: it is as precise far away as with any other.
constexpr double nearest_seen = 1e-6;
// From here on a sample is too wide for the stones of stones (shader/matter.glsl).
constexpr double close_sample = 0.08;
constexpr double edge_pixels = 7;  // from one edge of a ground's triangles to the next

// Which shader a sample needs, as the stencil remembers it.
enum Kind : GLint { backdrop = 0, ground = 1, wall = 2, body = 3 };

// The triangles of a block of so many cells along a side, drawn row by row.
std::vector<std::uint32_t> block_triangles(int cells) {
  std::vector<std::uint32_t> indices;
  const auto side = static_cast<std::uint32_t>(cells + 1);
  for (std::uint32_t y = 0; y + 1 < side; ++y)
    for (std::uint32_t x = 0; x + 1 < side; ++x) {
      const std::uint32_t a = y * side + x;
      indices.insert(indices.end(), {a, a + side, a + 1, a + 1, a + side, a + side + 1});
    }
  return indices;
}

// Metres of a cell of land that somebody made into triangles: the middle one of the lengths of
// their edges, on the map. 0 for what is no land, since some of it hangs over or stands upright.
double cell_of_land(const Mesh& mesh) {
  const std::size_t stride = std::max<std::size_t>(1, mesh.triangles.size() / 20000);
  std::vector<double> lengths;
  std::size_t up = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); t += stride) {
    std::array<Vec3, 3> p;
    for (std::size_t c = 0; c < 3; ++c) {
      if (mesh.triangles[t][c] >= mesh.positions.size()) return 0;
      const Mesh::Vector& at = mesh.positions[mesh.triangles[t][c]];
      p[c] = {static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2])};
    }
    const Vec3 normal = normalised(cross(p[1] - p[0], p[2] - p[0]));
    up += normal.z > 0.1 ? 1 : 0;
    for (std::size_t c = 0; c < 3; ++c)
      lengths.push_back(std::hypot(p[(c + 1) % 3].x - p[c].x, p[(c + 1) % 3].y - p[c].y));
  }
  if (lengths.empty() || 3 * static_cast<double>(up) < 0.985 * static_cast<double>(lengths.size()))
    return 0;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

GLint uniform(const gl::Program& program, const char* name) {
  return glGetUniformLocation(program.name(), name);
}

// An eye under the ground would see it inside out.
void check_above(const GroundMaps& maps, Vec3 eye) {
  const double ground = height_at(maps, eye.x, eye.y);
  if (eye.z > ground) return;
  const auto metres = [](double v) { return std::round(10 * v) / 10; };
  throw UsageError(text("camera from=", metres(eye.x), ":", metres(eye.y), ":", metres(eye.z),
                        ": expected it above the ground, ", metres(ground), " m there"));
}

// No sample of the ground is less wide than this, in cells, if so many lie across the picture; less
// than 0 for who stands in its midst.
double nearest_sample(const GroundMaps& maps, const View& view, int across) {
  const double half_x = 0.5 * static_cast<double>(maps.dx) * maps.width,
               half_y = 0.5 * static_cast<double>(maps.dy) * maps.height;
  double depth = no_limit * half_x;
  for (const double x : {-half_x, half_x})
    for (const double y : {-half_y, half_y})
      for (const float z : {maps.base, maps.high})
        depth = std::min(depth, dot(Vec3{x, y, static_cast<double>(z)} - view.eye, view.forward));
  return depth * 2 * view.tan_x / across / static_cast<double>(maps.dx);
}

template <class Block>
void fill(const gl::Buffer& buffer, const Block& block) {
  glNamedBufferSubData(buffer.name(), 0, sizeof block, &block);
}

}  // namespace

struct Renderer::Parts {
  Look look;
  std::optional<GroundMaps> maps;
  std::optional<GridDetail> detail;
  std::optional<Sky> sky;
  std::optional<Bodies> bodies;  // or this, instead of a ground
  std::vector<Vec3> things;      // what has to be in the picture
  bool edges = false;            // of triangles
  int part_side = tile_pixels;

  // Made while the form of what is shown is drawn, which leaves a core to it; whoever wants to stop
  // waits for it, a fraction of a second.
  std::future<std::vector<NoiseTile>> tiles;
  // Programs are made when one is first needed: a driver may take a second for all of them.
  std::optional<GroundPrograms> whole, holed;
  ShadeVariants<3> ground_shades{"ground.frag"}, backdrop_shades{"backdrop.frag"};
  ShadeVariants<2> wall_shades{"wall.frag"};
  std::optional<BodyPrograms> body_programs;
  gl::Program sawn_body_depth, wet_body_shade, body_edges, ground_edges, holed_edges;
  gl::Program resolve = gl::make_program("screen.vert", "resolve.frag");
  gl::Buffer frame = gl::make_buffer(nullptr, sizeof(FrameBlock));
  gl::Buffer land = gl::make_buffer(nullptr, sizeof(LandBlock));
  gl::Vertices nothing = gl::make_vertices();
  std::array<gl::Buffer, block_levels> triangles;
  std::array<GLsizei, block_levels> triangle_corners{};
  gl::Texture noise;
  gl::Texture surface, light, water, matter, moved, plain, sky_table;
  gl::Texture solid, plain_past;  // only of a ground with holes
  gl::Buffer rim;
  GLsizei rim_pieces = 0;
  std::optional<Canvas> canvas;

  Parts() {
    for (std::size_t level = 0; level < block_levels; ++level) {
      const auto indices = block_triangles(block_cells >> level);
      triangle_corners[level] = static_cast<GLsizei>(indices.size());
      triangles[level] = gl::make_buffer(indices.data(), 4 * indices.size());
    }
    gl::check("starting");
  }

  // Whatever is shown needs these.
  void make_ready(bool for_bodies, bool with_holes) {
    std::optional<GroundPrograms>& ground_kind = with_holes ? holed : whole;
    if (for_bodies && !body_programs) body_programs.emplace();
    if (!for_bodies && !ground_kind) ground_kind.emplace(with_holes ? "#define HOLES\n" : "");
    if (noise.name() == 0 && !tiles.valid()) tiles = std::async(noise_tiles);
  }

  // What was shown, and how: programs and textures of noise are left.
  void forget() {
    maps.reset();
    detail.reset();
    bodies.reset();
    canvas.reset();
    things.clear();
    for (gl::Texture* map :
         {&surface, &light, &water, &matter, &moved, &plain, &solid, &plain_past})
      map->reset();
    rim.reset();
    edges = false;
    part_side = tile_pixels;
  }

  void look_as(const Look& wanted) {
    look = wanted;
    sky.emplace(look.sun_azimuth, look.sun_altitude);
    sky_table = map_texture(GL_RGBA32F, GL_RGBA, GL_FLOAT, Sky::table_width, Sky::table_height,
                            sky->table().data(), false);
  }

  void upload() {
    surface = map_texture(GL_R32F, GL_RED, GL_FLOAT, maps->width, maps->height,
                          maps->surface.data(), false);
    light = map_texture(GL_RGBA16F, GL_RGBA, GL_FLOAT, maps->light_width, maps->light_height,
                        maps->light.data(), true);
    // Of a dry ground one cell says it all.
    const bool wet = maps->has_water;
    water = map_texture(GL_RGBA16F, GL_RGBA, GL_FLOAT, wet ? maps->width : 1,
                        wet ? maps->height : 1, maps->water.data(), true);
    matter = map_texture(GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, maps->width, maps->height,
                         maps->matter.data(), true);
    plain = map_texture(GL_R32F, GL_RED, GL_FLOAT, maps->plain_width, maps->plain_height,
                        maps->plain.data(), false);
    upload_moved();
    fill(land, land_block(*maps, look));
    if (maps->has_holes()) upload_holes();
  }

  // How far vertices are moved east and north, 1 being half a cell; of most grounds none is.
  void upload_moved() {
    const bool any = !maps->cliffs.empty();
    const int width = any ? maps->width : 1, height = any ? maps->height : 1;
    std::vector<std::int8_t> shares(2 * static_cast<std::size_t>(width) *
                                    static_cast<std::size_t>(height));
    const auto share = [](float metres, float cell) {
      return static_cast<std::int8_t>(
          std::lround(std::clamp(254 * metres / cell, -127.0f, 127.0f)));
    };
    for (const CliffCell& cliff : maps->cliffs) {
      shares[2 * std::size_t{cliff.index}] = share(cliff.moved * cliff.up_east, maps->dx);
      shares[2 * std::size_t{cliff.index} + 1] = share(cliff.moved * cliff.up_north, maps->dy);
    }
    moved = map_texture(GL_RG8_SNORM, GL_RG, GL_BYTE, width, height, shares.data(), false);
  }

  void upload_holes() {
    const std::vector<std::uint8_t> shares = solid_shares(maps->solid);
    solid = map_texture(GL_RG8, GL_RG, GL_UNSIGNED_BYTE, maps->width, maps->height, shares.data(),
                        false);
    plain_past = map_texture(GL_R32F, GL_RED, GL_FLOAT, maps->plain_width, maps->plain_height,
                             maps->plain_past.data(), false);
    const std::vector<RimPiece> pieces = rim_of(maps->solid);
    rim = gl::make_buffer(pieces.data(), sizeof(RimPiece) * pieces.size());
    rim_pieces = static_cast<GLsizei>(pieces.size());
  }

  const GroundPrograms& ground_programs() const { return maps->has_holes() ? *holed : *whole; }

  // ---- passes

  // Pixels around a part that its shading looks at: what is near takes light away, and water
  // mirrors what it finds.
  int margin(int samples) const {
    constexpr int near_samples = 90;  // as in shader/body_shade.frag
    if (!bodies) return 0;
    return bodies->has_water() ? part_side / 4 : near_samples / samples + 2;
  }

  FrameBlock frame_of(const View& view, int width, int height, const Window& window,
                      int samples) const {
    FrameBlock block = frame_block(view, look, *sky, width, height, window, samples);
    double nearest = std::numeric_limits<double>::infinity();
    for (const Vec3& thing : things)
      nearest = std::min(nearest, dot(thing - view.eye, view.forward));
    const Vec4 extent = extent_of_things();
    const double size = static_cast<double>(std::max(extent.x, extent.y));
    block.eye.w = static_cast<float>(nearest_seen * size);
    const double over = over_land(view.eye, extent);
    block.air = {static_cast<float>(std::max(0.0, nearest)),
                 std::max(0.8f * extent.w, 0.05f * static_cast<float>(size)),
                 static_cast<float>(over), static_cast<float>(reach(width, height, samples))};
    block.sky_light.w = static_cast<float>(look.haze * haze_of(over, size) / size);
    block.block = extent;
    return block;
  }

  double reach(int width, int height, int samples) const {
    return std::max(width, height) > part_side ? margin(samples) * samples : no_limit;
  }

  double haze_of(double over, double size) const {
    const bool of_land = !bodies || look.grain > 0;
    const double haze =
        std::lerp(bodies ? body_haze : block_haze, of_land ? land_haze : body_haze, over);
    return of_land ? haze * std::min(1.0, size / hazy_metres) : haze;
  }

  // 1 for an eye over the land, 0 for one that has half of it between itself and the nearest rim.
  static double over_land(Vec3 eye, const Vec4& extent) {
    const double x = std::abs(eye.x) - static_cast<double>(extent.x),
                 y = std::abs(eye.y) - static_cast<double>(extent.y);
    const double past = std::hypot(std::max(x, 0.0), std::max(y, 0.0)) /
                        static_cast<double>(std::max(extent.x, extent.y));
    return 1 - std::clamp(past, 0.0, 1.0);
  }

  // Half the width, half the depth, foot, height.
  Vec4 extent_of_things() const {
    if (bodies) {
      const Vec3 size = bodies->size();
      return {static_cast<float>(size.x / 2), static_cast<float>(size.y / 2), 0,
              static_cast<float>(size.z)};
    }
    return {0.5f * maps->dx * static_cast<float>(maps->width - 1),
            0.5f * maps->dy * static_cast<float>(maps->height - 1), maps->base, maps->high};
  }

  void draw_ground(const gl::Program& program, const View& view, int width, int height,
                   const Window& window) const {
    glUseProgram(program.name());
    const auto blocks = detail->blocks(view, width, height, window, edges ? edge_pixels : 1);
    gl::PartsUnderWay under_way;
    for (std::size_t level = 0; level < block_levels; ++level) {
      if (blocks[level].empty()) continue;
      const gl::Buffer instances =
          gl::make_buffer(blocks[level].data(), sizeof(BlockInstance) * blocks[level].size());
      const gl::Vertices vertices = gl::make_vertices();
      const GLuint v = vertices.name();
      glVertexArrayVertexBuffer(v, 0, instances.name(), 0, sizeof(BlockInstance));
      glVertexArrayBindingDivisor(v, 0, 1);
      glVertexArrayAttribIFormat(v, 0, 3, GL_INT, offsetof(BlockInstance, column));
      glVertexArrayAttribIFormat(v, 1, 4, GL_INT, offsetof(BlockInstance, neighbours));
      for (const GLuint attribute : {0u, 1u}) {
        glVertexArrayAttribBinding(v, attribute, 0);
        glEnableVertexArrayAttrib(v, attribute);
      }
      glVertexArrayElementBuffer(v, triangles[level].name());
      glBindVertexArray(v);
      glUniform1i(uniform(program, "side"), (block_cells >> level) + 1);
      for (std::size_t first = 0; first < blocks[level].size(); first += blocks_at_once) {
        const std::size_t count =
            std::min<std::size_t>(blocks_at_once, blocks[level].size() - first);
        glDrawElementsInstancedBaseInstance(GL_TRIANGLES, triangle_corners[level], GL_UNSIGNED_INT,
                                            nullptr, static_cast<GLsizei>(count),
                                            static_cast<GLuint>(first));
        under_way.add();
      }
    }
  }

  void draw_walls(const View& view, int width) const {
    const gl::Program& wall_depth = ground_programs().wall_depth;
    glUseProgram(wall_depth.name());
    glStencilFunc(GL_ALWAYS, wall, 0xff);
    if (maps->has_holes()) {
      draw_rim();
      return;
    }
    glBindVertexArray(nothing.name());
    const GLint piece = uniform(wall_depth, "piece");
    for (const BorderPiece& p : detail->border(view, width, edges ? edge_pixels : 1)) {
      glUniform3i(piece, p.side, p.first, p.step);
      glDrawArrays(GL_TRIANGLE_STRIP, 0, 2 * (p.steps + 1));
    }
  }

  void draw_rim() const {
    if (rim_pieces == 0) return;
    const gl::Vertices vertices = gl::make_vertices();
    const GLuint v = vertices.name();
    glVertexArrayVertexBuffer(v, 0, rim.name(), 0, sizeof(RimPiece));
    glVertexArrayBindingDivisor(v, 0, 1);
    glVertexArrayAttribFormat(v, 0, 4, GL_FLOAT, GL_FALSE, 0);
    glVertexArrayAttribBinding(v, 0, 0);
    glEnableVertexArrayAttrib(v, 0);
    glBindVertexArray(v);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, rim_pieces);
    gl::finish_part();
  }

  void draw_geometry(const View& view, int width, int height, const Window& window) const {
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->geometry.name());
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_STENCIL_TEST);
    glDepthFunc(GL_GREATER);
    glDepthMask(GL_TRUE);
    glStencilMask(0xff);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    glClearDepth(0);
    glClearStencil(backdrop);
    glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    const GLfloat far_away[] = {1e30f, 0, 0, 0}, dry[] = {0, 0, 0, 0};
    glClearBufferfv(GL_COLOR, 0, far_away);
    if (bodies) {
      if (bodies->has_water()) glClearBufferfv(GL_COLOR, 3, dry);
      glUseProgram((bodies->is_sawn() ? sawn_body_depth : body_programs->depth).name());
      glStencilFunc(GL_ALWAYS, body, 0xff);
      bodies->draw();
      return;
    }
    glStencilFunc(GL_ALWAYS, ground, 0xff);
    draw_ground(ground_programs().depth, view, width, height, window);
    draw_walls(view, width);
  }

  // A ground without water or dunes, or one that is far away, is shaded without what only those
  // need, and so is what is behind a block on its table.
  void choose_shades(const View& view, int width, int samples) {
    const bool holes = maps && maps->has_holes(),
               over = over_land(view.eye, extent_of_things()) > 0;
    backdrop_shades.choose({{bodies.has_value(), "BODIES"}, {holes, "HOLES"}, {over, "COUNTRY"}});
    if (!maps) return;
    const bool close = nearest_sample(*maps, view, width * samples) < close_sample;
    const bool wet = maps->has_water, sand = material_style(look.relief.palette).drift > 0;
    ground_shades.choose({{close, "CLOSE"}, {wet, "WATER"}, {sand, "DUNES"}});
    wall_shades.choose({{holes, "HOLES"}, {wet, "WATER"}});
  }

  void shade(const Part& part) const {
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->shading.name());
    glDisable(GL_DEPTH_TEST);
    glDepthMask(GL_FALSE);
    glStencilMask(0);
    glBindVertexArray(nothing.name());
    gl::PartsUnderWay under_way;
    if (bodies) {
      shade_kind(bodies->has_water() ? wet_body_shade : body_programs->shade, body, part,
                 under_way);
    } else {
      shade_kind(ground_shades.chosen(), ground, part, under_way);
      shade_kind(wall_shades.chosen(), wall, part, under_way);
    }
    shade_kind(backdrop_shades.chosen(), backdrop, part, under_way);
  }

  // Whether they are in front is for their shader to say.
  void draw_edges(const View& view, int width, int height, const Window& window) {
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_STENCIL_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    if (bodies) {
      if (body_edges.name() == 0) body_edges = gl::make_program("body.vert", "edge.frag");
      glUseProgram(body_edges.name());
      bodies->draw();
    } else {
      draw_ground(edges_of_ground(), view, width, height, window);
    }
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glDisable(GL_BLEND);
  }

  const gl::Program& edges_of_ground() {
    gl::Program& program = maps->has_holes() ? holed_edges : ground_edges;
    if (program.name() == 0)
      program =
          gl::make_program("ground.vert", "edge.frag", maps->has_holes() ? "#define HOLES\n" : "");
    return program;
  }

  void shade_kind(const gl::Program& program, Kind kind, const Part& part,
                  gl::PartsUnderWay& under_way) const {
    glUseProgram(program.name());
    glStencilFunc(GL_EQUAL, kind, 0xff);
    glEnable(GL_SCISSOR_TEST);
    const int samples = canvas->samples, left = (part.kept.left - part.drawn.left) * samples,
              bottom = rows_below(part) * samples, rows = part.kept.height * samples;
    for (int low = 0; low < rows; low += sample_rows_at_once) {
      glScissor(left, bottom + low, part.kept.width * samples,
                std::min(sample_rows_at_once, rows - low));
      glDrawArrays(GL_TRIANGLES, 0, 3);
      under_way.add();
    }
    glDisable(GL_SCISSOR_TEST);
  }

  // Of what is drawn, below what is kept: OpenGL's first row is the lowest.
  static int rows_below(const Part& part) {
    return part.drawn.top + part.drawn.height - part.kept.top - part.kept.height;
  }

  void make_pixels() const {
    glBindFramebuffer(GL_FRAMEBUFFER, canvas->resolving.name());
    glDisable(GL_STENCIL_TEST);
    glViewport(0, 0, canvas->width, canvas->height);
    glUseProgram(resolve.name());
    glUniform1i(uniform(resolve, "each_way"), canvas->samples);
    glBindTextureUnit(0, canvas->colours.name());
    glBindVertexArray(nothing.name());
    glDrawArrays(GL_TRIANGLES, 0, 3);
  }

  void bind_noise() {
    if (noise.name() == 0) noise = noise_texture(tiles.valid() ? tiles.get() : noise_tiles());
    glBindTextureUnit(4, noise.name());
  }

  void bind() const {
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, frame.name());
    glBindBufferBase(GL_UNIFORM_BUFFER, 1, land.name());
    for (GLuint unit = 0; const gl::Texture* texture : {&surface, &light, &water, &matter})
      glBindTextureUnit(unit++, texture->name());
    glBindTextureUnit(5, canvas->depths.name());
    glBindTextureUnit(13, sky_table.name());
    if (!bodies) {
      glBindTextureUnit(6, moved.name());
      glBindTextureUnit(7, canvas->drawn.name());
      glBindTextureUnit(12, plain.name());
      if (maps->has_holes()) {
        glBindTextureUnit(14, solid.name());
        glBindTextureUnit(15, plain_past.name());
      }
      return;
    }
    bodies->bind();
    glBindTextureUnit(8, canvas->normals.name());
    glBindTextureUnit(9, canvas->albedos.name());
    if (bodies->has_water()) glBindTextureUnit(11, canvas->waters.name());
  }

  void take_part(const View& view, Picture& picture, const Part& part, int samples) {
    const Window& window = part.drawn;
    const bool wet = bodies && bodies->has_water();
    if (!canvas || canvas->width != window.width || canvas->height != window.height ||
        canvas->samples != samples || canvas->with_bodies != bodies.has_value() ||
        canvas->with_water != wet) {
      canvas.reset();
      canvas.emplace(window.width, window.height, samples, bodies.has_value(), wet);
    }
    fill(frame, frame_of(view, picture.width, picture.height, window, samples));
    choose_shades(view, picture.width, samples);
    bind();
    glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
    glViewport(0, 0, window.width * samples, window.height * samples);
    draw_geometry(view, picture.width, picture.height, window);
    bind_noise();
    shade(part);
    if (edges) draw_edges(view, picture.width, picture.height, window);
    make_pixels();
    gl::check("drawing");
    read_back(picture, part);
  }

  void read_back(Picture& picture, const Part& part) const {
    const Window& window = part.kept;
    std::vector<unsigned char> rows(3 * static_cast<std::size_t>(window.width) *
                                    static_cast<std::size_t>(window.height));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(window.left - part.drawn.left, rows_below(part), window.width, window.height,
                 GL_RGB, GL_UNSIGNED_BYTE, rows.data());
    gl::check("reading the picture");
    const std::size_t row = 3 * static_cast<std::size_t>(window.width);
    for (int y = 0; y < window.height; ++y) {
      const std::size_t to =
          3 * (static_cast<std::size_t>(window.top + y) * static_cast<std::size_t>(picture.width) +
               static_cast<std::size_t>(window.left));
      std::memcpy(&picture.rgb[to], &rows[row * static_cast<std::size_t>(window.height - 1 - y)],
                  row);
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
  // Before the maps: those of so large a ground take minutes.
  GLint most = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  if (std::max(ground.width, ground.height) > most)
    throw Error(text("picture: this graphics driver takes ", most, " cells a side, found ",
                     ground.width, " x ", ground.height));
  parts_->look_as(look);
  parts_->bodies.reset();
  parts_->maps = ground_maps(ground, look);
  parts_->detail.emplace(*parts_->maps);
  parts_->things = outline(*parts_->maps);
  parts_->make_ready(false, parts_->maps->has_holes());
  parts_->upload();
}

void Renderer::show(const Mesh& mesh, const Look& look, std::span<const WaterOn> water,
                    const Mesh* coarse, const Sawn* sawn) {
  Look shown = look;
  if (!(shown.grain > 0)) shown.grain = cell_of_land(mesh);
  parts_->look_as(shown);
  parts_->maps.reset();
  parts_->detail.reset();
  parts_->bodies.emplace(mesh, shown, water, coarse, sawn);
  parts_->make_ready(true, false);
  if (parts_->bodies->is_sawn() && parts_->sawn_body_depth.name() == 0)
    parts_->sawn_body_depth = gl::make_program("body.vert", "body.frag", "#define SAWN\n");
  if (parts_->bodies->has_water() && parts_->wet_body_shade.name() == 0)
    parts_->wet_body_shade = gl::make_program("screen.vert", "body_shade.frag", "#define WATER\n");
  parts_->things = parts_->bodies->outline();
  LandBlock land = {};
  const Vec3 size = parts_->bodies->size();
  // The grain of the stone repeats this often.
  land.cells.z = static_cast<float>(0.3 * std::max({size.x, size.y, size.z}));
  // Ripples are as large, beside all there is, as on a ground of 500 cells.
  land.water_look = {parts_->bodies->water_deep(), 1,
                     static_cast<float>(0.002 * std::max(size.x, size.y)), 0};
  land.cells.w = static_cast<float>(shown.grain);
  land.heights.y = static_cast<float>(look.exaggeration);
  const Vec3 top = parts_->bodies->top_colour();
  land.soil = {static_cast<float>(top.x), static_cast<float>(top.y), static_cast<float>(top.z), 0};
  fill(parts_->land, land);
}

void Renderer::show_edges(bool shown) { parts_->edges = shown; }

void Renderer::take_parts_of(int pixels) { parts_->part_side = std::clamp(pixels, 1, tile_pixels); }

View Renderer::view_of(const Camera& camera, int width, int height) const {
  Camera placed = camera;
  if (camera.from && camera.above_ground) {
    const Vec3 at = turned_eye(camera, parts_->things);
    if (parts_->maps) placed.from->z += height_at(*parts_->maps, at.x, at.y);
    if (parts_->bodies) placed.from->z += parts_->bodies->height_at(at.x, at.y);
  }
  return look(placed, parts_->things, static_cast<double>(width) / height);
}

Vec3 Renderer::place_of(Vec3 point) const {
  if (!parts_->bodies) throw Error("picture: there is no mesh");
  const Vec3 moved = point - parts_->bodies->shift();
  return {moved.x, moved.y, moved.z * parts_->look.exaggeration};
}

Vec3 Renderer::place_of(int column, int row) const {
  if (!parts_->maps) throw Error("picture: there is no ground");
  const GroundMaps& maps = *parts_->maps;
  const std::size_t i = static_cast<std::size_t>(row) * static_cast<std::size_t>(maps.width) +
                        static_cast<std::size_t>(column);
  return {(column - 0.5 * (maps.width - 1)) * static_cast<double>(maps.dx),
          (0.5 * (maps.height - 1) - row) * static_cast<double>(maps.dy),
          static_cast<double>(maps.solid.at(column, row) ? maps.surface.at(i) : maps.base)};
}

Picture Renderer::take(const Camera& camera, int width, int height, int samples) {
  if (width < 1 || height < 1 || width > most_pixels_a_side || height > most_pixels_a_side)
    throw UsageError(text("picture: expected 1 to ", most_pixels_a_side, " pixels a side, got ",
                          width, " x ", height));
  if (samples < 1 || samples > 4)
    throw UsageError(text("picture: expected 1 to 4 samples along a pixel, got ", samples));
  if (!parts_->maps && !parts_->bodies) throw Error("picture: there is nothing to show yet");
  const View view = view_of(camera, width, height);
  if (camera.from && parts_->maps) check_above(*parts_->maps, view.eye);
  Picture picture{width, height, {}};
  picture.rgb.resize(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (const Part& part : parts_of(width, height, parts_->part_side, parts_->margin(samples)))
    parts_->take_part(view, picture, part, samples);
  return picture;
}

bool can_render() { return true; }

}  // namespace scree::render
