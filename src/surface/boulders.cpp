#include "surface/boulders.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "kernel/random.h"

namespace scree::surface {
namespace {

using Vector = io::Mesh::Vector;

float dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector unit(const Vector& v) {
  const float length = std::sqrt(dot(v, v));
  return {v[0] / length, v[1] / length, v[2] / length};
}

// Directions and triangles of an octahedron whose faces are cut in four, so many times.
io::Mesh ball(int cuts) {
  io::Mesh mesh;
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
    std::vector<io::Mesh::Triangle> finer;
    for (const auto& [a, b, c] : mesh.triangles) {
      const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    mesh.triangles = std::move(finer);
  }
  return mesh;
}

struct Face {
  Vector normal;
  float distance;
};
std::array<Face, 9> faces_of(std::uint32_t seed) {
  std::array<Face, 9> faces;
  std::uint32_t h = mix_bits(seed + 0x51ed27U);
  const auto share = [&] {
    h = mix_bits(h + 0x9e3779b9U);
    return static_cast<float>(h >> 8) / 16777216.0F;
  };
  for (Face& face : faces) {
    Vector v{};
    do v = {2 * share() - 1, 2 * share() - 1, 2 * share() - 1};
    while (dot(v, v) < 0.1F || dot(v, v) > 1);
    face = {unit(v), 0.68F + 0.3F * share()};
  }
  return faces;
}

}  // namespace

void add_boulders(io::Mesh& mesh, const std::vector<BoulderShape>& boulders,
                  const io::Mesh::Colour& colour) {
  const io::Mesh shape = ball(boulders.size() > 20000 ? 1 : boulders.size() > 1000 ? 2 : 3);
  for (const BoulderShape& boulder : boulders) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    const auto faces = faces_of(boulder.seed);
    for (const Vector& way : shape.positions) {
      float reach = 1;
      Vector normal = way;
      for (const Face& face : faces) {
        const float towards = dot(way, face.normal);
        if (towards * reach > face.distance) reach = face.distance / towards, normal = face.normal;
      }
      // Edges are worn: a face's normal leans towards the ball's.
      normal = unit({normal[0] + way[0] / 2, normal[1] + way[1] / 2, normal[2] + way[2] / 2});
      const float r = boulder.radius * reach;
      mesh.positions.push_back({boulder.middle[0] + r * way[0], boulder.middle[1] + r * way[1],
                                boulder.middle[2] + r * way[2]});
      if (!mesh.normals.empty()) mesh.normals.push_back(normal);
      if (!mesh.colours.empty()) mesh.colours.push_back(colour);
    }
    for (const auto& [a, b, c] : shape.triangles)
      mesh.triangles.push_back({first + a, first + b, first + c});
  }
}

}  // namespace scree::surface
