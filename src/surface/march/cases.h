// The cases of Marching Cubes and of Transvoxel's finer faces, worked out by the compiler.
//
// A cell's corners are inside or outside. On each of its faces the surface leaves segments between
// cut edges; followed from face to face they close to loops, which are cut into triangles. On a
// face with two inside corners across from each other the segments keep these apart. That depends
// on the face alone, so the cell on its other side has the same segments, the other way round:
// surfaces are closed whatever the field.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace scree::surface {

// Triangles as three cut edges each, counter-clockwise from outside.
template <std::size_t most>
struct CellCase {
  int loops = 0;
  int triangles = 0;
  std::array<std::uint8_t, 3 * most> corners{};
};

// A cell with flat faces: edges as pairs of vertices, and faces as vertices counter-clockwise from
// outside. Several vertices may stand for one sample.
template <std::size_t vertex_count, std::size_t edge_count, std::size_t face_count>
struct CellShape {
  static constexpr std::size_t edges = edge_count;
  struct Edge {
    int a = 0, b = 0;
  };
  struct Face {
    int corners = 0;
    std::array<int, 5> corner{};
  };
  std::array<int, vertex_count> sample{};
  std::array<Edge, edge_count> edge{};
  std::array<Face, face_count> face{};

  // What follows from these, by finish(): looked up often, while compilers count their steps.
  std::array<std::array<std::int8_t, vertex_count>, vertex_count> between{};
  std::array<std::array<bool, edge_count>, edge_count> shared{};

  constexpr void finish() {
    for (auto& row : between) row.fill(-1);
    for (std::size_t e = 0; e < edge_count; ++e) {
      const auto a = static_cast<std::size_t>(edge[e].a), b = static_cast<std::size_t>(edge[e].b);
      between[a][b] = between[b][a] = static_cast<std::int8_t>(e);
    }
    for (const Face& f : face)
      for (int k = 0; k < f.corners; ++k)
        for (int l = 0; l < f.corners; ++l) {
          const int a = edge_between(corner(f, k), corner(f, k + 1));
          const int b = edge_between(corner(f, l), corner(f, l + 1));
          if (a >= 0 && b >= 0)
            shared[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = true;
        }
  }
  constexpr int edge_between(int a, int b) const {
    return between[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
  }
  constexpr bool on_face(int e, const Face& f) const {
    for (int k = 0; k < f.corners; ++k)
      if (edge_between(corner(f, k), corner(f, k + 1)) == e) return true;
    return false;
  }
  constexpr bool share_face(int a, int b) const {
    return shared[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
  }
  static constexpr int corner(const Face& f, int k) {
    return f.corner[static_cast<std::size_t>(k % f.corners)];
  }
};

namespace cases_detail {

template <class Shape>
struct Loop {
  std::array<int, Shape::edges> edge{};
  int length = 0;
};

// Where the segment that starts at a cut edge ends; -1 at edges that are not cut. Going round a
// face from outside, a segment starts where it gets inside and ends where it next gets out.
template <class Shape>
constexpr std::array<int, Shape::edges> segments(const Shape& shape, int inside) {
  std::array<int, Shape::edges> next{};
  for (int& n : next) n = -1;
  for (const auto& face : shape.face) {
    const auto in = [&](int k) {
      const int vertex = Shape::corner(face, k);
      return (inside >> shape.sample[static_cast<std::size_t>(vertex)] & 1) != 0;
    };
    const auto between = [&](int k) {
      return shape.edge_between(Shape::corner(face, k), Shape::corner(face, k + 1));
    };
    for (int k = 0; k < face.corners; ++k) {
      if (in(k) || !in(k + 1)) continue;
      int last = k + 1;
      while (in(last + 1)) ++last;
      next[static_cast<std::size_t>(between(k))] = between(last);
    }
  }
  return next;
}

// Cuts the part of a loop from i to j into triangles. A cut between two vertices on one face would
// lie in that face, where the neighbour's triangles may have it too: such cuts are not taken.
template <class Shape, std::size_t most>
constexpr bool cut(const Shape& shape, const Loop<Shape>& loop, int i, int j, CellCase<most>& out) {
  if (j == i + 1) return true;
  const auto edge = [&](int k) { return loop.edge[static_cast<std::size_t>(k)]; };
  for (int k = i + 1; k < j; ++k) {
    if (k > i + 1 && shape.share_face(edge(i), edge(k))) continue;
    if (k < j - 1 && shape.share_face(edge(k), edge(j))) continue;
    if (out.triangles == static_cast<int>(most)) return false;
    const CellCase<most> before = out;
    const auto at = static_cast<std::size_t>(3 * out.triangles++);
    out.corners[at] = static_cast<std::uint8_t>(edge(i));
    out.corners[at + 1] = static_cast<std::uint8_t>(edge(k));
    out.corners[at + 2] = static_cast<std::uint8_t>(edge(j));
    if (cut(shape, loop, i, k, out) && cut(shape, loop, k, j, out)) return true;
    out = before;
  }
  return false;
}

// A loop such that cut() makes a fan of it, from an edge from which every cut is allowed, if any.
template <class Shape>
constexpr Loop<Shape> ending_at_fan_centre(const Shape& shape, const Loop<Shape>& loop) {
  Loop<Shape> turned = loop;
  for (int turn = 0; turn < loop.length; ++turn) {
    for (int k = 0; k < loop.length; ++k)
      turned.edge[static_cast<std::size_t>(k)] =
          loop.edge[static_cast<std::size_t>((k + turn) % loop.length)];
    const int centre = turned.edge[static_cast<std::size_t>(loop.length - 1)];
    bool fits = true;
    for (int k = 1; k < loop.length - 2; ++k)
      fits = fits && !shape.share_face(turned.edge[static_cast<std::size_t>(k)], centre);
    if (fits) return turned;
  }
  return loop;
}

template <std::size_t most, class Shape>
constexpr CellCase<most> cell_case(const Shape& shape, int inside) {
  const std::array<int, Shape::edges> next = segments(shape, inside);
  std::array<bool, Shape::edges> used{};
  CellCase<most> out;
  for (std::size_t start = 0; start < Shape::edges; ++start) {
    if (next[start] < 0 || used[start]) continue;
    Loop<Shape> loop;
    for (std::size_t e = start; !used[e]; e = static_cast<std::size_t>(next[e])) {
      used[e] = true;
      loop.edge[static_cast<std::size_t>(loop.length++)] = static_cast<int>(e);
    }
    ++out.loops;
    // Triangles of a loop of seven may cross, but not those of a fan: seen from a place on a convex
    // cell, no two others that are not on its faces lie behind each other.
    if (loop.length == 7) loop = ending_at_fan_centre(shape, loop);
    if (!cut(shape, loop, 0, loop.length - 1, out)) return {-1, -1, {}};
  }
  return out;
}

// Compilers limit the steps of one constant, so a table is made of parts, each a constant.
constexpr std::size_t part_size = 32;

template <const auto& shape, std::size_t most, std::size_t part>
inline constexpr auto part_of_cases = [] {
  std::array<CellCase<most>, part_size> cases{};
  for (std::size_t i = 0; i < part_size; ++i)
    cases[i] = cell_case<most>(shape, static_cast<int>(part * part_size + i));
  return cases;
}();

template <const auto& shape, std::size_t most, std::size_t... parts>
constexpr auto all_parts(std::index_sequence<parts...> /*parts*/) {
  std::array<CellCase<most>, part_size * sizeof...(parts)> cases{};
  const auto copy = [&](const auto& part, std::size_t first) {
    for (std::size_t i = 0; i < part_size; ++i) cases[first + i] = part[i];
  };
  (copy(part_of_cases<shape, most, parts>, part_size * parts), ...);
  return cases;
}

template <const auto& shape, std::size_t most, std::size_t count>
constexpr auto all_cases() {
  return all_parts<shape, most>(std::make_index_sequence<count / part_size>());
}

}  // namespace cases_detail

// ---- the cell of Marching Cubes ----------------------------------------------------------------

// Corner c lies at x = c & 1, y = c >> 1 & 1, z = c >> 2 & 1. Edge e is 4 * axis + u + 2 * v
// (kernel/surface/march.h). Face f is 2 * axis + side.
using CubeShape = CellShape<8, 12, 6>;
constexpr CubeShape cube_shape() {
  CubeShape s;
  for (int c = 0; c < 8; ++c) s.sample[static_cast<std::size_t>(c)] = c;
  for (int e = 0; e < 12; ++e) {
    const int axis = e >> 2, u = e & 1, v = e >> 1 & 1;
    const int low = axis == 0 ? u << 1 | v << 2 : axis == 1 ? u | v << 2 : u | v << 1;
    s.edge[static_cast<std::size_t>(e)] = {low, low | 1 << axis};
  }
  for (int f = 0; f < 6; ++f) {
    const int axis = f >> 1, side = f & 1, one = (axis + 1) % 3, two = (axis + 2) % 3;
    s.face[static_cast<std::size_t>(f)].corners = 4;
    for (int k = 0; k < 4; ++k) {
      const int turn = side ? k : (4 - k) % 4;
      const int first = turn == 1 || turn == 2, second = turn == 2 || turn == 3;
      s.face[static_cast<std::size_t>(f)].corner[static_cast<std::size_t>(k)] =
          side << axis | first << one | second << two;
    }
  }
  s.finish();
  return s;
}

inline constexpr CubeShape cube = cube_shape();
inline constexpr auto cube_cases = cases_detail::all_cases<cube, 5, 256>();

// ---- Transvoxel's face towards a finer block (Lengyel 2010) ------------------------------------

// Nine samples, i + 3 j, the corners of four faces of finer cells. Edges 0 to 5 run along i
// (i + 2 j), 6 to 11 along j (6 + i + 3 j). Seen with i to the right and j up, the coarser block
// lies in front. What the coarser cell has of the surface there is segments, as on any face; where
// they lead further depends on its other faces (kernel/surface/border_cells.h).
using FaceShape = CellShape<9, 12, 4>;
constexpr FaceShape face_shape() {
  FaceShape s;
  const auto at = [](int i, int j) { return i + 3 * j; };
  for (int v = 0; v < 9; ++v) s.sample[static_cast<std::size_t>(v)] = v;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 2; ++i) {
      s.edge[static_cast<std::size_t>(i + 2 * j)] = {at(i, j), at(i + 1, j)};
      s.edge[static_cast<std::size_t>(6 + j + 3 * i)] = {at(j, i), at(j, i + 1)};
    }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      s.face[static_cast<std::size_t>(i + 2 * j)] = {
          4, {at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)}};
  s.finish();
  return s;
}

// Where the segment that starts at an edge ends, -1 where none does.
struct FaceCase {
  std::array<int, FaceShape::edges> next{};
};
inline constexpr FaceShape finer_face = face_shape();
inline constexpr auto face_cases = [] {
  std::array<FaceCase, 512> cases{};
  for (std::size_t i = 0; i < cases.size(); ++i)
    cases[i].next = cases_detail::segments(finer_face, static_cast<int>(i));
  return cases;
}();

// ---- pieces of a coarse cell with such faces (kernel/surface/border_cells.h)
// ---------------------------

// A pyramid over corners 0 to 3, counter-clockwise from outside. Edge k leads from corner k to the
// next one, 4 + k from corner k to the tip.
using PyramidShape = CellShape<5, 8, 5>;
constexpr PyramidShape pyramid_shape() {
  PyramidShape s;
  for (int v = 0; v < 5; ++v) s.sample[static_cast<std::size_t>(v)] = v;
  for (int k = 0; k < 4; ++k) {
    const auto i = static_cast<std::size_t>(k);
    s.edge[i] = {k, (k + 1) % 4};
    s.edge[4 + i] = {k, 4};
    s.face[i] = {3, {(k + 1) % 4, k, 4}};
  }
  s.face[4] = {4, {0, 1, 2, 3}};
  s.finish();
  return s;
}

// A tetrahedron, squeezed flat: the first two and the last two of three corners in a line, 0 to 2,
// make a triangle each with the tip, 3, on one side; on the other, the first and the last do.
using GoreShape = CellShape<4, 6, 4>;
constexpr GoreShape gore_shape() {
  GoreShape s;
  for (int v = 0; v < 4; ++v) s.sample[static_cast<std::size_t>(v)] = v;
  s.edge = {{{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}};
  s.face = {{{3, {0, 2, 3}}, {3, {2, 0, 1}}, {3, {0, 3, 1}}, {3, {3, 2, 1}}}};
  s.finish();
  return s;
}

template <std::size_t most, std::size_t count, class Shape>
constexpr std::array<CellCase<most>, count> piece_cases(const Shape& shape) {
  std::array<CellCase<most>, count> cases{};
  for (std::size_t i = 0; i < count; ++i)
    cases[i] = cases_detail::cell_case<most>(shape, static_cast<int>(i));
  return cases;
}
inline constexpr PyramidShape pyramid = pyramid_shape();
inline constexpr GoreShape gore = gore_shape();
inline constexpr auto pyramid_cases = piece_cases<4, 32>(pyramid);
inline constexpr auto gore_cases = piece_cases<2, 16>(gore);

}  // namespace scree::surface
