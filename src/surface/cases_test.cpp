// The table of cases, checked against what it must be and not against how it is made.
#include "surface/cases.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

namespace scree::surface {
namespace {

using Segment = std::pair<int, int>;

bool inside(int cell, int corner) { return (cell >> corner & 1) != 0; }
int low_corner(int edge) {
  const int axis = edge >> 2, u = edge & 1, v = edge >> 1 & 1;
  return axis == 0 ? u << 1 | v << 2 : axis == 1 ? u | v << 2 : u | v << 1;
}
int high_corner(int edge) { return low_corner(edge) | 1 << (edge >> 2); }
bool on_side(int edge, int axis, int side) {
  return (low_corner(edge) >> axis & 1) == side && (high_corner(edge) >> axis & 1) == side;
}

// The triangles' edges that no other triangle of the cell has the other way round.
template <class Case>
std::set<Segment> rim(const Case& cell) {
  std::map<Segment, int> directed;
  for (int t = 0; t < cell.triangles; ++t)
    for (int k = 0; k < 3; ++k) {
      const auto at = [&](int i) {
        return static_cast<int>(cell.corners[static_cast<std::size_t>(3 * t + i % 3)]);
      };
      ++directed[{at(k), at(k + 1)}];
    }
  std::set<Segment> rim;
  for (const auto& [edge, count] : directed) {
    EXPECT_EQ(count, 1);
    if (directed.count({edge.second, edge.first}) == 0) rim.insert(edge);
  }
  return rim;
}

TEST(Cases, TrianglesUseTheCutEdgesAndNoOthers) {
  for (int cell = 0; cell < 256; ++cell) {
    std::set<int> cut, used;
    for (int edge = 0; edge < 12; ++edge)
      if (inside(cell, low_corner(edge)) != inside(cell, high_corner(edge))) cut.insert(edge);
    const auto& c = cube_cases[static_cast<std::size_t>(cell)];
    for (int k = 0; k < 3 * c.triangles; ++k) used.insert(c.corners[static_cast<std::size_t>(k)]);
    EXPECT_EQ(used, cut) << cell;
    EXPECT_EQ(c.triangles, static_cast<int>(cut.size()) - 2 * c.loops) << cell;
  }
}

// All that is open of a cell's triangles lies on its faces.
TEST(Cases, RimsLieOnFaces) {
  for (int cell = 0; cell < 256; ++cell)
    for (const auto& [a, b] : rim(cube_cases[static_cast<std::size_t>(cell)])) {
      int faces = 0;
      for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side)
          faces += on_side(a, axis, side) && on_side(b, axis, side) ? 1 : 0;
      EXPECT_EQ(faces, 1) << cell;
    }
}

// Every case closes against every case that can be its neighbour, along every axis.
TEST(Cases, EveryCaseClosesAgainstEveryNeighbour) {
  std::array<std::set<Segment>, 256> rims;
  for (std::size_t cell = 0; cell < 256; ++cell) rims[cell] = rim(cube_cases[cell]);
  int pairs = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (int near = 0; near < 256; ++near)
      for (int far = 0; far < 256; ++far) {
        bool fits = true;
        for (int corner = 0; corner < 8; ++corner)
          if ((corner >> axis & 1) != 0)
            fits = fits && inside(near, corner) == inside(far, corner & ~(1 << axis));
        if (!fits) continue;
        ++pairs;
        std::set<Segment> ours, theirs;
        const auto moved = [&](int edge) {  // an edge of the far cell, as the near one names it
          for (int e = 0; e < 12; ++e)
            if (e >> 2 == edge >> 2 && low_corner(e) == (low_corner(edge) | 1 << axis)) return e;
          return -1;
        };
        for (const auto& [a, b] : rims[static_cast<std::size_t>(near)])
          if (on_side(a, axis, 1) && on_side(b, axis, 1)) ours.insert({a, b});
        for (const auto& [a, b] : rims[static_cast<std::size_t>(far)])
          if (on_side(a, axis, 0) && on_side(b, axis, 0)) theirs.insert({moved(b), moved(a)});
        ASSERT_EQ(ours, theirs) << near << " and " << far << " along axis " << axis;
      }
  EXPECT_EQ(pairs, 3 * 256 * 16);
}

// One corner inside: the triangle faces away from it.
TEST(Cases, TrianglesFaceOutwards) {
  for (int corner = 0; corner < 8; ++corner) {
    const auto& c = cube_cases[static_cast<std::size_t>(1 << corner)];
    ASSERT_EQ(c.triangles, 1);
    std::array<std::array<double, 3>, 3> at{};
    for (std::size_t k = 0; k < 3; ++k)
      for (int axis = 0; axis < 3; ++axis)
        at[k][static_cast<std::size_t>(axis)] =
            ((low_corner(c.corners[k]) >> axis & 1) + (high_corner(c.corners[k]) >> axis & 1)) /
            2.0;
    std::array<double, 3> a{}, b{};
    for (std::size_t i = 0; i < 3; ++i) a[i] = at[1][i] - at[0][i], b[i] = at[2][i] - at[0][i];
    const std::array<double, 3> n{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                  a[0] * b[1] - a[1] * b[0]};
    double towards = 0;
    for (std::size_t i = 0; i < 3; ++i) towards += n[i] * ((corner >> i & 1) - at[0][i]);
    EXPECT_LT(towards, 0) << corner;
  }
}

// ---- transition cells

bool between_samples(int edge, bool (*in)(int sample, int cell), int cell) {
  const auto& e = transition.edge[static_cast<std::size_t>(edge)];
  return in(transition.sample[static_cast<std::size_t>(e.a)], cell) !=
         in(transition.sample[static_cast<std::size_t>(e.b)], cell);
}
bool sample_inside(int sample, int cell) { return (cell >> sample & 1) != 0; }

std::set<Segment> on_transition_face(const std::set<Segment>& rim, int face) {
  std::set<Segment> found;
  const auto& f = transition.face[static_cast<std::size_t>(face)];
  for (const auto& [a, b] : rim)
    if (transition.on_face(a, f) && transition.on_face(b, f)) found.insert({a, b});
  return found;
}

TEST(Transitions, TrianglesUseTheCutEdgesAndRimsLieOnFaces) {
  for (int cell = 0; cell < 512; ++cell) {
    const auto& c = transition_cases[static_cast<std::size_t>(cell)];
    std::set<int> cut, used;
    for (int edge = 0; edge < 16; ++edge)
      if (between_samples(edge, sample_inside, cell)) cut.insert(edge);
    for (int k = 0; k < 3 * c.triangles; ++k) used.insert(c.corners[static_cast<std::size_t>(k)]);
    EXPECT_EQ(used, cut) << cell;
    EXPECT_EQ(c.triangles, static_cast<int>(cut.size()) - 2 * c.loops) << cell;
    std::size_t on_faces = 0;
    const std::set<Segment> all = rim(c);
    for (int face = 0; face < 9; ++face) on_faces += on_transition_face(all, face).size();
    EXPECT_EQ(on_faces, all.size()) << cell;
  }
}

// Beside another transition cell, along i and along j.
TEST(Transitions, EveryCaseClosesAgainstEveryNeighbour) {
  for (int along = 0; along < 2; ++along)
    for (int near = 0; near < 512; ++near)
      for (int far = 0; far < 512; ++far) {
        const auto sample = [&](int side, int k) {
          return along == 0 ? 2 * side + 3 * k : k + 6 * side;
        };
        bool fits = true;
        for (int k = 0; k < 3; ++k)
          fits = fits && sample_inside(sample(1, k), near) == sample_inside(sample(0, k), far);
        if (!fits) continue;
        const auto moved = [&](int edge) {  // an edge of the far cell, as the near one names it
          if (along == 0) return edge < 12 ? edge + 2 : 15;
          return edge < 12 ? edge + 4 : 13;
        };
        std::set<Segment> theirs;
        for (const auto& [a, b] : on_transition_face(
                 rim(transition_cases[static_cast<std::size_t>(far)]), along == 0 ? 7 : 5))
          theirs.insert({moved(b), moved(a)});
        ASSERT_EQ(on_transition_face(rim(transition_cases[static_cast<std::size_t>(near)]),
                                     along == 0 ? 8 : 6),
                  theirs)
            << near << " and " << far << " along " << along;
      }
}

// Against the cells of Marching Cubes on either side: the finer one's face z = 1, the coarser one's
// face z = 0, with i along x and j along y.
TEST(Transitions, EveryCaseClosesAgainstCells) {
  for (int cell = 0; cell < 512; ++cell) {
    const std::set<Segment> ours = rim(transition_cases[static_cast<std::size_t>(cell)]);
    for (int face = 0; face < 5; ++face) {
      const int i0 = face == 4 ? 0 : face & 1, j0 = face == 4 ? 0 : face >> 1;
      const int reach = face == 4 ? 2 : 1, z = face == 4 ? 0 : 1;
      int corners = 0;
      for (int k = 0; k < 4; ++k) {
        const int at = i0 + (k & 1) * reach + 3 * (j0 + (k >> 1) * reach);
        corners |= (sample_inside(at, cell) ? 1 : 0) << (k + 4 * z);
      }
      std::set<Segment> expected;
      for (const auto& [a, b] : rim(cube_cases[static_cast<std::size_t>(corners)])) {
        if (!on_side(a, 2, z) || !on_side(b, 2, z)) continue;
        const auto named = [&](int edge) {
          const int u = edge & 1;  // along y for edges along x, along x for those along y
          if (face == 4) return (edge >> 2 == 0 ? 12 : 14) + u;
          return edge >> 2 == 0 ? i0 + 2 * (j0 + u) : 6 + (i0 + u) + 3 * j0;
        };
        expected.insert({named(b), named(a)});
      }
      EXPECT_EQ(on_transition_face(ours, face), expected) << cell << " face " << face;
    }
  }
}

}  // namespace
}  // namespace scree::surface
