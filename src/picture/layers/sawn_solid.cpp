#include "picture/layers/sawn_solid.h"

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
void each_beside(const Mesh& mesh, const std::vector<std::uint8_t>& on, F&& f) {
  for (const Mesh::Triangle& t : mesh.triangles)
    for (const std::uint32_t own : t)
      for (const std::uint32_t other : t)
        if (on[own] != 0 && on[other] == 0) f(own, other);
}

// The normal of a rim is that of the ground beside it: none of the bevel's.
void level_rims(Mesh& mesh, const std::vector<std::uint8_t>& on) {
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

// Of columns as far apart as those of a face: a border that climbs by more, to a layer that lies
// beside none of its own, is another one.
double reach_of(const SawnFace& face) { return 2 * face.spacing; }

// Whether what lies below a border and what lies above it both touch the same on the other's side.
bool beside(const Borders& own, std::size_t k, const Borders& other, std::size_t l) {
  const auto bottom = [](const Borders& all, std::size_t n) {
    return n > 0 ? all[n - 1].z : -std::numeric_limits<double>::infinity();
  };
  const auto top = [](const Borders& all, std::size_t n) {
    return n + 1 < all.size() ? all[n + 1].z : std::numeric_limits<double>::infinity();
  };
  const auto [low, high] = std::minmax(own[k].z, other[l].z);
  return std::max(bottom(own, k), bottom(other, l)) < low &&
         std::min(top(own, k), top(other, l)) > high;
}

std::size_t nearest_like(const Borders& own, std::size_t k, const Borders& others, double reach) {
  std::size_t nearest = others.size();
  const auto away = [&](std::size_t l) { return std::abs(others[l].z - own[k].z); };
  for (std::size_t l = 0; l < others.size(); ++l)
    if (others[l].like(own[k]) && (away(l) <= reach || beside(own, k, others, l)) &&
        (nearest == others.size() || away(l) < away(nearest)))
      nearest = l;
  return nearest;
}

// Heights of a column's borders on the way to a neighbour. One that both have runs straight from
// one to the other; what only one of them has ends upright.
std::vector<double> heights_toward(const Borders& own, const Borders& other, double share,
                                   double reach) {
  constexpr double open = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> heights(own.size(), open);
  std::size_t next = 0;
  for (std::size_t k = 0; k < own.size(); ++k) {
    const std::size_t found = nearest_like(own, k, other, reach);
    if (found >= other.size() || found < next || nearest_like(other, found, own, reach) != k)
      continue;
    heights[k] = std::lerp(own[k].z, other[found].z, share);
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

// On the face itself.
Borders borders_on(const SawnFace& face, const SawnFace::Column& column, const LayerShape& shape) {
  Borders borders = borders_of(column.stack, shape);
  if (column.beyond.empty()) return borders;
  const std::vector<double> heights =
      heights_toward(borders, borders_of(column.beyond, shape), column.share, reach_of(face));
  for (std::size_t k = 0; k < borders.size(); ++k) borders[k].z = heights[k];
  return borders;
}

void add_columns(render::Sawn& sawn, const SawnFace& face, const LayerShape& shape) {
  sawn.faces.push_back({face.from_x, face.from_y, face.to_x, face.to_y,
                        static_cast<std::uint32_t>(sawn.columns.size()),
                        static_cast<std::uint32_t>(face.columns.size())});
  std::vector<Borders> all;
  for (const SawnFace::Column& column : face.columns)
    all.push_back(borders_on(face, column, shape));
  const auto midway = [&](std::size_t own, std::size_t other) {
    return heights_toward(all[own], all[other], 0.5, reach_of(face));
  };
  for (std::size_t c = 0; c < all.size(); ++c) {
    sawn.columns.push_back(
        {static_cast<float>(face.columns[c].along), static_cast<std::uint32_t>(sawn.parts.size())});
    const std::vector<double> before = midway(c, c > 0 ? c - 1 : c),
                              after = midway(c, std::min(c + 1, all.size() - 1));
    for (std::size_t k = 0; k < all[c].size(); ++k)
      sawn.parts.push_back({static_cast<float>(all[c][k].z), static_cast<float>(before[k]),
                            static_cast<float>(after[k]),
                            static_cast<std::uint32_t>(all[c][k].below)});
  }
}

// What is solid of a column: where it begins and ends, and the same on the face.
struct Run {
  double bottom = 0, top = 0, face_bottom = 0, face_top = 0;
};

std::vector<Run> runs_of(const SawnFace& face, const SawnFace::Column& column,
                         const LayerShape& shape) {
  const Borders own = borders_of(column.stack, shape), there = borders_on(face, column, shape);
  std::vector<Run> runs;
  for (std::size_t k = 0; k < own.size(); ++k) {
    if (own[k].below == 0) continue;
    if (k == 0 || own[k - 1].below == 0)
      runs.push_back(
          {k > 0 ? own[k - 1].z : shape.datum, 0, k > 0 ? there[k - 1].z : shape.datum, 0});
    runs.back().top = own[k].z;
    runs.back().face_top = there[k].z;
  }
  return runs;
}

// The rims of a face that is aslant to the columns: where ground, floors and ceilings meet it, its
// vertices are as high as those are there.
class Rims {
 public:
  Rims(const SawnFace& face, const LayerShape& shape, double cell_z)
      : face_(face), cell_z_(cell_z) {
    for (const SawnFace::Column& column : face.columns)
      runs_.push_back(runs_of(face, column, shape));
  }

  // up: the upward part of the normal of what the vertex meets, 0 of one inside the face.
  double height(double along, double z, double up) const {
    constexpr double wall = 0.1;  // a cave that ends beside the column
    const std::size_t c = column_at(along);
    const Run* run = nullptr;
    const auto away = [&](const Run& r) { return std::max({r.bottom - z, z - r.top, 0.0}); };
    for (const Run& r : runs_[c])
      if (run == nullptr || away(r) < away(*run)) run = &r;
    if (run == nullptr) return z;
    if (z > run->face_top || (up > wall && z > run->face_top - bevel(c, *run, &Run::top)))
      return run->face_top;
    if (z < run->face_bottom || (up < -wall && z < run->face_bottom + bevel(c, *run, &Run::bottom)))
      return run->face_bottom;
    return z;
  }

 private:
  std::size_t column_at(double along) const {
    const auto next = std::lower_bound(
        face_.columns.begin(), face_.columns.end(), along,
        [](const SawnFace::Column& column, double at) { return column.along < at; });
    const auto c = static_cast<std::size_t>(next - face_.columns.begin());
    const bool before = c > 0 && (next == face_.columns.end() ||
                                  along - face_.columns[c - 1].along < next->along - along);
    return before ? c - 1 : c;
  }

  // How far down from the top, or up from the bottom, the solid is bevelled there: by a sample, and
  // as the ground slopes. What is far above or below is a cliff, and no slope.
  double bevel(std::size_t c, const Run& run, double Run::*end) const {
    double rise = 0;
    const auto on_face = [&](const Run& r) {
      return end == &Run::top ? r.face_top : r.face_bottom;
    };
    for (std::size_t n = c > 0 ? c - 1 : c; n < std::min(c + 2, runs_.size()); ++n)
      for (const Run& r : runs_[n])
        if (std::abs(on_face(r) - on_face(run)) <= reach_of(face_))
          rise =
              std::max({rise, std::abs(on_face(r) - on_face(run)), std::abs(r.*end - on_face(r))});
    return cell_z_ + 2 * rise;
  }

  const SawnFace& face_;
  double cell_z_;
  std::vector<std::vector<Run>> runs_;
};

void sharpen_rims(Mesh& mesh, const std::vector<std::uint8_t>& on, const SawnFace& face,
                  unsigned bit, const Rims& rims) {
  std::vector<double> up(on.size()), count(on.size());
  each_beside(mesh, on, [&](std::uint32_t own, std::uint32_t other) {
    up[own] += number(mesh.normals[other][2]);
    ++count[own];
  });
  for (std::size_t v = 0; v < on.size(); ++v) {
    if ((on[v] & bit) == 0) continue;
    Mesh::Vector& p = mesh.positions[v];
    const double along = face.along(number(p[0]), number(p[1]));
    p[2] = static_cast<float>(rims.height(along, number(p[2]), up[v] / std::max(count[v], 1.0)));
  }
}

// Beside a face that is aslant, as far as a column is from the next, the normals of a solid lean
// over its rim: there they are those of the ground's own triangles.
void right_normals(Mesh& mesh, const std::vector<std::uint8_t>& on, unsigned aslant) {
  std::vector<char> first(on.size()), beside_one(on.size());
  each_beside(mesh, on, [&](std::uint32_t own, std::uint32_t other) {
    if ((on[own] & aslant) != 0) first[other] = 1;
  });
  for (const Mesh::Triangle& t : mesh.triangles)
    for (const std::uint32_t corner : t)
      if (on[corner] == 0 && (first[t[0]] != 0 || first[t[1]] != 0 || first[t[2]] != 0))
        beside_one[corner] = 1;
  std::vector<std::array<double, 3>> sums(on.size());
  for (const Mesh::Triangle& t : mesh.triangles) {
    if (beside_one[t[0]] == 0 && beside_one[t[1]] == 0 && beside_one[t[2]] == 0) continue;
    std::array<double, 3> a{}, b{};
    for (std::size_t c = 0; c < 3; ++c) {
      a[c] = number(mesh.positions[t[1]][c]) - number(mesh.positions[t[0]][c]);
      b[c] = number(mesh.positions[t[2]][c]) - number(mesh.positions[t[0]][c]);
    }
    for (std::size_t c = 0; c < 3; ++c) {
      const double part = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
      for (const std::uint32_t corner : t) sums[corner][c] += part;
    }
  }
  for (std::size_t v = 0; v < sums.size(); ++v) {
    const double length = std::hypot(sums[v][0], sums[v][1], sums[v][2]);
    if (beside_one[v] == 0 || length == 0) continue;
    for (std::size_t c = 0; c < 3; ++c)
      mesh.normals[v][c] = static_cast<float>(sums[v][c] / length);
  }
}

}  // namespace

std::vector<std::uint8_t> faces_at(const Mesh& mesh, const std::vector<SawnFace>& faces) {
  std::vector<std::uint8_t> on(mesh.positions.size());
  for (std::size_t v = 0; v < on.size(); ++v)
    for (std::size_t f = 0; f < faces.size(); ++f)
      if (std::abs(faces[f].off(number(mesh.positions[v][0]), number(mesh.positions[v][1]))) <
          faces[f].slack())
        on[v] |= static_cast<std::uint8_t>(1U << f);
  return on;
}

void sharpen_edges(Mesh& mesh, const std::vector<SawnFace>& faces, const LayerShape& shape,
                   double cell_z) {
  const std::vector<std::uint8_t> on = faces_at(mesh, faces);
  unsigned aslant = 0;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    if (!faces[f].aslant) continue;
    aslant |= 1U << f;
    sharpen_rims(mesh, on, faces[f], 1U << f, Rims(faces[f], shape, cell_z));
  }
  for (std::size_t v = 0; v < on.size(); ++v) {
    Mesh::Vector& p = mesh.positions[v];
    for (std::size_t f = 0; f < faces.size(); ++f) {
      const SawnFace& face = faces[f];
      const double x = number(p[0]), y = number(p[1]), along = face.along(x, y);
      const auto move_to = [&](double to_x, double to_y) {
        p[0] = static_cast<float>(to_x), p[1] = static_cast<float>(to_y);
      };
      if (!face.aslant && (on[v] & aslant) == 0) {
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
  if (aslant != 0) right_normals(mesh, on, aslant);
}

render::Sawn saw(Mesh& mesh, const SolidFaces& solid, const LayerShape& shape) {
  const std::vector<SawnFace>& faces = solid.all;
  render::Sawn sawn;
  sawn.bottom = shape.datum;
  for (const SawnFace& face : faces) add_columns(sawn, face, shape);
  sawn.columns.push_back({0, static_cast<std::uint32_t>(sawn.parts.size())});
  std::vector<std::uint8_t> on = faces_at(mesh, faces);
  std::fill(on.begin() + static_cast<std::ptrdiff_t>(solid.vertices), on.end(), std::uint8_t{0});
  level_rims(mesh, on);
  sawn.of_vertex.assign(mesh.positions.size(), 0);
  // Of each vertex, the one that stands for it on each face.
  std::vector<std::vector<std::uint32_t>> copies(
      faces.size(), std::vector<std::uint32_t>(mesh.positions.size(), none));
  for (Mesh::Triangle& t : mesh.triangles) {
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
