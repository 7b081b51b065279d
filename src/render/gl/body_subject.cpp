#include "render/gl/body_subject.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "render/gl/air.h"

namespace scree::render {
namespace {

// Haze over half the width of what is shown: rocks are small, and land of layers is seen as a
// ground is.
constexpr double body_haze = 0.02, land_haze = 0.34;

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

Look with_grain(Look look, const Mesh& mesh) {
  if (!(look.grain > 0)) look.grain = cell_of_land(mesh);
  return look;
}

// What the mesh was made with, but for the sun. A grain of 0 asks for the mesh's own.
bool same_mesh(const Look& a, const Look& shown) {
  return a.exaggeration == shown.exaggeration && (!(a.grain > 0) || a.grain == shown.grain) &&
         a.relief.palette == shown.relief.palette && a.relief.water_deep == shown.relief.water_deep;
}

}  // namespace

BodySubject::BodySubject(const BodyShape& shape, const Look& look, Supplies& supplies, Made& made)
    : look_(with_grain(look, shape.mesh)),
      supplies_(supplies),
      made_(made),
      bodies_(shape.mesh, look_, shape.water, shape.coarse, shape.sawn,
              supplies.programs.body.lamp.made()),
      outline_(bodies_.outline()) {
  supplies_.noise.begin();
  fill_land();
  for (int* count : {&made_.forms, &made_.sky_lights, &made_.sun_lights}) ++*count;
  if (bodies_.has_water()) ++made_.waters;
}

void BodySubject::fill_land() const {
  LandBlock land = {};
  const Vec3 size = bodies_.size();
  // The grain of the stone repeats this often.
  land.cells.z = static_cast<float>(0.3 * std::max({size.x, size.y, size.z}));
  // Ripples are as large, beside all there is, as on a ground of 500 cells.
  land.water_look = {bodies_.water_deep(), 1, static_cast<float>(0.002 * std::max(size.x, size.y)),
                     0};
  land.cells.w = static_cast<float>(look_.grain);
  land.heights.y = static_cast<float>(look_.exaggeration);
  const Vec3 top = bodies_.top_colour();
  land.soil = {static_cast<float>(top.x), static_cast<float>(top.y), static_cast<float>(top.z), 0};
  fill(supplies_.land, land);
}

bool BodySubject::change_look(const Look& look) {
  if (!same_mesh(look, look_)) return false;
  const double grain = look_.grain;
  if (!same_sun(look, look_)) {
    bodies_.change_sun(look, supplies_.programs.body.lamp.made());
    ++made_.sun_lights;
  }
  look_ = look;
  look_.grain = grain;
  return true;
}

bool BodySubject::change_water(std::span<const WaterOn> water) {
  if (!bodies_.change_water(water, look_.relief)) return false;
  fill_land();
  ++made_.waters;
  return true;
}

Vec3 BodySubject::place_of(Vec3 point) const {
  const Vec3 moved = point - bodies_.shift();
  return {moved.x, moved.y, moved.z * look_.exaggeration};
}

Vec4 BodySubject::extent() const {
  const Vec3 size = bodies_.size();
  return {static_cast<float>(size.x / 2), static_cast<float>(size.y / 2), 0,
          static_cast<float>(size.z)};
}

double BodySubject::haze(double over) const {
  if (!(look_.grain > 0)) return body_haze;
  const Vec4 half = extent();
  return std::lerp(body_haze, land_haze, over) *
         air_of_land(static_cast<double>(std::max(half.x, half.y)));
}

// What is near takes light away, and water mirrors what it finds.
int BodySubject::margin(int part_side, int samples) const {
  constexpr int near_samples = 90;  // as in shader/body_shade.frag
  return bodies_.has_water() ? part_side / 4 : near_samples / samples + 2;
}

void BodySubject::choose_programs(const Sight& sight) {
  BodyPrograms& own = supplies_.programs.body;
  supplies_.programs.backdrop.choose(
      {{true, "BODIES"}, {false, "HOLES"}, {sight.over_country, "COUNTRY"}});
  shade_ = &(bodies_.has_water() ? own.wet_shade : own.shade).made();
}

void BodySubject::bind(const Canvas& canvas) const {
  bodies_.bind();
  glBindTextureUnit(8, canvas.normals.name());
  glBindTextureUnit(9, canvas.albedos.name());
  if (bodies_.has_water()) glBindTextureUnit(11, canvas.waters.name());
}

void BodySubject::draw_form(const Sight& /*sight*/) {
  BodyPrograms& own = supplies_.programs.body;
  glUseProgram((bodies_.is_sawn() ? own.sawn_depth : own.depth).made().name());
  glStencilFunc(GL_ALWAYS, static_cast<GLint>(SampleKind::body), 0xff);
  bodies_.draw();
}

void BodySubject::draw_edges(const Sight& /*sight*/) {
  glUseProgram(supplies_.programs.body.edges.made().name());
  bodies_.draw();
}

std::vector<Shade> BodySubject::shades() const { return {{SampleKind::body, *shade_}}; }

}  // namespace scree::render
