// The cases of Marching Cubes, worked out by the compiler.
//
// A cell has eight corners, inside or outside. On each of its faces the surface leaves segments
// between cut edges; followed from face to face they close to loops, which are cut into triangles.
// On a face with two inside corners across from each other the segments keep these apart. That
// depends on the face alone, so the cell on its other side has the same segments, the other way
// round: surfaces are closed whatever the field.
#pragma once

#include <array>
#include <cstdint>

namespace scree::surface {

// Corner c lies at x = c & 1, y = c >> 1 & 1, z = c >> 2 & 1. Edge e is 4 * axis + u + 2 * v
// (kernel/march.h).
struct CellCase {
  int loops = 0;
  int triangles = 0;
  std::array<std::uint8_t, 15> corners{};  // three edges a triangle, counter-clockwise from outside
};

namespace cases_detail {

constexpr int edge_between(int a, int b) {
  const int axis = (a ^ b) == 1 ? 0 : (a ^ b) == 2 ? 1 : 2;
  const int low = a < b ? a : b;
  const int u = axis == 0 ? low >> 1 & 1 : low & 1;
  const int v = axis == 2 ? low >> 1 & 1 : low >> 2 & 1;
  return 4 * axis + u + 2 * v;
}

// A cell's faces: 2 * axis + side. The k-th corner of a face, counter-clockwise from outside.
constexpr int face_corner(int face, int k) {
  const int axis = face >> 1, side = face & 1;
  const int turn = side ? k : (4 - k) % 4;
  const int first = turn == 1 || turn == 2, second = turn == 2 || turn == 3;
  const int one = (axis + 1) % 3, two = (axis + 2) % 3;
  return side << axis | first << one | second << two;
}

constexpr bool on_face(int edge, int face) {
  const int axis = edge >> 2, across = face >> 1, side = face & 1;
  if (axis == across) return false;
  const int u = edge & 1, v = edge >> 1 & 1;
  const int place = axis == 0   ? (across == 1 ? u : v)
                    : axis == 1 ? (across == 0 ? u : v)
                                : (across == 0 ? u : v);
  return place == side;
}

constexpr bool share_face(int a, int b) {
  for (int face = 0; face < 6; ++face)
    if (on_face(a, face) && on_face(b, face)) return true;
  return false;
}

// Where the segment that starts at a cut edge ends; -1 at edges that are not cut. Going round a
// face from outside, a segment starts where it gets inside and ends where it next gets out.
constexpr std::array<int, 12> segments(int inside) {
  std::array<int, 12> next{};
  for (int& n : next) n = -1;
  const auto in = [&](int corner) { return (inside >> corner & 1) != 0; };
  for (int face = 0; face < 6; ++face)
    for (int k = 0; k < 4; ++k) {
      const int from = face_corner(face, k), to = face_corner(face, (k + 1) % 4);
      if (in(from) || !in(to)) continue;
      int last = k + 1;
      while (in(face_corner(face, (last + 1) % 4))) ++last;
      next[static_cast<std::size_t>(edge_between(from, to))] =
          edge_between(face_corner(face, last % 4), face_corner(face, (last + 1) % 4));
    }
  return next;
}

struct Loop {
  std::array<int, 12> edges{};
  int length = 0;
};

// Cuts the part of a loop from i to j into triangles. A cut between two vertices on one face would
// lie in that face, where the neighbour's triangles may have it too: such cuts are not taken.
constexpr bool cut(const Loop& loop, int i, int j, CellCase& out) {
  if (j == i + 1) return true;
  const auto edge = [&](int k) { return loop.edges[static_cast<std::size_t>(k)]; };
  for (int k = i + 1; k < j; ++k) {
    if (k > i + 1 && share_face(edge(i), edge(k))) continue;
    if (k < j - 1 && share_face(edge(k), edge(j))) continue;
    const CellCase before = out;
    if (out.triangles < 5) {
      const auto at = static_cast<std::size_t>(3 * out.triangles);
      out.corners[at] = static_cast<std::uint8_t>(edge(i));
      out.corners[at + 1] = static_cast<std::uint8_t>(edge(k));
      out.corners[at + 2] = static_cast<std::uint8_t>(edge(j));
      ++out.triangles;
      if (cut(loop, i, k, out) && cut(loop, k, j, out)) return true;
    }
    out = before;
  }
  return false;
}

constexpr CellCase cell_case(int inside) {
  const std::array<int, 12> next = segments(inside);
  std::array<bool, 12> used{};
  CellCase out;
  for (int start = 0; start < 12; ++start) {
    if (next[static_cast<std::size_t>(start)] < 0 || used[static_cast<std::size_t>(start)])
      continue;
    Loop loop;
    for (int e = start; !used[static_cast<std::size_t>(e)]; e = next[static_cast<std::size_t>(e)]) {
      used[static_cast<std::size_t>(e)] = true;
      loop.edges[static_cast<std::size_t>(loop.length++)] = e;
    }
    ++out.loops;
    if (!cut(loop, 0, loop.length - 1, out)) return {-1, -1, {}};
  }
  return out;
}

constexpr std::array<CellCase, 256> all_cases() {
  std::array<CellCase, 256> cases{};
  for (int inside = 0; inside < 256; ++inside)
    cases[static_cast<std::size_t>(inside)] = cell_case(inside);
  return cases;
}

}  // namespace cases_detail

inline constexpr std::array<CellCase, 256> cell_cases = cases_detail::all_cases();

}  // namespace scree::surface
