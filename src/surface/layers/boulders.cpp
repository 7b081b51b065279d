#include "surface/layers/boulders.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "kernel/common/random.h"

namespace scree::surface {
namespace {

using Vector = Mesh::Vector;

float dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector unit(const Vector& v) {
  const float length = std::sqrt(dot(v, v));
  return {v[0] / length, v[1] / length, v[2] / length};
}

// Directions and triangles of an octahedron whose faces are cut in four, so many times.
Mesh ball(int cuts) {
  Mesh mesh;
  mesh.positions = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  mesh.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                    {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int cut = 0; cut < cuts; ++cut) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
      const auto next = static_cast<std::uint32_t>(mesh.positions.size());
      const auto [at, added] = middles.try_emplace(std::minmax(a, b), next);
      if (added) {
        const Vector p = mesh.positions[a], q = mesh.positions[b];
        mesh.positions.push_back(unit({p[0] + q[0], p[1] + q[1], p[2] + q[2]}));
      }
      return at->second;
    };
    std::vector<Mesh::Triangle> finer;
    for (const auto& [a, b, c] : mesh.triangles) {
      const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    mesh.triangles = std::move(finer);
  }
  return mesh;
}

// Numbers of 0 to 1 that go by a seed.
class Draw {
 public:
  explicit Draw(std::uint32_t seed) : hash_(mix_bits(seed + 0x51ed27U)) {}
  float share() {
    hash_ = mix_bits(hash_ + 0x9e3779b9U);
    return static_cast<float>(hash_ >> 8) / 16777216.0F;
  }
  Vector direction() {
    Vector v{};
    do v = {2 * share() - 1, 2 * share() - 1, 2 * share() - 1};
    while (dot(v, v) < 0.1F || dot(v, v) > 1);
    return unit(v);
  }

 private:
  std::uint32_t hash_;
};

Vector across(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

struct Face {
  Vector normal;
  float distance;
};

// Rock breaks along joints: three pairs of faces, about square to each other and far from the
// middle by half to nine tenths, and a few corners knocked off. It comes to lie on a broad side.
std::array<Face, 12> faces_of(std::uint32_t seed) {
  Draw draw(seed);
  const auto lean = [&](const Vector& v, float by) {
    const Vector d = draw.direction();
    return unit({v[0] + by * d[0], v[1] + by * d[1], v[2] + by * d[2]});
  };
  const Vector up = lean({0, 0, 1}, 0.5F);
  const Vector east = unit(across(draw.direction(), up)), north = across(up, east);
  const float least[] = {0.72F, 0.56F, 0.46F};
  std::array<Face, 12> faces;
  std::size_t k = 0;
  for (const auto& [axis, near] : {std::pair{east, least[0]}, {north, least[1]}, {up, least[2]}})
    for (const float side : {1.0F, -1.0F})
      faces[k++] = {lean({side * axis[0], side * axis[1], side * axis[2]}, 0.22F),
                    near + 0.2F * draw.share()};
  while (k < faces.size()) faces[k++] = {draw.direction(), 0.66F + 0.26F * draw.share()};
  return faces;
}

// One is a little paler or darker than the next.
Mesh::Colour shade_of(const Mesh::Colour& colour, std::uint32_t seed) {
  const float tone = 0.8F + 0.36F * Draw(seed + 0x2f6b1U).share();
  Mesh::Colour own = colour;
  for (std::size_t c = 0; c < 3; ++c)
    own[c] = static_cast<std::uint8_t>(std::min(tone * static_cast<float>(colour[c]), 255.0F));
  return own;
}

}  // namespace

void add_boulders(Mesh& mesh, const std::vector<BoulderShape>& boulders,
                  const Mesh::Colour& colour) {
  const Mesh shape = ball(boulders.size() > 20000  ? 1
                          : boulders.size() > 1000 ? 2
                          : boulders.size() > 400  ? 3
                                                   : 4);
  for (const BoulderShape& boulder : boulders) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    const auto faces = faces_of(boulder.seed);
    const Mesh::Colour own = shade_of(colour, boulder.seed);
    for (const Vector& way : shape.positions) {
      float reach = 1;
      Vector normal = way;
      for (const Face& face : faces) {
        const float towards = dot(way, face.normal);
        if (towards * reach > face.distance) reach = face.distance / towards, normal = face.normal;
      }
      // Edges are worn: a face's normal leans a little towards the ball's.
      normal = unit({normal[0] + way[0] / 6, normal[1] + way[1] / 6, normal[2] + way[2] / 6});
      const float r = boulder.radius * reach;
      mesh.positions.push_back({boulder.middle[0] + r * way[0], boulder.middle[1] + r * way[1],
                                boulder.middle[2] + r * way[2]});
      if (!mesh.normals.empty()) mesh.normals.push_back(normal);
      if (!mesh.colours.empty()) mesh.colours.push_back(own);
    }
    for (const auto& [a, b, c] : shape.triangles)
      mesh.triangles.push_back({first + a, first + b, first + c});
  }
}

}  // namespace scree::surface
