// Where the columns of a work-group lie that takes a tile of a terrain of layers (slip_tile.h,
// slip_gaps.h), with two more columns around them that slopes ask for, and the edges between.
#ifndef SCREE_KERNEL_SLIP_PLACES_H
#define SCREE_KERNEL_SLIP_PLACES_H

#include "kernel/layers/slip_size.h"
#include "kernel/layers/slip_ways.h"

#define TILE_LANES (SLIP_TILE_X * SLIP_TILE_Y)
#define TILE_PITCH (SLIP_TILE_X + 4)
#define TILE_PLACES (TILE_PITCH * (SLIP_TILE_Y + 4))
#define TILE_SLOTS ((SLIP_TILE_X + 1) * (SLIP_TILE_Y + 1))  // columns at which edges are kept

typedef struct {
  int x0, y0, lane;
} TileAt;

FN int tile_place(int x, int y) { return (y + 2) * TILE_PITCH + x + 2; }
FN int place_x(int place) { return place % TILE_PITCH - 2; }
FN int place_y(int place) { return place / TILE_PITCH - 2; }
FN int place_beside(int place, int side) {
  return place + side_x(side) + side_y(side) * TILE_PITCH;
}
// The number of a column of the tile; -1: it lies around it.
FN int tile_column(int place) {
  const int x = place_x(place), y = place_y(place);
  return x >= 0 && x < SLIP_TILE_X && y >= 0 && y < SLIP_TILE_Y ? y * SLIP_TILE_X + x : -1;
}
FN int world_column(LayerGrid g, TileAt at, int place) {
  const int x = at.x0 + place_x(place);
  return g.wrap_x ? wrapped(x, g.width) : imax(imin(x, g.width - 1), 0);
}
FN int world_row(LayerGrid g, TileAt at, int place) {
  const int y = at.y0 + place_y(place);
  return g.wrap_y ? wrapped(y, g.height) : imax(imin(y, g.height - 1), 0);
}
FN int world_cell(LayerGrid g, TileAt at, int place) {
  return world_row(g, at, place) * g.width + world_column(g, at, place);
}

FN void tile_tops(__local LayerTop* to, LayerGrid g, TileAt at,
                  GLOBAL const LayerTop* RESTRICT tops) {
  const int lx = at.lane % SLIP_TILE_X;
  for (int row = at.lane / SLIP_TILE_X; row < SLIP_TILE_Y + 4; row += SLIP_TILE_Y) {
    const int place = row * TILE_PITCH + lx, beside = place + SLIP_TILE_X;
    to[place] = tops[world_cell(g, at, place)];
    if (lx < 4) to[beside] = tops[world_cell(g, at, beside)];
  }
}

// True where a column or one beside it has a void.
FN int tile_is_hollow(const __local LayerTop* tops, int place) {
  int voids = top_has_void(tops[place]);
  UNROLL for (int side = 0; side < LAYER_SIDES; ++side) voids |=
      top_has_void(tops[place_beside(place, side)]);
  return voids;
}

// ---- edges -----------------------------------------------------------------------------------

// The place at which the edges of a slot are kept.
FN int slot_place(int slot) {
  return tile_place(slot % (SLIP_TILE_X + 1), slot / (SLIP_TILE_X + 1) - 1);
}

// The ways that lead to no column outside of the world.
FN int ways_there(LayerGrid g, int x, int y) {
  const int here = g.wrap_x ? x <= g.width : x < g.width, west = here && (g.wrap_x || x > 0);
  const int row = g.wrap_y ? y <= g.height : y >= 0 && y < g.height;
  const int next = g.wrap_y ? y < g.height : y >= 0 && y + 1 < g.height;
  return (west && row ? 1 << way_along : 0) | (here && next ? 1 << way_down : 0) |
         (west && next ? 1 << way_down_east | 1 << way_down_west : 0);
}

// An edge, and the side over which it leads from the first of its columns.
typedef struct {
  int from, to;  // places
  int side;
} TileEdge;

FN TileEdge edge_at(int place, int way) {
  TileEdge e;
  e.from = place - (way == way_along || way == way_down_east ? 1 : 0);
  e.to = place + (way == way_along ? 0 : TILE_PITCH) - (way == way_down_west ? 1 : 0);
  e.side = SLIP_SIDE(way);
  return e;
}
FN TileEdge edge_turned(TileEdge e) {
  const TileEdge turned = {e.to, e.from, e.side ^ 1};
  return turned;
}

#endif
