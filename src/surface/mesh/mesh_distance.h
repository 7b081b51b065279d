// How far points are from a mesh: a plain reference for tests.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "data/mesh.h"

namespace scree::surface {

class MeshDistance {
 public:
  using Point = std::array<double, 3>;

  // Distances beyond `reach` are infinite.
  MeshDistance(const Mesh& mesh, double reach) : mesh_(mesh), reach_(reach) {
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      std::array<int, 3> low{}, high{};
      for (std::size_t d = 0; d < 3; ++d) {
        const auto at = [&](std::size_t k) { return corner(t, k)[d]; };
        low[d] = bucket(std::min({at(0), at(1), at(2)}));
        high[d] = bucket(std::max({at(0), at(1), at(2)}));
      }
      for (int z = low[2]; z <= high[2]; ++z)
        for (int y = low[1]; y <= high[1]; ++y)
          for (int x = low[0]; x <= high[0]; ++x) buckets_[{x, y, z}].push_back(t);
    }
  }

  double to(const Point& p) const {
    double least = std::numeric_limits<double>::infinity();
    // What lies beyond the n-th shell of buckets is more than n of them away.
    for (int shell = 0; shell * size <= reach_ && least > (shell - 1) * size; ++shell)
      for (int z = -shell; z <= shell; ++z)
        for (int y = -shell; y <= shell; ++y)
          for (int x = -shell; x <= shell; ++x) {
            if (std::max({std::abs(x), std::abs(y), std::abs(z)}) != shell) continue;
            const auto found =
                buckets_.find({bucket(p[0]) + x, bucket(p[1]) + y, bucket(p[2]) + z});
            if (found == buckets_.end()) continue;
            for (const std::size_t t : found->second) least = std::min(least, to_triangle(p, t));
          }
    return least <= reach_ ? least : std::numeric_limits<double>::infinity();
  }

  // The furthest of another mesh's corners, and of points spread over its triangles.
  double furthest(const Mesh& other) const {
    double most = 0;
    constexpr int parts = 2;
    for (const Mesh::Triangle& t : other.triangles)
      for (int i = 0; i <= parts; ++i)
        for (int j = 0; i + j <= parts; ++j) {
          Point p{};
          for (std::size_t d = 0; d < 3; ++d) {
            const auto at = [&](std::size_t k) {
              return static_cast<double>(other.positions[t[k]][d]);
            };
            p[d] = (i * at(0) + j * at(1) + (parts - i - j) * at(2)) / parts;
          }
          most = std::max(most, to(p));
        }
    return most;
  }

 private:
  static constexpr double size = 1;  // of a bucket

  static Point minus(const Point& a, const Point& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  }
  static double dot(const Point& a, const Point& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }
  static double to_segment(const Point& p, const Point& a, const Point& b) {
    const Point along = minus(b, a), from = minus(p, a);
    const double length = dot(along, along);
    const double t = length > 0 ? std::clamp(dot(from, along) / length, 0.0, 1.0) : 0.0;
    const Point off{from[0] - t * along[0], from[1] - t * along[1], from[2] - t * along[2]};
    return std::sqrt(dot(off, off));
  }
  static int bucket(double at) { return static_cast<int>(std::floor(at / size)); }
  Point corner(std::size_t t, std::size_t k) const {
    const Mesh::Vector& v = mesh_.positions[mesh_.triangles[t][k]];
    return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
  }
  double to_triangle(const Point& p, std::size_t t) const {
    const Point a = corner(t, 0), b = corner(t, 1), c = corner(t, 2);
    const Point u = minus(b, a), v = minus(c, a), w = minus(p, a);
    const Point n{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    const double square = dot(n, n);
    if (square > 0) {
      const Point uw{u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2],
                     u[0] * w[1] - u[1] * w[0]};
      const Point wv{w[1] * v[2] - w[2] * v[1], w[2] * v[0] - w[0] * v[2],
                     w[0] * v[1] - w[1] * v[0]};
      const double beta = dot(wv, n) / square, gamma = dot(uw, n) / square;
      if (beta >= 0 && gamma >= 0 && beta + gamma <= 1)
        return std::abs(dot(w, n)) / std::sqrt(square);
    }
    return std::min({to_segment(p, a, b), to_segment(p, b, c), to_segment(p, c, a)});
  }

  const Mesh& mesh_;
  double reach_;
  std::map<std::array<int, 3>, std::vector<std::size_t>> buckets_;
};

}  // namespace scree::surface
