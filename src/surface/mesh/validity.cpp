#include "surface/mesh/validity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/error.h"

namespace scree::surface {
namespace {

// One corner of a triangle: around vertex `at`, the triangle spans from `from` to `to`.
struct Corner {
  std::uint32_t at, from, to;
};

std::vector<Corner> corners_by_vertex(const Mesh& mesh) {
  std::vector<Corner> corners;
  corners.reserve(3 * mesh.triangles.size());
  for (const auto& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) corners.push_back({t[k], t[(k + 1) % 3], t[(k + 2) % 3]});
  std::sort(corners.begin(), corners.end(), [](const Corner& a, const Corner& b) {
    return a.at != b.at ? a.at < b.at : a.from < b.from;
  });
  return corners;
}

// The corners of one vertex, sorted by `from`: each edge out of it, each once.
void look_around(const Corner* first, const Corner* last, MeshFaults& faults) {
  const auto by_from = [](const Corner& c, std::uint32_t v) { return c.from < v; };
  const auto find = [&](std::uint32_t v) {
    const Corner* c = std::lower_bound(first, last, v, by_from);
    return c != last && c->from == v ? c : nullptr;
  };
  bool regular = true;
  for (const Corner* c = first; c != last; ++c) {
    if (c + 1 != last && c[1].from == c->from) ++faults.crowded, regular = false;
    // The edge (to, at) of this triangle must be the edge (at, to) of another.
    if (find(c->to) == nullptr) ++faults.open, regular = false;
  }
  if (!regular) return;
  std::ptrdiff_t seen = 0;
  const Corner* c = first;
  do {
    ++seen;
    c = find(c->to);
  } while (c != first && seen <= last - first);
  if (seen != last - first) ++faults.pinched;
}

std::array<double, 3> difference(const Mesh::Vector& a, const Mesh::Vector& b) {
  std::array<double, 3> d{};
  for (std::size_t k = 0; k < 3; ++k) d[k] = static_cast<double>(a[k]) - static_cast<double>(b[k]);
  return d;
}
std::array<double, 3> cross(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Twice the area of a triangle, along its normal.
std::array<double, 3> doubled(const Mesh& mesh, const Mesh::Triangle& t) {
  return cross(difference(mesh.positions[t[1]], mesh.positions[t[0]]),
               difference(mesh.positions[t[2]], mesh.positions[t[0]]));
}

}  // namespace

std::string MeshFaults::summary() const {
  return text(degenerate, " degenerate triangles, ", open, " open and ", crowded,
              " crowded edges, ", pinched, " pinched and ", unused, " unused vertices");
}

MeshFaults find_faults(const Mesh& mesh) {
  MeshFaults faults;
  for (const auto& t : mesh.triangles)
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) ++faults.degenerate;
  const std::vector<Corner> corners = corners_by_vertex(mesh);
  std::size_t used = 0;
  for (std::size_t i = 0; i < corners.size();) {
    std::size_t end = i;
    while (end < corners.size() && corners[end].at == corners[i].at) ++end;
    look_around(corners.data() + i, corners.data() + end, faults);
    if (corners[i].at < mesh.positions.size()) ++used;
    i = end;
  }
  faults.unused = mesh.positions.size() - used;
  return faults;
}

double area(const Mesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.triangles) {
    const auto n = doubled(mesh, t);
    sum += std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
  }
  return sum;
}

double volume(const Mesh& mesh) {
  if (mesh.positions.empty()) return 0;
  double sum = 0;
  for (const auto& t : mesh.triangles) {
    const auto n = doubled(mesh, t);
    const auto at = difference(mesh.positions[t[0]], mesh.positions[0]);
    sum += (at[0] * n[0] + at[1] * n[1] + at[2] * n[2]) / 6;
  }
  return sum;
}

}  // namespace scree::surface
