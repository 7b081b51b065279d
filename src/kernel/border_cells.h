// The cells of a coarse block along faces behind which lies a finer one (Lengyel 2010, section 4;
// Geiger 2015, section 2.2.4), whole.
//
// Lengyel shrinks such a cell and fills the gap with transition cells; where the shrunken cells of
// several blocks meet, they cannot all stay flat, and triangles cross. Here the cell stays a cube,
// with nine samples on its finer faces instead of four: the surface's loops around it run over the
// segments of the finer cells behind those faces (512 cases each) and over those of Marching Cubes
// on the others. A loop lies on the border of a convex cell, so it can be cut into triangles within
// the cell, and cells do not overlap.
//
// A cell has places i + 3 j + 9 k, of which those at its corners and on its finer faces are
// samples. An edge is half as long as the cell: 18 axis + h + 2 (u + 3 v), from h along its axis at
// places u and v of the other two, in order; where the cell's edge is whole, h is 0.
#ifndef SCREE_KERNEL_BORDER_CELLS_H
#define SCREE_KERNEL_BORDER_CELLS_H

#include "kernel/march.h"

#define BORDER_EDGES 54
#define NO_EDGE 255
typedef unsigned char EdgeNumber;

// Words of the table of cases after those of march.h: a case of a finer face has two, a half byte
// for each of its twelve edges: where the segment that starts there ends, 15 for none.
#define FACE_CASE_WORDS 2
#define FACE_CASES (256 * MARCH_CASE_WORDS)

// Along a face's rows and across them, such that the coarser block lies in front (cases.h).
FN int face_i(int face) { return ((face >> 1) + 1 + (face & 1)) % 3; }
FN int face_j(int face) { return ((face >> 1) + 2 - (face & 1)) % 3; }

typedef struct {
  int at[3];
} Place;

typedef struct {
  Place cell;   // of its block
  int finer;    // its faces behind which lies a finer block
  uint inside;  // bits of places
  uint known;   // those that are samples
} BorderCell;

FN int place_number(IN(Place) p) { return p.at[0] + 3 * p.at[1] + 9 * p.at[2]; }
FN int other_axis(int axis, int second) { return second ? (axis == 2 ? 1 : 2) : axis == 0 ? 1 : 0; }
FN int edge_number(int axis, IN(Place) from) {
  return 18 * axis + from.at[axis] +
         2 * (from.at[other_axis(axis, 0)] + 3 * from.at[other_axis(axis, 1)]);
}
FN Place edge_place(int edge) {
  const int axis = edge / 18, rest = edge % 18;
  Place p;
  p.at[axis] = rest & 1;
  p.at[other_axis(axis, 0)] = (rest >> 1) % 3;
  p.at[other_axis(axis, 1)] = (rest >> 1) / 3;
  return p;
}
FN int place_inside(IN(BorderCell) c, IN(Place) p) {
  return (int)(c.inside >> place_number(p) & 1u);
}

// The nine samples of a finer face, i + 3 j.
FN Place face_place(int face, int i, int j) {
  Place p;
  p.at[face >> 1] = 2 * (face & 1);
  p.at[face_i(face)] = i, p.at[face_j(face)] = j;
  return p;
}
FN uint face_case(IN(BorderCell) c, int face) {
  uint found = 0u;
  for (int k = 0; k < 9; ++k) found |= (uint)place_inside(c, face_place(face, k % 3, k / 3)) << k;
  return found;
}
// An edge of a finer face (cases.h), as the cell numbers it.
FN int face_edge(int face, int e) {
  return e < 6 ? edge_number(face_i(face), face_place(face, e & 1, e >> 1))
               : edge_number(face_j(face), face_place(face, (e - 6) % 3, (e - 6) / 3));
}

FN void follow_finer_face(IN(BorderCell) c, GLOBAL const uint* table, int face, EdgeNumber* next) {
  GLOBAL const uint* found = table + FACE_CASES + FACE_CASE_WORDS * face_case(c, face);
  for (int e = 0; e < 12; ++e) {
    const int end = (int)(found[e >> 3] >> 4 * (e & 7) & 15u);
    if (end != 15) next[face_edge(face, e)] = (EdgeNumber)face_edge(face, end);
  }
}

// Segments on a face of four samples, each from where the way round it, seen from outside, gets
// inside to where it next gets out. Where one of its edges belongs to a finer face too and only its
// middle is on the other side, that middle is cut off by itself: cells around that edge that have
// no finer face do not know of it.
FN void follow_plain_face(IN(BorderCell) c, int face, EdgeNumber* next) {
  const int axis = face >> 1, side = face & 1, one = (axis + 1) % 3, two = (axis + 2) % 3;
  Place corner[4];
  int in[4], cut[4];
  for (int k = 0; k < 4; ++k) {
    const int turn = side ? k : (4 - k) % 4;
    corner[k].at[axis] = 2 * side;
    corner[k].at[one] = 2 * (turn == 1 || turn == 2);
    corner[k].at[two] = 2 * (turn == 2 || turn == 3);
    in[k] = place_inside(c, corner[k]);
  }
  for (int k = 0; k < 4; ++k) {
    const Place a = corner[k], b = corner[(k + 1) & 3];
    const int along = a.at[one] != b.at[one] ? one : two, across = along == one ? two : one;
    const int forth = b.at[along] != 0;
    Place low = a, middle = a;
    low.at[along] = 0, middle.at[along] = 1;
    const int first = edge_number(along, low), second = edge_number(along, middle);
    cut[k] = first;
    if ((c.finer >> (2 * across + (a.at[across] != 0)) & 1) == 0) continue;
    const int in_middle = place_inside(c, middle);
    if (in[k] != in[(k + 1) & 3]) {
      cut[k] = (in[k] != in_middle) == forth ? first : second;
    } else if (in_middle != in[k]) {
      const int rising = in_middle == forth;  // the first half is where it gets inside
      next[rising ? first : second] = (EdgeNumber)(rising ? second : first);
    }
  }
  for (int k = 0; k < 4; ++k) {
    if (in[k] || !in[(k + 1) & 3]) continue;
    int last = (k + 1) & 3;
    while (in[(last + 1) & 3]) last = (last + 1) & 3;
    next[cut[k]] = (EdgeNumber)cut[last];
  }
}

// Where the segment that starts at each edge ends. Each cut edge starts one.
FN void follow_faces(IN(BorderCell) c, GLOBAL const uint* table, EdgeNumber* next) {
  for (int e = 0; e < BORDER_EDGES; ++e) next[e] = NO_EDGE;
  for (int face = 0; face < 6; ++face) {
    if ((c.finer >> face & 1) != 0)
      follow_finer_face(c, table, face, next);
    else
      follow_plain_face(c, face, next);
  }
}

// Takes the loop through an edge out of the segments: its length.
FN int take_loop(EdgeNumber* next, int edge, EdgeNumber* loop) {
  int length = 0;
  while (next[edge] != NO_EDGE) {
    const int after = next[edge];
    next[edge] = NO_EDGE;
    loop[length++] = (EdgeNumber)edge;
    edge = after;
  }
  return length;
}

FN int is_passed(IN(BorderCell) c) { return c.inside != 0u && c.inside != c.known; }
FN uint border_triangles(IN(BorderCell) c, GLOBAL const uint* table) {
  if (!is_passed(c)) return 0u;
  EdgeNumber next[BORDER_EDGES], loop[BORDER_EDGES];
  follow_faces(c, table, next);
  uint triangles = 0u;
  for (int e = 0; e < BORDER_EDGES; ++e)
    if (next[e] != NO_EDGE) triangles += (uint)(take_loop(next, e, loop) - 2);
  return triangles;
}

// ---- cutting a loop into triangles --------------------------------------------------------------

// Where an edge lies, one bit each, such that a cut between two edges with a common bit is not
// allowed: the cell behind may have it too. Bits 0 to 2 are faces that the cell before, along each
// axis, has in common with this one and may cut; nothing else cuts in finer faces. Bits 3 on are
// the cell's own edges, of which cells around know both halves: where both faces are finer, two
// cells at most, of which one may.
FN uint bounds_of(IN(BorderCell) c, int edge) {
  const int axis = edge / 18, one = other_axis(axis, 0), two = other_axis(axis, 1);
  const Place from = edge_place(edge);
  uint bounds = 0u;
  for (int d = 0; d < 3; ++d)
    if (d != axis && from.at[d] == 0 && (c.finer >> 2 * d & 1) == 0) bounds |= 1u << d;
  if (from.at[one] != 1 && from.at[two] != 1) {
    const int u = from.at[one] / 2, v = from.at[two] / 2;
    const int both = (c.finer >> (2 * one + u)) & (c.finer >> (2 * two + v)) & 1;
    if (!both || u != 0) bounds |= 8u << (4 * axis + u + 2 * v);
  }
  return bounds;
}

// The longest loop that is cut in the best way; of longer ones, corners are cut off first.
#define LOOP_LIMIT 24
// More than any area: a cut that may not be.
#define NOT_ALLOWED 1e20f
// How often a cell is cut in another way where triangles overlap.
#define BORDER_ATTEMPTS 24

// The vertices on a cell's cut edges: their numbers, and where they are.
typedef struct {
  uint number[BORDER_EDGES];
  March3 at[BORDER_EDGES];
} BorderVertices;
typedef struct {
  int length;
  EdgeNumber edge[BORDER_EDGES];
  uint bounds[BORDER_EDGES];
} BorderLoop;
// Three edges each.
typedef struct {
  int count;
  EdgeNumber corner[3 * BORDER_EDGES];
} BorderTriangles;

FN March3 minus3(March3 a, March3 b) {
  March3 d;
  d.x = a.x - b.x, d.y = a.y - b.y, d.z = a.z - b.z;
  return d;
}
FN March3 cross3(March3 a, March3 b) {
  March3 c;
  c.x = a.y * b.z - a.z * b.y, c.y = a.z * b.x - a.x * b.z, c.z = a.x * b.y - a.y * b.x;
  return c;
}
FN float dot3(March3 a, March3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
// The axis across a plane of the lattice that three places lie in, or -1.
FN int flat_across(March3 a, March3 b, March3 c) {
  return a.x == b.x && b.x == c.x   ? 0
         : a.y == b.y && b.y == c.y ? 1
         : a.z == b.z && b.z == c.z ? 2
                                    : -1;
}

FN float cost_of_cut(const BorderLoop* loop, int i, int j) {
  return (loop->bounds[i] & loop->bounds[j]) != 0u ? NOT_ALLOWED : 0.0f;
}
// Its area; of ways to cut that have the same, one without triangles that are all but a line. In
// later attempts triangles in a face cost more, and areas are what chance makes of them.
FN float cost_of_triangle(const BorderVertices* vertices, const BorderLoop* loop, int attempt,
                          int i, int k, int j) {
  const March3 a = vertices->at[loop->edge[i]], b = vertices->at[loop->edge[k]],
               c = vertices->at[loop->edge[j]];
  const March3 ab = minus3(b, a), bc = minus3(c, b), ac = minus3(c, a), n = cross3(ab, ac);
  const float widest = fmax2(fmax2(dot3(ab, ab), dot3(bc, bc)), dot3(ac, ac));
  float area = SQRT(dot3(n, n));
  if (area < 1e-3f * widest) area += 1e-4f * widest;
  if (attempt == 0) return area;
  if (flat_across(a, b, c) >= 0) area *= attempt % 3 == 0 ? 1.0f : attempt % 3 == 1 ? 3.0f : 1e4f;
  if (attempt < 3) return area;
  uint h = (uint)loop->edge[i] * 73u + (uint)loop->edge[k] * 15101u +
           (uint)loop->edge[j] * 283411u + (uint)attempt * 0x9e3779b9u;
  h = (h ^ h >> 15) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  return area * (1.0f + (float)(h >> 8 & 0xffffu) * (1.0f / 16384.0f));
}

FN void add_triangle(const BorderLoop* loop, int i, int j, int k, BorderTriangles* out) {
  EdgeNumber* to = out->corner + 3 * out->count;
  to[0] = loop->edge[i], to[1] = loop->edge[j], to[2] = loop->edge[k];
  ++out->count;
}

FN void cut_off_smallest(const BorderVertices* vertices, BorderLoop* loop, int attempt,
                         BorderTriangles* out) {
  const int n = loop->length;
  int best = 0;
  float least = 3.0f * NOT_ALLOWED;
  for (int k = 0; k < n; ++k) {
    const int i = (k + n - 1) % n, j = (k + 1) % n;
    const float cost = cost_of_cut(loop, i, j) + cost_of_triangle(vertices, loop, attempt, i, k, j);
    if (cost < least) least = cost, best = k;
  }
  add_triangle(loop, (best + n - 1) % n, best, (best + 1) % n, out);
  for (int k = best; k + 1 < n; ++k)
    loop->edge[k] = loop->edge[k + 1], loop->bounds[k] = loop->bounds[k + 1];
  loop->length = n - 1;
}

// The triangles of least area that a loop can be cut into (Klincsek 1980): a flat loop is covered
// once, whatever its shape.
FN void cut_loop(const BorderVertices* vertices, BorderLoop* loop, int attempt,
                 BorderTriangles* out) {
  while (loop->length > LOOP_LIMIT) cut_off_smallest(vertices, loop, attempt, out);
  const int n = loop->length;
  float least[LOOP_LIMIT][LOOP_LIMIT];
  unsigned char corner[LOOP_LIMIT][LOOP_LIMIT];
  for (int i = 0; i + 1 < n; ++i) least[i][i + 1] = 0.0f;
  for (int span = 2; span < n; ++span)
    for (int i = 0; i + span < n; ++i) {
      const int j = i + span;
      float best = 1e30f;
      int chosen = i + 1;
      for (int k = i + 1; k < j; ++k) {
        const float cost =
            least[i][k] + least[k][j] + cost_of_triangle(vertices, loop, attempt, i, k, j);
        if (cost < best) best = cost, chosen = k;
      }
      least[i][j] = best + (span == n - 1 ? 0.0f : cost_of_cut(loop, i, j));
      corner[i][j] = (unsigned char)chosen;
    }
  // The parts of the loop that are left to cut.
  unsigned char from[LOOP_LIMIT], to[LOOP_LIMIT];
  int left = 1;
  from[0] = 0, to[0] = (unsigned char)(n - 1);
  while (left > 0) {
    --left;
    const int i = from[left], j = to[left], k = corner[i][j];
    add_triangle(loop, i, k, j, out);
    if (k > i + 1) from[left] = (unsigned char)i, to[left] = (unsigned char)k, ++left;
    if (j > k + 1) from[left] = (unsigned char)k, to[left] = (unsigned char)j, ++left;
  }
}

// ---- overlap
// -------------------------------------------------------------------------------------

// On which side of the plane through three vertices another lies: 0 where it is one of them.
FN int side_of(const BorderVertices* v, int a, int b, int c, int p) {
  if (p == a || p == b || p == c) return 0;
  const March3 n = cross3(minus3(v->at[b], v->at[a]), minus3(v->at[c], v->at[a]));
  const float away = dot3(n, minus3(v->at[p], v->at[a]));
  return (away > 0.0f) - (away < 0.0f);
}
// Does the line from p to q pass through a triangle?
FN int passes_through(const BorderVertices* v, int p, int q, const EdgeNumber* t) {
  if (side_of(v, t[0], t[1], t[2], p) * side_of(v, t[0], t[1], t[2], q) >= 0) return 0;
  const int one = side_of(v, p, q, t[0], t[1]), two = side_of(v, p, q, t[1], t[2]),
            three = side_of(v, p, q, t[2], t[0]);
  return one != 0 && one == two && two == three;
}

typedef struct {
  float u, v;
} Flat;
FN Flat flat_at(March3 p, int across) {
  Flat f;
  f.u = across == 0 ? p.y : p.x;
  f.v = across == 2 ? p.y : p.z;
  return f;
}
FN int turn(Flat a, Flat b, Flat c) {
  const float area = (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
  return (area > 0.0f) - (area < 0.0f);
}
// In the plane of a flat triangle: does the line from p to q enter its inside?
FN int enters(const BorderVertices* v, int p, int q, const EdgeNumber* t, int across) {
  const Flat a = flat_at(v->at[p], across), b = flat_at(v->at[q], across);
  Flat middle;
  middle.u = 0.5f * (a.u + b.u), middle.v = 0.5f * (a.v + b.v);
  int same = 0, there = 0;
  for (int k = 0; k < 3; ++k) {
    const int i = t[k], j = t[(k + 1) % 3];
    there += (p == i) + (q == i);
    const Flat c = flat_at(v->at[i], across), d = flat_at(v->at[j], across);
    same += turn(c, d, middle);
    if (p != i && p != j && q != i && q != j && turn(a, b, c) * turn(a, b, d) < 0 &&
        turn(c, d, a) * turn(c, d, b) < 0)
      return 1;
  }
  return there < 2 && (same == 3 || same == -3);
}

// How often triangles of a cell overlap, or cover a segment of the surface in a face.
FN int count_overlaps(const BorderVertices* v, const EdgeNumber* next, const BorderTriangles* t) {
  int found = 0;
  for (int i = 0; i < t->count; ++i) {
    const EdgeNumber* a = t->corner + 3 * i;
    for (int j = 0; j < i; ++j) {
      const EdgeNumber* b = t->corner + 3 * j;
      int hit = 0;
      for (int k = 0; k < 3 && !hit; ++k)
        hit = passes_through(v, a[k], a[(k + 1) % 3], b) ||
              passes_through(v, b[k], b[(k + 1) % 3], a);
      found += hit;
    }
    const int across = flat_across(v->at[a[0]], v->at[a[1]], v->at[a[2]]);
    if (across < 0) continue;
    for (int e = 0; e < BORDER_EDGES; ++e)
      if (next[e] != NO_EDGE && flat_across(v->at[a[0]], v->at[e], v->at[next[e]]) == across)
        found += enters(v, e, next[e], a, across);
  }
  return found;
}

// Cuts all loops of a cell. One loop of few corners never overlaps itself; where others do, other
// ways are tried, and the one with the least overlap is taken.
FN void cut_cell(IN(BorderCell) c, const EdgeNumber* next, const BorderVertices* vertices,
                 BorderTriangles* best) {
  int least = 1 << 20;
  for (int attempt = 0; attempt < BORDER_ATTEMPTS && least > 0; ++attempt) {
    EdgeNumber left[BORDER_EDGES];
    BorderTriangles found;
    int loops = 0, longest = 0;
    found.count = 0;
    for (int e = 0; e < BORDER_EDGES; ++e) left[e] = next[e];
    for (int e = 0; e < BORDER_EDGES; ++e) {
      if (left[e] == NO_EDGE) continue;
      BorderLoop loop;
      loop.length = take_loop(left, e, loop.edge);
      for (int k = 0; k < loop.length; ++k) loop.bounds[k] = bounds_of(c, loop.edge[k]);
      ++loops, longest = imax(longest, loop.length);
      cut_loop(vertices, &loop, attempt, &found);
    }
    const int overlaps = loops > 1 || longest > 7 ? count_overlaps(vertices, next, &found) : 0;
    if (overlaps < least) least = overlaps, *best = found;
  }
}

#endif
