// The table of cases, checked against what it must be and not against how it is made.
#include "surface/march/cases.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "kernel/surface/border_cells.h"
#include "surface/blocks/block_fields.h"
#include "surface/march/packed_cases.h"
#include "surface/mesh/mesh_overlap.h"

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

// Wherever the surface cuts the edges of a cell, its triangles do not cross.
TEST(Cases, TrianglesOfACellDoNotCross) {
  for (int cell = 0; cell < 256; ++cell) {
    const auto& c = cube_cases[static_cast<std::size_t>(cell)];
    for (int n = 0; n < 200; ++n) {
      Mesh mesh;
      for (int edge = 0; edge < 12; ++edge) {
        const double random = block_fields::noise(7, cell, edge, n);
        // Near the ends more often than not.
        const auto t = static_cast<float>(n % 2 == 0 ? random : random * random * random);
        Mesh::Vector at{};
        for (std::size_t d = 0; d < 3; ++d) at[d] = static_cast<float>(low_corner(edge) >> d & 1);
        at[static_cast<std::size_t>(edge >> 2)] = 0.01F + 0.98F * (n % 4 < 2 ? t : 1 - t);
        mesh.positions.push_back(at);
        mesh.normals.push_back({0, 0, 1});
      }
      for (std::size_t k = 0; k < static_cast<std::size_t>(c.triangles); ++k)
        mesh.triangles.push_back({c.corners[3 * k], c.corners[3 * k + 1], c.corners[3 * k + 2]});
      const MeshOverlap overlap = find_overlap(mesh, 1e-6);
      ASSERT_TRUE(overlap.none()) << cell << ": " << overlap.summary();
    }
  }
}

// ---- faces towards finer blocks

// Against the finer cells behind it, whose faces z = 1 it has, with i along x and j along y.
TEST(FinerFaces, EveryCaseClosesAgainstTheCellsBehind) {
  for (int cell = 0; cell < 512; ++cell) {
    const auto& next = face_cases[static_cast<std::size_t>(cell)].next;
    std::size_t segments = 0, found = 0;
    for (const int end : next) segments += end >= 0 ? 1 : 0;
    for (int part = 0; part < 4; ++part) {
      const int i0 = part & 1, j0 = part >> 1;
      int corners = 0;
      for (int k = 0; k < 4; ++k)
        if (inside(cell, i0 + (k & 1) + 3 * (j0 + (k >> 1)))) corners |= 1 << (k + 4);
      std::set<Segment> expected, ours;
      for (const auto& [a, b] : rim(cube_cases[static_cast<std::size_t>(corners)])) {
        if (!on_side(a, 2, 1) || !on_side(b, 2, 1)) continue;
        const auto named = [&](int edge) {
          const int u = edge & 1;  // along y for edges along x, along x for those along y
          return edge >> 2 == 0 ? i0 + 2 * (j0 + u) : 6 + (i0 + u) + 3 * j0;
        };
        expected.insert({named(b), named(a)});
      }
      const auto& face = finer_face.face[static_cast<std::size_t>(part)];
      for (int e = 0; e < 12; ++e) {
        const int end = next[static_cast<std::size_t>(e)];
        if (end >= 0 && finer_face.on_face(e, face) && finer_face.on_face(end, face))
          ours.insert({e, end});
      }
      EXPECT_EQ(ours, expected) << cell << " part " << part;
      found += ours.size();
    }
    EXPECT_EQ(found, segments) << cell;
  }
}

// ---- cells with such faces

BorderCell random_cell(int n, int finer) {
  BorderCell c{{{0, 0, 0}}, finer, 0, 0, 0};
  for (int k = 0; k < 27; ++k) {
    const Place p{{k % 3, k / 3 % 3, k / 9}};
    bool known = p.at[0] != 1 && p.at[1] != 1 && p.at[2] != 1;
    for (int face = 0; face < 6; ++face)
      known = known || ((finer >> face & 1) != 0 && p.at[face >> 1] == 2 * (face & 1));
    if (!known) continue;
    c.known |= 1U << k;
    if (block_fields::noise(static_cast<uint>(n), k, finer, 1) < 0.5) c.inside |= 1U << k;
  }
  return c;
}

// Is an edge, of half the cell's length or of the whole, cut?
bool is_cut(const BorderCell& c, int edge) {
  const Place from = edge_place(edge);
  Place to = from;
  const int axis = edge / 18;
  ++to.at[axis];
  const auto known = [&](const Place& p) { return (c.known >> place_number(p) & 1U) != 0; };
  bool whole = from.at[axis] == 0 && !known(to);
  for (int d = 0; d < 3; ++d) whole = whole && from.at[d] != 1;
  if (whole) ++to.at[axis];
  return known(from) && known(to) && place_inside(c, from) != place_inside(c, to);
}

// Each cut edge starts one segment and ends one, so the segments are closed loops.
TEST(BorderCells, SegmentsAreClosedLoopsOverTheCutEdges) {
  for (int finer = 1; finer < 64; ++finer)
    for (int n = 0; n < 300; ++n) {
      const BorderCell c = random_cell(n, finer);
      std::array<EdgeNumber, BORDER_EDGES> next{}, loop{};
      follow_faces(c, packed_cases().data(), next.data());
      std::set<int> ends;
      uint cut = 0;
      for (int e = 0; e < BORDER_EDGES; ++e) {
        ASSERT_EQ(next[static_cast<std::size_t>(e)] != NO_EDGE, is_cut(c, e)) << finer << " " << n;
        if (!is_cut(c, e)) continue;
        ++cut;
        ends.insert(next[static_cast<std::size_t>(e)]);
      }
      ASSERT_EQ(ends.size(), cut) << finer << " " << n;
      for (int e = 0; e < BORDER_EDGES; ++e)
        if (next[static_cast<std::size_t>(e)] != NO_EDGE) {
          ASSERT_GE(take_loop(next.data(), e, loop.data()), 3) << finer << " " << n;
        }
    }
}

BorderPatch patch_of(const BorderCell& c) {
  BorderPatch patch{};
  border_patch(c, packed_cases().data(), &patch);
  return patch;
}

// What is open of a cell's triangles are the segments on its faces, and inner vertices are used.
TEST(BorderCells, TrianglesSpanTheSegmentsAndNothingElse) {
  for (int finer = 1; finer < 64; ++finer)
    for (int n = 0; n < 300; ++n) {
      BorderCell c = random_cell(n, finer);
      c.middle = n & 1;
      if (!is_passed(c)) continue;
      const BorderPatch patch = patch_of(c);
      std::map<Segment, int> directed;
      uint used = 0;
      for (int t = 0; t < patch.count; ++t)
        for (int k = 0; k < 3; ++k) {
          const int a = patch.corner[3 * t + k], b = patch.corner[3 * t + (k + 1) % 3];
          ++directed[{a, b}];
          if (a >= INNER_VERTEX) used |= 1U << (a - INNER_VERTEX);
        }
      ASSERT_EQ(used, patch.inner) << finer << " " << n;
      std::set<Segment> open, segments;
      for (const auto& [edge, count] : directed) {
        ASSERT_EQ(count, 1) << finer << " " << n;
        if (directed.count({edge.second, edge.first}) == 0) open.insert(edge);
      }
      std::array<EdgeNumber, BORDER_EDGES> next{};
      follow_faces(c, packed_cases().data(), next.data());
      for (int e = 0; e < BORDER_EDGES; ++e)
        if (next[static_cast<std::size_t>(e)] != NO_EDGE)
          segments.insert({e, next[static_cast<std::size_t>(e)]});
      ASSERT_EQ(open, segments) << finer << " " << n;
    }
}

// The places of a cell's vertices, anywhere on their edges; of the one that a loop is joined to,
// anywhere in the cell.
Mesh placed(const BorderCell& c, const BorderPatch& patch, int n) {
  Mesh mesh;
  for (int v = 0; v < INNER_VERTEX + 27; ++v) {
    const double random = block_fields::noise(8, v, c.finer, n), cubed = random * random * random;
    const double t = 0.01 + 0.98 * (n % 4 == 0 ? random : n % 4 == 1 ? cubed : 1 - cubed);
    const int place = v - INNER_VERTEX;
    const Place from =
        v < INNER_VERTEX ? edge_place(v) : Place{{place % 3, place / 3 % 3, place / 9}};
    Mesh::Vector at{};
    for (std::size_t d = 0; d < 3; ++d) {
      const int low = from.at[d];
      double towards = v < INNER_VERTEX ? low : 1;
      if (v < INNER_VERTEX && static_cast<int>(d) == v / 18) {
        Place middle = from;
        middle.at[d] = 1;
        towards = (c.known >> place_number(middle) & 1U) != 0 ? low + 1 : low + 2;
      }
      at[d] = static_cast<float>(low + t * (towards - low));
      if (place == MIDDLE_PLACE)
        at[d] =
            static_cast<float>(0.1 + 1.8 * block_fields::noise(9, static_cast<int>(d), c.finer, n));
    }
    mesh.positions.push_back(at);
    mesh.normals.push_back({0, 0, 1});
  }
  for (int t = 0; t < patch.count; ++t)
    mesh.triangles.push_back(
        {patch.corner[3 * t], patch.corner[3 * t + 1], patch.corner[3 * t + 2]});
  return mesh;
}

// Wherever the surface cuts the edges of a cell, with any of its faces finer.
TEST(BorderCells, TrianglesDoNotCross) {
  std::size_t several = 0;
  for (int finer = 1; finer < 64; ++finer)
    for (int n = 0; n < 60; ++n) {
      BorderCell c = random_cell(n, finer);
      c.middle = n & 1;
      if (!is_passed(c)) continue;
      const BorderPatch patch = patch_of(c);
      several += patch.inner != 0 && patch.inner != 1U << MIDDLE_PLACE ? 1 : 0;
      const MeshOverlap overlap = find_overlap(placed(c, patch, n), 1e-6);
      ASSERT_TRUE(overlap.none()) << finer << " " << n << ": " << overlap.summary();
    }
  EXPECT_GT(several, 1000U);
}

}  // namespace
}  // namespace scree::surface
