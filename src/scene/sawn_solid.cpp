#include "scene/sawn_solid.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace scree {
namespace {

using surface::SawnFace;

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

double number(float v) { return static_cast<double>(v); }

// f(corner on a face, corner on none), for each such pair in a triangle.
template <class F>
void each_beside(const io::Mesh& mesh, const std::vector<std::uint8_t>& on, F&& f) {
  for (const io::Mesh::Triangle& t : mesh.triangles)
    for (const std::uint32_t own : t)
      for (const std::uint32_t other : t)
        if (on[own] != 0 && on[other] == 0) f(own, other);
}

// The normal of a rim is that of the ground beside it: none of the bevel's.
void level_rims(io::Mesh& mesh, const std::vector<std::uint8_t>& on) {
  std::vector<std::array<double, 3>> sums(mesh.positions.size());
  each_beside(mesh, on, [&](std::uint32_t own, std::uint32_t other) {
    for (std::size_t c = 0; c < 3; ++c) sums[own][c] += number(mesh.normals[other][c]);
  });
  for (std::size_t v = 0; v < sums.size(); ++v) {
    const auto& [x, y, z] = sums[v];
    const double length = std::sqrt(x * x + y * y + z * z);
    if (length == 0) continue;
    for (std::size_t c = 0; c < 3; ++c)
      mesh.normals[v][c] = static_cast<float>(sums[v][c] / length);
  }
}

// A border between two layers of a column, or its top.
struct Border {
  int below = 0, above = 0;
  double z = 0;
  bool like(const Border& other) const { return below == other.below && above == other.above; }
};
using Borders = std::vector<Border>;

Borders borders_of(const Stack& stack, const LayerShape& shape) {
  Borders borders;
  double top = shape.datum;
  for (std::size_t k = 0; k < stack.size(); ++k) {
    top += stack[k].quanta * shape.quantum;
    borders.push_back({stack[k].material, k + 1 < stack.size() ? stack[k + 1].material : 0, top});
  }
  return borders;
}

std::size_t nearest_like(const Border& border, const Borders& others) {
  std::size_t nearest = others.size();
  for (std::size_t k = 0; k < others.size(); ++k)
    if (others[k].like(border) &&
        (nearest == others.size() ||
         std::abs(others[k].z - border.z) < std::abs(others[nearest].z - border.z)))
      nearest = k;
  return nearest;
}

// Heights of a column's borders midway to a neighbour. One that both have runs straight from one to
// the other; what only one of them has ends there, upright.
std::vector<double> midway(const Borders& own, const Borders& other) {
  constexpr double open = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> heights(own.size(), open);
  std::size_t next = 0;
  for (std::size_t k = 0; k < own.size(); ++k) {
    const std::size_t found = nearest_like(own[k], other);
    if (found >= other.size() || found < next || nearest_like(other[found], own) != k) continue;
    heights[k] = std::midpoint(own[k].z, other[found].z);
    next = found + 1;
  }
  // The others stay as high as they are, but in order.
  double least = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < own.size(); ++k) {
    if (std::isnan(heights[k])) {
      const auto above = std::find_if(heights.begin() + static_cast<std::ptrdiff_t>(k),
                                      heights.end(), [](double h) { return !std::isnan(h); });
      heights[k] = std::max(least, above == heights.end() ? own[k].z : std::min(own[k].z, *above));
    }
    least = heights[k];
  }
  return heights;
}

void add_columns(render::Sawn& sawn, const SawnFace& face, const LayerShape& shape) {
  sawn.faces.push_back({face.from_x, face.from_y, face.to_x, face.to_y,
                        static_cast<std::uint32_t>(sawn.columns.size()),
                        static_cast<std::uint32_t>(face.columns.size())});
  std::vector<Borders> all;
  for (const SawnFace::Column& column : face.columns)
    all.push_back(borders_of(column.stack, shape));
  for (std::size_t c = 0; c < all.size(); ++c) {
    sawn.columns.push_back(
        {static_cast<float>(face.columns[c].along), static_cast<std::uint32_t>(sawn.parts.size())});
    const std::vector<double> before = midway(all[c], all[c > 0 ? c - 1 : c]),
                              after = midway(all[c], all[std::min(c + 1, all.size() - 1)]);
    for (std::size_t k = 0; k < all[c].size(); ++k)
      sawn.parts.push_back({static_cast<float>(all[c][k].z), static_cast<float>(before[k]),
                            static_cast<float>(after[k]),
                            static_cast<std::uint32_t>(all[c][k].below)});
  }
}

}  // namespace

std::vector<std::uint8_t> faces_at(const io::Mesh& mesh, const std::vector<SawnFace>& faces) {
  std::vector<std::uint8_t> on(mesh.positions.size());
  for (std::size_t v = 0; v < on.size(); ++v)
    for (std::size_t f = 0; f < faces.size(); ++f)
      if (std::abs(faces[f].off(number(mesh.positions[v][0]), number(mesh.positions[v][1]))) <
          faces[f].slack())
        on[v] |= static_cast<std::uint8_t>(1U << f);
  return on;
}

void sharpen_edges(io::Mesh& mesh, const std::vector<SawnFace>& faces) {
  const std::vector<std::uint8_t> on = faces_at(mesh, faces);
  unsigned aslant = 0;
  for (std::size_t f = 0; f < faces.size(); ++f)
    if (faces[f].inset == 0) aslant |= 1U << f;
  for (std::size_t v = 0; v < on.size(); ++v) {
    io::Mesh::Vector& p = mesh.positions[v];
    for (std::size_t f = 0; f < faces.size(); ++f) {
      const SawnFace& face = faces[f];
      const double x = number(p[0]), y = number(p[1]), along = face.along(x, y);
      const auto move_to = [&](double to_x, double to_y) {
        p[0] = static_cast<float>(to_x), p[1] = static_cast<float>(to_y);
      };
      if (face.inset > 0 && (on[v] & aslant) == 0) {
        if (std::abs(face.off(x, y) + face.inset) < face.slack())
          move_to(x + face.inset * (face.to_y - face.from_y) / face.length(),
                  y - face.inset * (face.to_x - face.from_x) / face.length());
      } else if ((on[v] >> f & 1) != 0 && face.columns.size() > 1) {
        if (along < face.columns.front().along + face.slack())
          move_to(face.from_x, face.from_y);
        else if (along > face.columns.back().along - face.slack())
          move_to(face.to_x, face.to_y);
      }
    }
  }
}

render::Sawn saw(io::Mesh& mesh, const std::vector<SawnFace>& faces, const LayerShape& shape) {
  render::Sawn sawn;
  sawn.bottom = shape.datum;
  for (const SawnFace& face : faces) add_columns(sawn, face, shape);
  sawn.columns.push_back({0, static_cast<std::uint32_t>(sawn.parts.size())});
  const std::vector<std::uint8_t> on = faces_at(mesh, faces);
  level_rims(mesh, on);
  sawn.of_vertex.assign(mesh.positions.size(), 0);
  // Of each vertex, the one that stands for it on each face.
  std::vector<std::vector<std::uint32_t>> copies(
      faces.size(), std::vector<std::uint32_t>(mesh.positions.size(), none));
  for (io::Mesh::Triangle& t : mesh.triangles) {
    const unsigned shared = on[t[0]] & on[t[1]] & on[t[2]];
    if (shared == 0) continue;
    const auto f = static_cast<std::size_t>(std::countr_zero(shared));
    const SawnFace& face = faces[f];
    for (std::uint32_t& corner : t) {
      std::uint32_t& copy = copies[f][corner];
      if (copy == none) {
        copy = static_cast<std::uint32_t>(mesh.positions.size());
        mesh.positions.emplace_back(mesh.positions[corner]);
        mesh.colours.emplace_back(mesh.colours[corner]);
        mesh.normals.push_back({static_cast<float>((face.to_y - face.from_y) / face.length()),
                                static_cast<float>((face.from_x - face.to_x) / face.length()), 0});
        sawn.of_vertex.push_back(static_cast<std::uint8_t>(f + 1));
      }
      corner = copy;
    }
  }
  return sawn;
}

}  // namespace scree
