// Where a mesh overlaps itself: a plain reference for tests.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.h"
#include "data/mesh.h"

namespace scree::surface {

// Triangles that touch at their rims are no overlap: what counts is an edge that passes through the
// inside of a triangle or runs in it, and two triangles in one plane with a common inside.
struct MeshOverlap {
  std::size_t crossings = 0;  // pairs of triangles of which an edge of one passes through the other
  std::size_t folded = 0;     // pairs in one plane that cover each other
  std::size_t flat = 0;       // triangles without an area
  std::size_t backward = 0;   // triangles that face against the normals of all their corners
  double backward_area = 0, area = 0;
  std::size_t triangles = 0;

  bool none() const { return crossings + folded == 0; }
  std::string summary() const {
    return text(triangles, " triangles: ", crossings, " crossings, ", folded, " folded, ", flat,
                " without an area, ", backward, " backward with ", 100 * backward_area / area,
                " % of the area");
  }
};

namespace overlap_detail {

using Point = std::array<double, 3>;
inline Point minus(const Point& a, const Point& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double dot(const Point& a, const Point& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline double length(const Point& a) { return std::sqrt(dot(a, a)); }

// The side of a plane on which a point lies: 0 within what floats do not tell.
class Sides {
 public:
  explicit Sides(double near) : near_(near) {}
  // Of the plane through a, b and c.
  int of(const Point& a, const Point& b, const Point& c, const Point& p) const {
    const Point n = cross(minus(b, a), minus(c, a));
    const double size = length(n);
    if (size <= near_ * near_) return 0;
    const double away = dot(n, minus(p, a)) / size;
    return away > near_ ? 1 : away < -near_ ? -1 : 0;
  }
  // Of the line from a to b, in a plane with normal n.
  int in_plane(const Point& a, const Point& b, const Point& n, const Point& p) const {
    const Point across = cross(n, minus(b, a));
    const double size = length(across);
    if (size <= near_ * near_) return 0;
    const double away = dot(across, minus(p, a)) / size;
    return away > near_ ? 1 : away < -near_ ? -1 : 0;
  }

 private:
  double near_;
};

using Corners = std::array<Point, 3>;

// Does an edge pass through the inside of a triangle?
inline bool passes(const Sides& sides, const Point& p, const Point& q, const Corners& t) {
  const int at_p = sides.of(t[0], t[1], t[2], p), at_q = sides.of(t[0], t[1], t[2], q);
  if (at_p * at_q >= 0) return false;
  const int one = sides.of(p, q, t[0], t[1]), two = sides.of(p, q, t[1], t[2]),
            three = sides.of(p, q, t[2], t[0]);
  if (one == 0 || one != two || two != three) return false;
  // And clearly so: where it meets the plane is within the triangle by more than floats leave open.
  const Point n = cross(minus(t[1], t[0]), minus(t[2], t[0]));
  const double a = dot(n, minus(p, t[0])), b = dot(n, minus(q, t[0])), s = a / (a - b);
  const Point at{p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1]), p[2] + s * (q[2] - p[2])};
  const Point unit{n[0] / length(n), n[1] / length(n), n[2] / length(n)};
  for (std::size_t k = 0; k < 3; ++k)
    if (sides.in_plane(t[k], t[(k + 1) % 3], unit, at) != 1) return false;
  return true;
}

// Does an edge in the plane of a triangle run through its inside? A surface passes there, though
// neither of its triangles does.
inline bool runs_through(const Sides& sides, const Point& p, const Point& q, const Corners& t) {
  if (sides.of(t[0], t[1], t[2], p) != 0 || sides.of(t[0], t[1], t[2], q) != 0) return false;
  const Point n = cross(minus(t[1], t[0]), minus(t[2], t[0]));
  const Point unit{n[0] / length(n), n[1] / length(n), n[2] / length(n)};
  constexpr int parts = 8;
  for (int i = 0; i < parts; ++i) {
    const double s = (i + 0.5) / parts;
    const Point at{p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1]), p[2] + s * (q[2] - p[2])};
    bool inside = true;
    for (std::size_t k = 0; k < 3; ++k)
      inside = inside && sides.in_plane(t[k], t[(k + 1) % 3], unit, at) == 1;
    if (inside) return true;
  }
  return false;
}

// Do two triangles of one plane have a common inside?
inline bool cover(const Sides& sides, const Corners& a, const Corners& b) {
  const Point n = cross(minus(a[1], a[0]), minus(a[2], a[0]));
  const double size = length(n);
  const Point unit{n[0] / size, n[1] / size, n[2] / size};
  // They do unless an edge of one has all of the other behind it.
  const auto apart = [&](const Corners& one, const Corners& other, int turn) {
    for (std::size_t k = 0; k < 3; ++k) {
      bool beyond = true;
      for (const Point& p : other)
        beyond = beyond && turn * sides.in_plane(one[k], one[(k + 1) % 3], unit, p) <= 0;
      if (beyond) return true;
    }
    return false;
  };
  const Point m = cross(minus(b[1], b[0]), minus(b[2], b[0]));
  return !apart(a, b, 1) && !apart(b, a, dot(m, unit) > 0 ? 1 : -1);
}

}  // namespace overlap_detail

// `near` is a distance, in metres, that counts as none; buckets are `size` wide.
inline MeshOverlap find_overlap(const Mesh& mesh, double near, double size = 1) {
  using namespace overlap_detail;
  const Sides sides(near);
  MeshOverlap found;
  found.triangles = mesh.triangles.size();
  const auto point = [&](const Mesh::Vector& v) {
    return Point{static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
  };
  std::vector<Corners> corners;
  std::vector<bool> flat;
  for (const Mesh::Triangle& t : mesh.triangles) {
    corners.push_back(
        {point(mesh.positions[t[0]]), point(mesh.positions[t[1]]), point(mesh.positions[t[2]])});
    const Corners& c = corners.back();
    const Point n = cross(minus(c[1], c[0]), minus(c[2], c[0]));
    const double longest =
        std::max({length(minus(c[1], c[0])), length(minus(c[2], c[1])), length(minus(c[0], c[2]))});
    flat.push_back(length(n) <= near * longest);
    found.area += length(n) / 2;
    if (flat.back()) {
      ++found.flat;
      continue;
    }
    bool backward = true;
    for (const std::uint32_t i : t)
      backward = backward && dot(n, point(mesh.normals[i])) < -1e-3 * length(n);
    if (backward) ++found.backward, found.backward_area += length(n) / 2;
  }
  // Buckets along each axis that a triangle is in.
  struct Reach {
    std::array<int, 3> low{}, high{};
  };
  std::vector<Reach> reaches(corners.size());
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> buckets;
  const auto bucket = [](int x, int y, int z) {
    return (static_cast<std::uint64_t>(x + 65536) << 40U) |
           (static_cast<std::uint64_t>(y + 65536) << 20U) | static_cast<std::uint64_t>(z + 65536);
  };
  for (std::size_t t = 0; t < corners.size(); ++t) {
    if (flat[t]) continue;
    Reach& r = reaches[t];
    for (std::size_t d = 0; d < 3; ++d) {
      const auto [least, most] =
          std::minmax({corners[t][0][d], corners[t][1][d], corners[t][2][d]});
      r.low[d] = static_cast<int>(std::floor((least - near) / size));
      r.high[d] = static_cast<int>(std::floor((most + near) / size));
    }
    for (int z = r.low[2]; z <= r.high[2]; ++z)
      for (int y = r.low[1]; y <= r.high[1]; ++y)
        for (int x = r.low[0]; x <= r.high[0]; ++x)
          buckets[bucket(x, y, z)].push_back(static_cast<std::uint32_t>(t));
  }
  const auto look = [&](std::uint32_t i, std::uint32_t j) {
    const Corners &a = corners[i], &b = corners[j];
    for (std::size_t d = 0; d < 3; ++d) {
      if (std::max({a[0][d], a[1][d], a[2][d]}) < std::min({b[0][d], b[1][d], b[2][d]})) return;
      if (std::max({b[0][d], b[1][d], b[2][d]}) < std::min({a[0][d], a[1][d], a[2][d]})) return;
    }
    bool one_plane = true;
    for (std::size_t k = 0; k < 3; ++k)
      one_plane = one_plane && sides.of(a[0], a[1], a[2], b[k]) == 0 &&
                  sides.of(b[0], b[1], b[2], a[k]) == 0;
    if (one_plane) {
      if (cover(sides, a, b)) ++found.folded;
      return;
    }
    for (std::size_t k = 0; k < 3; ++k)
      for (const auto& [one, other] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
        const Point &p = (*one)[k], &q = (*one)[(k + 1) % 3];
        if (!passes(sides, p, q, *other) && !runs_through(sides, p, q, *other)) continue;
        ++found.crossings;
        return;
      }
  };
  for (const auto& [at, inside] : buckets)
    for (std::size_t i = 0; i < inside.size(); ++i)
      for (std::size_t j = i + 1; j < inside.size(); ++j) {
        // Once a pair: in the first bucket that both are in.
        const auto &a = reaches[inside[i]].low, &b = reaches[inside[j]].low;
        if (at == bucket(std::max(a[0], b[0]), std::max(a[1], b[1]), std::max(a[2], b[2])))
          look(inside[i], inside[j]);
      }
  return found;
}

}  // namespace scree::surface
