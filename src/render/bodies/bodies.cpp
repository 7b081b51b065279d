#include "render/bodies/bodies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "base/error.h"
#include "base/progress.h"
#include "render/gl/renderer.h"
#include "render/gl/shader_blocks.h"
#include "render/look/materials.h"
#include "render/look/sky.h"
#include "render/look/statistics.h"

namespace scree::render {
namespace {

constexpr int sky_lamps = 20;  // as in shader/lights.glsl
constexpr int sun_pixels = 2048;

struct LightsBlock {
  Vec4 middle;
  std::array<Vec4, 3 * (sky_lamps + 1)> axes;
  std::array<Vec4, sky_lamps> lamps;
  std::array<Vec4, sky_lamps> lamp_light;
};

Vec4 vec4(Vec3 v, double w = 0) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z),
          static_cast<float>(w)};
}

Vec3 vec3(const Mesh::Vector& v) {
  return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
}

void check(const Mesh& mesh) {
  if (mesh.triangles.empty()) throw Error("picture: expected a mesh with triangles, found none");
  for (const Mesh::Triangle& triangle : mesh.triangles)
    for (const std::uint32_t corner : triangle)
      if (corner >= mesh.positions.size())
        throw Error(text("picture: a triangle's corner ", corner, " is beyond the mesh's ",
                         mesh.positions.size(), " vertices"));
}

void check_water(std::span<const WaterOn> water, std::size_t vertices) {
  if (!water.empty() && water.size() != vertices)
    throw Error(text("picture: expected water for ", vertices, " vertices, found ", water.size()));
}

Mesh::Vector unit(Vec3 sum) {
  const Vec3 n = length(sum) > 0 ? normalised(sum) : Vec3{0, 0, 1};
  return {static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)};
}

// Normals of the triangles around each vertex, by their area. Where a triangle turns away from
// that by too much there is an edge: its corner becomes a vertex of its own, a copy of the mesh's.
Mesh with_normals(Mesh mesh, std::vector<std::uint32_t>& copied) {
  if (mesh.normals.size() == mesh.positions.size()) return mesh;
  constexpr double edge = 0.6;  // cosine
  std::vector<Vec3> sums(mesh.positions.size());
  const auto area = [&](const Mesh::Triangle& t) {
    const Vec3 a = vec3(mesh.positions[t[0]]), b = vec3(mesh.positions[t[1]]),
               c = vec3(mesh.positions[t[2]]);
    return cross(b - a, c - a);
  };
  for (const Mesh::Triangle& t : mesh.triangles)
    for (const std::uint32_t corner : t) sums[corner] = sums[corner] + area(t);
  mesh.normals.clear();
  for (const Vec3& sum : sums) mesh.normals.push_back(unit(sum));
  for (Mesh::Triangle& t : mesh.triangles) {
    const Mesh::Vector own = unit(area(t));
    for (std::uint32_t& corner : t) {
      if (dot(vec3(own), vec3(mesh.normals[corner])) > edge) continue;
      mesh.positions.emplace_back(mesh.positions[corner]);
      mesh.normals.push_back(own);
      if (!mesh.colours.empty()) mesh.colours.emplace_back(mesh.colours[corner]);
      copied.push_back(corner);
      corner = static_cast<std::uint32_t>(mesh.positions.size() - 1);
    }
  }
  return mesh;
}

// Of a triangle at a place, if it is above or below it.
std::optional<double> height_of(Vec3 a, Vec3 b, Vec3 c, double x, double y) {
  const auto turn = [&](Vec3 from, Vec3 to) {
    return (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x);
  };
  const double at_c = turn(a, b), at_a = turn(b, c), at_b = turn(c, a), area = at_a + at_b + at_c;
  if (area == 0 || at_a / area < 0 || at_b / area < 0 || at_c / area < 0) return {};
  return (at_a * a.z + at_b * b.z + at_c * c.z) / area;
}

// Whether two neighbouring normals are of one face: what is around an edge is none of its business.
bool one_face(const Mesh::Vector& a, const Mesh::Vector& b) {
  constexpr double edge = 0.35;  // cosine
  return dot(vec3(a), vec3(b)) > edge;
}

// f(vertex, its neighbour), for each corner of each triangle and both others.
using Triangles = std::vector<Mesh::Triangle>;
template <class F>
void each_neighbour(const Triangles& triangles, F&& f) {
  stop_if_cancelled();
  for (const Mesh::Triangle& t : triangles)
    for (std::size_t i = 0; i < 3; ++i)
      for (const std::size_t j : {(i + 1) % 3, (i + 2) % 3}) f(t[i], t[j]);
}

// The steps of voxels are no part of the rock: a normal leans toward those around it. Of land, only
// that of a wall does: what lies flatter has the slopes that its cells have.
void soften(std::vector<Mesh::Vector>& normals, const Triangles& triangles, bool land) {
  // A wall across the cells has a step at each of them or at every second one.
  const int passes = land ? 10 : 3;
  constexpr float wall = 0.5f;  // cosine
  const auto stays = [&](std::uint32_t i) { return land && std::abs(normals[i][2]) > wall; };
  for (int pass = 0; pass < passes; ++pass) {
    std::vector<Vec3> sums;
    sums.reserve(normals.size());
    for (const Mesh::Vector& n : normals) sums.push_back(vec3(n));
    each_neighbour(triangles, [&](std::uint32_t own, std::uint32_t other) {
      if (!stays(own) && !stays(other) && one_face(normals[own], normals[other]))
        sums[own] = sums[own] + vec3(normals[other]) * 0.5;
    });
    for (std::size_t i = 0; i < sums.size(); ++i) normals[i] = unit(sums[i]);
  }
}

// Neither are the teeth of a border between two rocks, nor those of a shore.
using Four = std::array<float, 4>;
void soften(std::vector<Four>& values, const std::vector<Mesh::Vector>& normals,
            const Triangles& triangles, int passes) {
  for (int pass = 0; pass < passes; ++pass) {
    std::vector<Four> sums = values;
    std::vector<float> weights(values.size(), 1.0f);
    each_neighbour(triangles, [&](std::uint32_t own, std::uint32_t other) {
      if (!one_face(normals[own], normals[other])) return;
      for (std::size_t c = 0; c < 4; ++c) sums[own][c] += 0.5f * values[other][c];
      weights[own] += 0.5f;
    });
    for (std::size_t i = 0; i < values.size(); ++i)
      for (std::size_t c = 0; c < 4; ++c) values[i][c] = sums[i][c] / weights[i];
  }
}

void soften(std::vector<Mesh::Colour>& colours, const std::vector<Mesh::Vector>& normals,
            const Triangles& triangles, int passes) {
  std::vector<Four> values(colours.size());
  for (std::size_t i = 0; i < colours.size(); ++i)
    std::copy(colours[i].begin(), colours[i].end(), values[i].begin());
  soften(values, normals, triangles, passes);
  for (std::size_t i = 0; i < colours.size(); ++i)
    for (std::size_t c = 0; c < 4; ++c)
      colours[i][c] = static_cast<std::uint8_t>(std::lround(values[i][c]));
}

void soften(std::vector<WaterOn>& water, const std::vector<Mesh::Vector>& normals,
            const Triangles& triangles) {
  std::vector<Four> values;
  values.reserve(water.size());
  for (const WaterOn& w : water) values.push_back({w.cover, w.depth, w.east, w.north});
  soften(values, normals, triangles, 2);
  for (std::size_t i = 0; i < water.size(); ++i)
    water[i] = {values[i][0], values[i][1], values[i][2], values[i][3]};
}

// As on a ground: what nine tenths of the waters are no deeper than.
float deep_of(std::span<const WaterOn> water, const ReliefOptions& options) {
  if (options.water_deep > 0) return static_cast<float>(options.water_deep);
  std::vector<float> depths;
  for (const WaterOn& w : water)
    if (w.cover > 0.5f) depths.push_back(w.depth);
  return std::clamp(percentile(depths, 0.9, 1), 1.0f, 60.0f);
}

// How far each vertex stands out of those around it, as a share of how far they are: above 0 on an
// edge, below in a crack.
std::vector<float> standing_out(const Mesh& mesh, const std::vector<Mesh::Vector>& normals,
                                int passes) {
  std::vector<float> out(mesh.positions.size());
  std::vector<float> away(mesh.positions.size());
  each_neighbour(mesh.triangles, [&](std::uint32_t own, std::uint32_t other) {
    const Vec3 step = vec3(mesh.positions[own]) - vec3(mesh.positions[other]);
    out[own] += static_cast<float>(dot(step, vec3(normals[own])));
    away[own] += static_cast<float>(length(step));
  });
  for (std::size_t i = 0; i < out.size(); ++i) out[i] /= std::max(away[i], 1e-20f);
  // Over a few steps of the mesh: those of single voxels mean nothing.
  for (int pass = 0; pass < passes; ++pass) {
    std::vector<float> sums = out, weights(out.size(), 1.0f);
    each_neighbour(mesh.triangles, [&](std::uint32_t own, std::uint32_t other) {
      sums[own] += 0.5f * out[other];
      weights[own] += 0.5f;
    });
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = sums[i] / weights[i];
  }
  return out;
}

// What is exaggerated is steeper.
void stretch_normals(std::vector<Mesh::Vector>& normals, double stretch) {
  if (stretch == 1) return;
  for (Mesh::Vector& n : normals) {
    const Vec3 v = vec3(n);
    n = unit({v.x, v.y, v.z / stretch});
  }
}

// Edges are worn pale, and cracks hold the dark.
void wear(std::vector<Mesh::Colour>& colours, const std::vector<float>& out) {
  for (std::size_t i = 0; i < colours.size(); ++i) {
    const float light = std::clamp(1 + 1.1f * out[i], 0.74f, 1.2f);
    for (std::size_t c = 0; c < 3; ++c)
      colours[i][c] = static_cast<std::uint8_t>(
          std::lround(std::clamp(light * static_cast<float>(colours[i][c]), 0.0f, 255.0f)));
  }
}

// Of what lies level and open above, in linear light.
Vec3 mean_of_tops(const std::vector<Mesh::Colour>& colours,
                  const std::vector<Mesh::Vector>& normals) {
  Vec3 sum;
  double count = 0;
  for (std::size_t i = 0; i < colours.size(); ++i) {
    if (normals[i][2] < 0.8f) continue;
    const auto linear = [&](std::size_t c) { return std::pow(colours[i][c] / 255.0, 2.2); };
    sum = sum + Vec3{linear(0), linear(1), linear(2)};
    ++count;
  }
  return sum * (1 / std::max(count, 1.0));
}

std::vector<Mesh::Colour> plain_colours(std::size_t count, const Look& look) {
  const unsigned srgb = material_style(look.relief.palette).rock;
  const auto byte = [&](int shift) { return static_cast<std::uint8_t>(srgb >> shift & 0xff); };
  return std::vector<Mesh::Colour>(count, {byte(16), byte(8), byte(0), 255});
}

// Two directions across `toward`, and itself.
std::array<Vec3, 3> axes_of(Vec3 toward) {
  const Vec3 side = std::abs(toward.z) < 0.9 ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
  const Vec3 u = normalised(cross(side, toward));
  return {u, cross(toward, u), toward};
}

// Evenly over the upper half of the sky, along a spiral.
Vec3 lamp_toward(int n) {
  const double z = 0.06 + 0.92 * (n + 0.5) / sky_lamps, r = std::sqrt(1 - z * z),
               angle = 2.399963229728653 * n;
  return {r * std::cos(angle), r * std::sin(angle), z};
}

gl::Texture depth_map(GLenum target, int pixels, int layers) {
  gl::Texture map = gl::make_texture(target);
  if (layers > 0)
    glTextureStorage3D(map.name(), 1, GL_DEPTH_COMPONENT32F, pixels, pixels, layers);
  else
    glTextureStorage2D(map.name(), 1, GL_DEPTH_COMPONENT32F, pixels, pixels);
  glTextureParameteri(map.name(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTextureParameteri(map.name(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(map.name(), GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glTextureParameteri(map.name(), GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  // Beyond the map nothing stands in the light.
  const GLfloat far[] = {1, 1, 1, 1};
  glTextureParameteri(map.name(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
  glTextureParameteri(map.name(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
  glTextureParameterfv(map.name(), GL_TEXTURE_BORDER_COLOR, far);
  return map;
}

// Distances themselves; beyond the map there is nothing near.
gl::Sampler plain_sampler() {
  gl::Sampler sampler = gl::make_sampler();
  const GLfloat far[] = {1, 1, 1, 1};
  glSamplerParameteri(sampler.name(), GL_TEXTURE_COMPARE_MODE, GL_NONE);
  glSamplerParameteri(sampler.name(), GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glSamplerParameteri(sampler.name(), GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glSamplerParameteri(sampler.name(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
  glSamplerParameteri(sampler.name(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
  glSamplerParameterfv(sampler.name(), GL_TEXTURE_BORDER_COLOR, far);
  return sampler;
}

std::vector<Mesh::Vector> placed(const Mesh& mesh, Vec3 shift, double stretch) {
  std::vector<Mesh::Vector> places;
  places.reserve(mesh.positions.size());
  for (const Mesh::Vector& p : mesh.positions) {
    const Vec3 v = vec3(p) - shift;
    places.push_back(
        {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z * stretch)});
  }
  return places;
}

// As shader/sawn.glsl reads them, in metres of the picture, but without exaggeration. Numbers of
// texels are floats: exact as far as a texture goes.
std::vector<Vec4> sawn_texels(const Sawn& sawn, Vec3 shift, double stretch) {
  const auto number = [](auto v) { return static_cast<float>(v); };
  const std::size_t first_column = 2 * sawn.faces.size(),
                    first_part = first_column + sawn.columns.size(),
                    first_material = first_part + sawn.parts.size();
  std::vector<Vec4> texels;
  for (const Sawn::Face& f : sawn.faces) {
    const double length = std::hypot(f.to_x - f.from_x, f.to_y - f.from_y);
    texels.push_back({number(f.from_x - shift.x), number(f.from_y - shift.y),
                      number((f.to_x - f.from_x) / length), number((f.to_y - f.from_y) / length)});
    texels.push_back({number(first_column + f.first), number(f.count),
                      number(sawn.bottom - shift.z), number(stretch)});
  }
  for (std::size_t c = 0; c < sawn.columns.size(); ++c) {
    const std::size_t next = c + 1 < sawn.columns.size() ? c + 1 : c;
    texels.push_back({sawn.columns[c].along, number(first_part + sawn.columns[c].first),
                      number(first_part + sawn.columns[next].first) - 1, 0});
  }
  const auto height = [&](float z) { return number(static_cast<double>(z) - shift.z); };
  for (const Sawn::Part& p : sawn.parts)
    texels.push_back({height(p.top), height(p.before), height(p.after),
                      p.material > 0 ? number(first_material + p.material - 1) : 0});
  for (const Sawn::Material& m : sawn.materials) {
    const auto& c = m.colour;
    texels.push_back({number(c[0]) / 255, number(c[1]) / 255, number(c[2]) / 255,
                      m.water ? 2 : number(c[3]) / 255});
  }
  return texels;
}

// In parts, so that a person who wants to stop is heard.
void draw_triangles(const gl::Vertices& vertices, GLsizei corners) {
  constexpr GLsizei at_once = 3 << 20;
  glBindVertexArray(vertices.name());
  for (GLsizei first = 0; first < corners; first += at_once) {
    glDrawElements(GL_TRIANGLES, std::min(at_once, corners - first), GL_UNSIGNED_INT,
                   reinterpret_cast<const void*>(4 * static_cast<std::uintptr_t>(first)));
    gl::finish_part();
  }
}

// Triangles that are nowhere but in the way of light.
struct Shape {
  gl::Buffer places, triangles;
  gl::Vertices vertices;
  GLsizei corners = 0;

  void draw() const { draw_triangles(vertices, corners); }
};

Shape shape_of(const Mesh& mesh, Vec3 shift, double stretch) {
  const std::vector<Mesh::Vector> at = placed(mesh, shift, stretch);
  Shape shape;
  shape.places = gl::make_buffer(at.data(), sizeof at[0] * at.size());
  shape.triangles =
      gl::make_buffer(mesh.triangles.data(), sizeof mesh.triangles[0] * mesh.triangles.size());
  shape.corners = static_cast<GLsizei>(3 * mesh.triangles.size());
  shape.vertices = gl::make_vertices();
  const GLuint v = shape.vertices.name();
  glVertexArrayElementBuffer(v, shape.triangles.name());
  glVertexArrayVertexBuffer(v, 0, shape.places.name(), 0, sizeof at[0]);
  glVertexArrayAttribFormat(v, 0, 3, GL_FLOAT, GL_FALSE, 0);
  glVertexArrayAttribBinding(v, 0, 0);
  glEnableVertexArrayAttrib(v, 0);
  return shape;
}

}  // namespace

Bodies::Bodies(const Mesh& mesh, const Look& look, std::span<const WaterOn> water,
               const Mesh* coarse, const Sawn* sawn, const gl::Program& lamp) {
  check(mesh);
  if (coarse != nullptr) check(*coarse);
  check_water(water, mesh.positions.size());
  const auto one_each = [&](std::size_t count) { return count == mesh.positions.size(); };
  if (sawn != nullptr && !(one_each(sawn->of_vertex.size()) && one_each(mesh.normals.size())))
    throw Error(text("picture: expected a face and a normal for ", mesh.positions.size(),
                     " vertices, found ", sawn->of_vertex.size(), " and ", mesh.normals.size()));
  Mesh shown = mesh;
  if (shown.colours.size() != shown.positions.size())
    shown.colours = plain_colours(shown.positions.size(), look);
  std::vector<std::uint32_t> copied;
  shown = with_normals(std::move(shown), copied);
  upload(shown, look, !water.empty());
  if (!water.empty()) {
    wet_.triangles = std::move(shown.triangles);
    wet_.copied = std::move(copied);
    upload_water(water, look.relief);
  }
  if (sawn != nullptr) upload(*sawn, look.exaggeration);
  lights_ = gl::make_buffer(nullptr, sizeof(LightsBlock));
  lamp_maps_ = depth_map(GL_TEXTURE_2D_ARRAY, lamp_pixels, sky_lamps);
  sun_map_ = depth_map(GL_TEXTURE_2D, sun_pixels, 0);
  plain_ = plain_sampler();
  lit_ = gl::make_framebuffer();
  glNamedFramebufferDrawBuffer(lit_.name(), GL_NONE);
  fill_lights(look);
  light(lamp, 0, sky_lamps, coarse, look.exaggeration);
}

void Bodies::change_sun(const Look& look, const gl::Program& lamp) {
  fill_lights(look);
  light(lamp, 0, 0, nullptr, look.exaggeration);
}

bool Bodies::change_water(std::span<const WaterOn> water, const ReliefOptions& options) {
  if (!has_water() || water.empty()) return false;
  check_water(water, wet_.normals.size() - wet_.copied.size());
  upload_water(water, options);
  return true;
}

void Bodies::upload(const Mesh& mesh, const Look& look, bool wet) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Vec3 low{infinity, infinity, infinity}, high = low * -1;
  for (const Mesh::Vector& p : mesh.positions) {
    const Vec3 v = vec3(p);
    low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
    high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
  }
  const double stretch = look.exaggeration;
  shift_ = {(low.x + high.x) / 2, (low.y + high.y) / 2, low.z};
  size_ = {high.x - low.x, high.y - low.y, (high.z - low.z) * stretch};
  const std::vector<Mesh::Vector> places = placed(mesh, shift_, stretch);
  const std::size_t count = places.size();
  const bool land = look.grain > 0;
  std::vector<Mesh::Vector> normals = mesh.normals;
  soften(normals, mesh.triangles, land);
  std::vector<Mesh::Colour> colours = mesh.colours;
  soften(colours, normals, mesh.triangles, land ? 1 : 2);
  wear(colours, standing_out(mesh, normals, land ? 1 : 4));
  top_colour_ = mean_of_tops(colours, normals);
  if (wet) wet_.normals = normals;
  stretch_normals(normals, stretch);
  places_ = gl::make_buffer(places.data(), sizeof places[0] * count);
  normals_ = gl::make_buffer(normals.data(), sizeof normals[0] * count);
  colours_ = gl::make_buffer(colours.data(), sizeof colours[0] * count);
  triangles_ =
      gl::make_buffer(mesh.triangles.data(), sizeof mesh.triangles[0] * mesh.triangles.size());
  corners_ = static_cast<GLsizei>(3 * mesh.triangles.size());
  vertices_ = gl::make_vertices();
  const GLuint v = vertices_.name();
  glVertexArrayElementBuffer(v, triangles_.name());
  glVertexArrayVertexBuffer(v, 0, places_.name(), 0, sizeof places[0]);
  glVertexArrayVertexBuffer(v, 1, normals_.name(), 0, sizeof normals[0]);
  glVertexArrayVertexBuffer(v, 2, colours_.name(), 0, sizeof colours[0]);
  glVertexArrayAttribFormat(v, 0, 3, GL_FLOAT, GL_FALSE, 0);
  glVertexArrayAttribFormat(v, 1, 3, GL_FLOAT, GL_FALSE, 0);
  glVertexArrayAttribFormat(v, 2, 4, GL_UNSIGNED_BYTE, GL_TRUE, 0);
  for (GLuint i = 0; i < 3; ++i) {
    glVertexArrayAttribBinding(v, i, i);
    glEnableVertexArrayAttrib(v, i);
  }
  gl::check("uploading a mesh");
}

void Bodies::upload_water(std::span<const WaterOn> water, const ReliefOptions& options) {
  water_deep_ = deep_of(water, options);
  std::vector<WaterOn> on(water.begin(), water.end());
  for (const std::uint32_t vertex : wet_.copied) on.push_back(water[vertex]);
  soften(on, wet_.normals, wet_.triangles);
  if (waters_.name() != 0) {
    glNamedBufferSubData(waters_.name(), 0, static_cast<GLsizeiptr>(sizeof on[0] * on.size()),
                         on.data());
    return;
  }
  waters_ = gl::make_buffer(on.data(), sizeof on[0] * on.size());
  const GLuint v = vertices_.name();
  glVertexArrayVertexBuffer(v, 3, waters_.name(), 0, sizeof on[0]);
  glVertexArrayAttribFormat(v, 3, 4, GL_FLOAT, GL_FALSE, 0);
  glVertexArrayAttribBinding(v, 3, 3);
  glEnableVertexArrayAttrib(v, 3);
  gl::check("uploading the water on a mesh");
}

void Bodies::upload(const Sawn& sawn, double stretch) {
  std::vector<Vec4> texels = sawn_texels(sawn, shift_, stretch);
  constexpr std::size_t across = 1024;
  texels.resize((texels.size() + across - 1) / across * across);
  const auto wide = static_cast<GLsizei>(across),
             high = static_cast<GLsizei>(texels.size() / across);
  sawn_ = gl::make_texture(GL_TEXTURE_2D);
  glTextureStorage2D(sawn_.name(), 1, GL_RGBA32F, wide, high);
  glTextureSubImage2D(sawn_.name(), 0, 0, 0, wide, high, GL_RGBA, GL_FLOAT, texels.data());
  glTextureParameteri(sawn_.name(), GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTextureParameteri(sawn_.name(), GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  of_vertex_ = gl::make_buffer(sawn.of_vertex.data(), sawn.of_vertex.size());
  const GLuint v = vertices_.name();
  glVertexArrayVertexBuffer(v, 4, of_vertex_.name(), 0, sizeof sawn.of_vertex[0]);
  glVertexArrayAttribIFormat(v, 4, 1, GL_UNSIGNED_BYTE, 0);
  glVertexArrayAttribBinding(v, 4, 4);
  glEnableVertexArrayAttrib(v, 4);
  gl::check("uploading the faces of a mesh");
}

double Bodies::height_at(double x, double y) const {
  // The mesh itself is gone; few pictures ask for this.
  GLint bytes = 0;
  glGetNamedBufferParameteriv(places_.name(), GL_BUFFER_SIZE, &bytes);
  std::vector<Mesh::Vector> places(static_cast<std::size_t>(bytes) / sizeof(Mesh::Vector));
  glGetNamedBufferSubData(places_.name(), 0, bytes, places.data());
  constexpr std::size_t at_once = 1 << 20;
  const std::size_t all = static_cast<std::size_t>(corners_) / 3;
  double highest = 0;
  std::vector<Mesh::Triangle> triangles;
  for (std::size_t first = 0; first < all; first += at_once) {
    stop_if_cancelled();
    triangles.resize(std::min(at_once, all - first));
    constexpr std::size_t size = sizeof(Mesh::Triangle);
    glGetNamedBufferSubData(triangles_.name(), static_cast<GLintptr>(size * first),
                            static_cast<GLsizeiptr>(size * triangles.size()), triangles.data());
    for (const Mesh::Triangle& t : triangles)
      if (const auto z =
              height_of(vec3(places[t[0]]), vec3(places[t[1]]), vec3(places[t[2]]), x, y))
        highest = std::max(highest, *z);
  }
  gl::check("reading a mesh");
  return highest;
}

void Bodies::fill_lights(const Look& look) const {
  LightsBlock block;
  const double radius = 0.5 * length(size_) * 1.02;
  block.middle = vec4({0, 0, size_.z / 2}, radius);
  const Sky sky(look.sun_azimuth, look.sun_altitude);
  double total = 0;
  for (int n = 0; n < sky_lamps; ++n) total += lamp_toward(n).z;
  for (int n = 0; n <= sky_lamps; ++n) {
    const Vec3 toward =
        n == 0 ? direction(look.sun_azimuth, look.sun_altitude) : lamp_toward(n - 1);
    const std::array<Vec3, 3> axes = axes_of(toward);
    for (std::size_t a = 0; a < 3; ++a)
      block.axes[3 * static_cast<std::size_t>(n) + a] = vec4(axes[a] * (1 / radius));
    if (n == 0) continue;
    const auto lamp = static_cast<std::size_t>(n - 1);
    block.lamps[lamp] = vec4(toward, 1 / total);
    block.lamp_light[lamp] = vec4(sky.radiance(toward) * (1 / total));
  }
  glNamedBufferSubData(lights_.name(), 0, sizeof block, &block);
}

// Maps of how far light gets, from one lamp to another; the sun is the first.
void Bodies::light(const gl::Program& lamp, int first, int last, const Mesh* coarse,
                   double stretch) const {
  glBindBufferBase(GL_UNIFORM_BUFFER, 2, lights_.name());
  glBindFramebuffer(GL_FRAMEBUFFER, lit_.name());
  glUseProgram(lamp.name());
  glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
  glDisable(GL_STENCIL_TEST);
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LESS);
  glClearDepth(1);
  const Shape other = coarse != nullptr ? shape_of(*coarse, shift_, stretch) : Shape{};
  for (int n = first; n <= last; ++n) {
    if (n == 0)
      glNamedFramebufferTexture(lit_.name(), GL_DEPTH_ATTACHMENT, sun_map_.name(), 0);
    else
      glNamedFramebufferTextureLayer(lit_.name(), GL_DEPTH_ATTACHMENT, lamp_maps_.name(), 0, n - 1);
    const int pixels = n == 0 ? sun_pixels : lamp_pixels;
    glViewport(0, 0, pixels, pixels);
    glClear(GL_DEPTH_BUFFER_BIT);
    glUniform1i(glGetUniformLocation(lamp.name(), "lamp"), n);
    if (n > 0 && coarse != nullptr)
      other.draw();
    else
      draw();
  }
  gl::check("lighting a mesh");
}

void Bodies::draw() const { draw_triangles(vertices_, corners_); }

void Bodies::bind() const {
  glBindBufferBase(GL_UNIFORM_BUFFER, 2, lights_.name());
  glBindTextureUnit(6, lamp_maps_.name());
  glBindTextureUnit(7, sun_map_.name());
  glBindTextureUnit(10, sun_map_.name());
  glBindSampler(10, plain_.name());
  if (is_sawn()) glBindTextureUnit(14, sawn_.name());
}

std::vector<Vec3> Bodies::outline() const {
  std::vector<Vec3> corners;
  for (int n = 0; n < 8; ++n)
    corners.push_back({(n & 1) != 0 ? size_.x / 2 : -size_.x / 2,
                       (n & 2) != 0 ? size_.y / 2 : -size_.y / 2, (n & 4) != 0 ? size_.z : 0});
  return corners;
}

}  // namespace scree::render
