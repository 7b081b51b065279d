#include "render/gl/ground_subject.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "render/gl/air.h"
#include "render/look/materials.h"

namespace scree::render {
namespace {

// Haze over half the width of the land: a block on a table is seen through less air than the land
// that one stands on.
constexpr double block_haze = 0.07, land_haze = 0.34;
// From here on a sample is too wide for the stones of stones (shader/matter.glsl).
constexpr double close_sample = 0.08;
constexpr double no_limit = 1e9;

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

// What the maps were made with, but for the sun.
bool same_maps(const Look& a, const Look& b) {
  const ReliefOptions &from = a.relief, &to = b.relief;
  return a.exaggeration == b.exaggeration && from.show_water == to.show_water &&
         from.water_film == to.water_film && from.water_deep == to.water_deep &&
         from.tint_low == to.tint_low && from.tint_high == to.tint_high;
}

}  // namespace

GroundSubject::GroundSubject(const Ground& ground, const Look& look, Supplies& supplies, Made& made)
    : look_(look),
      supplies_(supplies),
      made_(made),
      maps_(ground_maps(ground, look)),
      textures_(maps_),
      form_(maps_),
      outline_(render::outline(maps_)) {
  supplies_.noise.begin();
  fill(supplies_.land, land_block(maps_, look_));
  for (int* count : {&made_.forms, &made_.waters, &made_.sky_lights, &made_.sun_lights}) ++*count;
}

bool GroundSubject::change_look(const Look& look) {
  if (!same_maps(look, look_)) return false;
  if (!same_sun(look, look_)) {
    light_by_sun(maps_, look);
    textures_.put_light(maps_);
    ++made_.sun_lights;
  }
  look_ = look;
  fill(supplies_.land, land_block(maps_, look_));
  return true;
}

void GroundSubject::change_water(const Ground& ground) {
  const bool higher_or_lower = render::change_water(maps_, ground, look_);
  textures_.put_water(maps_);
  ++made_.waters;
  if (higher_or_lower) {
    textures_.put_surface(maps_);
    textures_.put_light(maps_);
    form_.change_surface(maps_);
    outline_ = render::outline(maps_);
    for (int* count : {&made_.forms, &made_.sky_lights, &made_.sun_lights}) ++*count;
  }
  fill(supplies_.land, land_block(maps_, look_));
}

Vec3 GroundSubject::place_of(int column, int row) const {
  const std::size_t i = static_cast<std::size_t>(row) * static_cast<std::size_t>(maps_.width) +
                        static_cast<std::size_t>(column);
  return {(column - 0.5 * (maps_.width - 1)) * static_cast<double>(maps_.dx),
          (0.5 * (maps_.height - 1) - row) * static_cast<double>(maps_.dy),
          static_cast<double>(maps_.solid.at(column, row) ? maps_.surface.at(i) : maps_.base)};
}

Vec4 GroundSubject::extent() const {
  return {0.5f * maps_.dx * static_cast<float>(maps_.width - 1),
          0.5f * maps_.dy * static_cast<float>(maps_.height - 1), maps_.base, maps_.high};
}

double GroundSubject::height_at(double x, double y) const { return render::height_at(maps_, x, y); }

void GroundSubject::check_eye(Vec3 eye) const {
  const double ground = height_at(eye.x, eye.y);
  if (eye.z > ground) return;
  const auto metres = [](double v) { return std::round(10 * v) / 10; };
  throw UsageError(text("camera from=", metres(eye.x), ":", metres(eye.y), ":", metres(eye.z),
                        ": expected it above the ground, ", metres(ground), " m there"));
}

double GroundSubject::haze(double over) const {
  const Vec4 half = extent();
  return std::lerp(block_haze, land_haze, over) *
         air_of_land(static_cast<double>(std::max(half.x, half.y)));
}

// A ground without water or dunes, or one that is far away, is shaded without what only those need,
// and so is what is behind a block on its table.
void GroundSubject::choose_programs(const Sight& sight) {
  const bool close = nearest_sample(maps_, sight.view, sight.width * sight.samples) < close_sample;
  const bool holes = maps_.has_holes(), wet = maps_.has_water,
             sand = material_style(look_.relief.palette).drift > 0;
  Programs& all = supplies_.programs;
  all.backdrop.choose({{false, "BODIES"}, {holes, "HOLES"}, {sight.over_country, "COUNTRY"}});
  all.ground.choose({{close, "CLOSE"}, {wet, "WATER"}, {sand, "DUNES"}});
  all.wall.choose({{holes, "HOLES"}, {wet, "WATER"}});
}

void GroundSubject::bind(const Canvas& canvas) const {
  textures_.bind();
  glBindTextureUnit(7, canvas.drawn.name());
}

GroundPrograms& GroundSubject::programs() const {
  return maps_.has_holes() ? supplies_.programs.holed : supplies_.programs.whole;
}

void GroundSubject::draw_form(const Sight& sight) {
  glStencilFunc(GL_ALWAYS, static_cast<GLint>(SampleKind::ground), 0xff);
  form_.draw_ground(programs().depth.made(), sight, supplies_.triangles);
  glStencilFunc(GL_ALWAYS, static_cast<GLint>(SampleKind::wall), 0xff);
  form_.draw_walls(programs().wall_depth.made(), sight, supplies_.nothing);
}

void GroundSubject::draw_edges(const Sight& sight) {
  form_.draw_ground(programs().edges.made(), sight, supplies_.triangles);
}

std::vector<Shade> GroundSubject::shades() const {
  return {{SampleKind::ground, supplies_.programs.ground.chosen()},
          {SampleKind::wall, supplies_.programs.wall.chosen()}};
}

}  // namespace scree::render
