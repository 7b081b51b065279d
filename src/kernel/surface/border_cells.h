// The cells of a coarse block along faces behind which lies a finer one (Lengyel 2010, section 4;
// Geiger 2015, section 2.2.4), whole.
//
// Lengyel shrinks such a cell and fills the gap with transition cells; where the shrunken cells of
// several blocks meet, they cannot all stay flat, and triangles cross. Here the cell stays a cube,
// with nine samples on its finer faces instead of four: the surface's loops around it run over the
// segments of the finer cells behind those faces (512 cases each) and over those of Marching Cubes
// on the others. What spans them lies within the cell, and cells do not overlap. Nor do triangles
// within one, whatever the field:
//
// - Where no loop touches a finer face, the cell is one of Marching Cubes.
// - One loop is a triangle, or is joined to a vertex within the cell. From there, each ray meets
//   the border of a convex cell once, so no two of these triangles lie behind each other.
// - Where there are several loops, the cell is taken apart into pyramids from its middle, which is
//   a sample too, over the squares between samples on its faces. A pyramid's loop has at most five
//   corners, and triangles of so few cannot cross; or, where opposite corners are alike, there is
//   such a loop to either side of the plane through the other two and the middle. Between a pyramid
//   over a finer face and one over a face that does not know the samples in the middle of its
//   edges, a flat tetrahedron makes up the difference.
//
// A cell has places i + 3 j + 9 k, of which those at its corners and on its finer faces are
// samples. An edge is half as long as the cell: 18 axis + h + 2 (u + 3 v), from h along its axis at
// places u and v of the other two, in order; where the cell's edge is whole, h is 0. Vertices are
// named by the edge that they lie on; from INNER_VERTEX on, by the place from which an edge leads
// to the cell's middle, or, where a loop is joined to one vertex, by that middle.
#ifndef SCREE_KERNEL_BORDER_CELLS_H
#define SCREE_KERNEL_BORDER_CELLS_H

#include "kernel/surface/march.h"

#define BORDER_EDGES 54
#define NO_EDGE 255
typedef unsigned char EdgeNumber;

// Words of the table of cases after those of march.h: a case of a finer face has two, a half byte
// for each of its twelve edges: where the segment that starts there ends, 15 for none.
#define FACE_CASE_WORDS 2
#define FACE_CASES (256 * MARCH_CASE_WORDS)
// Then pyramids and flat tetrahedra, two words each, half bytes: how many triangles, and their
// corners as edges of the piece (cases.h).
#define PIECE_CASE_WORDS 2
#define PYRAMID_CASES (FACE_CASES + 512 * FACE_CASE_WORDS)
#define GORE_CASES (PYRAMID_CASES + 32 * PIECE_CASE_WORDS)

#define INNER_VERTEX BORDER_EDGES
#define MIDDLE_PLACE 13

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
  int middle;   // 1 where the sample in its middle is inside
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

// A face of four samples: its corners, counter-clockwise from outside, and where the edge from each
// to the next is cut. Where that edge belongs to a finer face too, it has halves.
typedef struct {
  Place corner[4], middle[4];
  int halved[4];
  EdgeNumber cut[4], first[4], second[4];  // halves in the order of the way round
} PlainFace;
FN EdgeNumber edge_between(IN(Place) a, IN(Place) b) {
  const int axis = a.at[0] != b.at[0] ? 0 : a.at[1] != b.at[1] ? 1 : 2;
  return (EdgeNumber)edge_number(axis, a.at[axis] < b.at[axis] ? a : b);
}
FN PlainFace plain_face(IN(BorderCell) c, int face) {
  const int axis = face >> 1, side = face & 1, one = (axis + 1) % 3, two = (axis + 2) % 3;
  PlainFace f;
  for (int k = 0; k < 4; ++k) {
    const int turn = side ? k : (4 - k) % 4;
    f.corner[k].at[axis] = 2 * side;
    f.corner[k].at[one] = 2 * (turn == 1 || turn == 2);
    f.corner[k].at[two] = 2 * (turn == 2 || turn == 3);
  }
  for (int k = 0; k < 4; ++k) {
    const Place a = f.corner[k], b = f.corner[(k + 1) & 3];
    const int along = a.at[one] != b.at[one] ? one : two, across = along == one ? two : one;
    f.middle[k] = a;
    f.middle[k].at[along] = 1;
    f.halved[k] = c.finer >> (2 * across + (a.at[across] != 0)) & 1;
    f.first[k] = edge_between(a, f.middle[k]), f.second[k] = edge_between(f.middle[k], b);
    f.cut[k] = f.first[k];
    if (!f.halved[k])
      f.cut[k] = a.at[along] == 0 ? f.first[k] : f.second[k];
    else if (place_inside(c, a) == place_inside(c, f.middle[k]))
      f.cut[k] = f.second[k];
  }
  return f;
}

// Segments on a face of four samples, each from where the way round it, seen from outside, gets
// inside to where it next gets out. Where one of its edges belongs to a finer face too and only its
// middle is on the other side, that middle is cut off by itself: cells around that edge that have
// no finer face do not know of it.
FN void follow_plain_face(IN(BorderCell) c, int face, EdgeNumber* next) {
  const PlainFace f = plain_face(c, face);
  int in[4];
  for (int k = 0; k < 4; ++k) in[k] = place_inside(c, f.corner[k]);
  for (int k = 0; k < 4; ++k) {
    const int in_middle = place_inside(c, f.middle[k]);
    if (!f.halved[k] || in[k] != in[(k + 1) & 3] || in_middle == in[k]) continue;
    next[in_middle ? f.first[k] : f.second[k]] = in_middle ? f.second[k] : f.first[k];
  }
  for (int k = 0; k < 4; ++k) {
    if (in[k] || !in[(k + 1) & 3]) continue;
    int last = (k + 1) & 3;
    while (in[(last + 1) & 3]) last = (last + 1) & 3;
    next[f.cut[k]] = f.cut[last];
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

// ---- triangles of a cell ------------------------------------------------------------------------

// Of 24 pyramids, where all faces are finer.
#define BORDER_TRIANGLES 96
typedef struct {
  int count;
  uint inner;  // bits of places: which vertices there are within the cell
  EdgeNumber corner[3 * BORDER_TRIANGLES];
} BorderPatch;

// None where two corners are one vertex.
FN void add_triangle(BorderPatch* out, EdgeNumber a, EdgeNumber b, EdgeNumber c) {
  if (a == b || b == c || c == a) return;
  EdgeNumber* to = out->corner + 3 * out->count;
  to[0] = a, to[1] = b, to[2] = c;
  ++out->count;
}

FN int touches_finer_face(IN(BorderCell) c) {
  for (int face = 0; face < 6; ++face) {
    if ((c.finer >> face & 1) == 0) continue;
    const uint found = face_case(c, face);
    if (found != 0u && found != 511u) return 1;
  }
  return 0;
}

FN void add_cube(IN(BorderCell) c, GLOBAL const uint* table, BorderPatch* out) {
  uint corners = 0u;
  for (int k = 0; k < 8; ++k)
    corners |= (c.inside >> (2 * (k & 1) + 6 * (k >> 1 & 1) + 18 * (k >> 2)) & 1u) << k;
  GLOBAL const uint* found = table + MARCH_CASE_WORDS * corners;
  EdgeNumber at[3];
  for (int k = 0; k < 3 * (int)(found[0] & 0xffu); ++k) {
    const int edge = (int)(found[(k + 1) >> 2] >> 8 * ((k + 1) & 3) & 0xffu);
    at[k % 3] = (EdgeNumber)(18 * (edge >> 2) + 2 * (2 * (edge & 1) + 3 * (2 * (edge >> 1 & 1))));
    if (k % 3 == 2) add_triangle(out, at[0], at[1], at[2]);
  }
}

FN void add_piece(GLOBAL const uint* found, const EdgeNumber* vertex, BorderPatch* out) {
  const int triangles = (int)(found[0] & 15u);
  for (int t = 0; t < triangles; ++t) {
    EdgeNumber at[3];
    for (int k = 0; k < 3; ++k) {
      const int i = 1 + 3 * t + k;
      at[k] = vertex[found[i >> 3] >> 4 * (i & 7) & 15u];
    }
    add_triangle(out, at[0], at[1], at[2]);
  }
}
FN EdgeNumber inner_vertex(IN(Place) p) { return (EdgeNumber)(INNER_VERTEX + place_number(p)); }

// Over four corners, counter-clockwise from outside, with the edges between them.
FN void add_pyramid(IN(BorderCell) c, GLOBAL const uint* table, const Place* corner,
                    const EdgeNumber* cut, BorderPatch* out) {
  uint inside = (uint)c.middle << 4;
  EdgeNumber vertex[8];
  for (int k = 0; k < 4; ++k) {
    inside |= (uint)place_inside(c, corner[k]) << k;
    vertex[k] = cut[k], vertex[4 + k] = inner_vertex(corner[k]);
  }
  add_piece(table + PYRAMID_CASES + PIECE_CASE_WORDS * inside, vertex, out);
}
FN void add_finer_face(IN(BorderCell) c, GLOBAL const uint* table, int face, BorderPatch* out) {
  for (int part = 0; part < 4; ++part) {
    const int i = part & 1, j = part >> 1;
    Place corner[4];
    EdgeNumber cut[4];
    for (int k = 0; k < 4; ++k)
      corner[k] = face_place(face, i + (k == 2 || k == 3), j + (k == 1 || k == 2));
    for (int k = 0; k < 4; ++k) cut[k] = edge_between(corner[k], corner[(k + 1) & 3]);
    add_pyramid(c, table, corner, cut, out);
  }
}
FN void add_plain_face(IN(BorderCell) c, GLOBAL const uint* table, int face, BorderPatch* out) {
  const PlainFace f = plain_face(c, face);
  add_pyramid(c, table, f.corner, f.cut, out);
  for (int k = 0; k < 4; ++k) {
    if (!f.halved[k]) continue;
    const Place a = f.corner[k], b = f.corner[(k + 1) & 3], middle = f.middle[k];
    const uint inside = (uint)(place_inside(c, a) | place_inside(c, middle) << 1 |
                               place_inside(c, b) << 2 | c.middle << 3);
    EdgeNumber vertex[6];
    vertex[0] = f.first[k], vertex[1] = f.second[k], vertex[2] = f.cut[k];
    vertex[3] = inner_vertex(a), vertex[4] = inner_vertex(middle), vertex[5] = inner_vertex(b);
    add_piece(table + GORE_CASES + PIECE_CASE_WORDS * inside, vertex, out);
  }
}

FN void add_loop(const EdgeNumber* loop, int length, BorderPatch* out) {
  if (length == 3) {
    add_triangle(out, loop[0], loop[1], loop[2]);
    return;
  }
  for (int k = 0; k < length; ++k)
    add_triangle(out, loop[k], loop[(k + 1) % length], (EdgeNumber)(INNER_VERTEX + MIDDLE_PLACE));
  out->inner = 1u << MIDDLE_PLACE;
}

// The triangles of a cell that the surface passes.
FN void border_patch(IN(BorderCell) c, GLOBAL const uint* table, BorderPatch* out) {
  out->count = 0, out->inner = 0u;
  if (!touches_finer_face(c)) {
    add_cube(c, table, out);
    return;
  }
  EdgeNumber next[BORDER_EDGES], loop[BORDER_EDGES];
  follow_faces(c, table, next);
  int first = 0, several = 0;
  while (next[first] == NO_EDGE) ++first;
  const int length = take_loop(next, first, loop);
  for (int e = first; e < BORDER_EDGES; ++e) several |= next[e] != NO_EDGE;
  if (!several) {
    add_loop(loop, length, out);
    return;
  }
  for (int face = 0; face < 6; ++face) {
    if ((c.finer >> face & 1) != 0)
      add_finer_face(c, table, face, out);
    else
      add_plain_face(c, table, face, out);
  }
  out->inner = c.middle ? c.known & ~c.inside : c.inside;
}

#endif
