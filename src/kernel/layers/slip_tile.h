// Thermal erosion of layers on an OpenCL device (slip.cl): what a work-group knows of its columns
// and of those around them, and what goes over the edges between.
//
// Every edge is worked out once, and books what it moves: out of a layer of one column and to the
// sums of the other, by what it is when it arrives. Both are integers in the group's own memory, so
// the order of bookings is no matter.
#ifndef SCREE_KERNEL_SLIP_TILE_H
#define SCREE_KERNEL_SLIP_TILE_H

#include "kernel/layers/slip_places.h"

#define STACK_PITCH TILE_LANES
#define SLIP_TABLE __local

#include "kernel/common/atomics.h"
#include "kernel/layers/slip_arrivals.h"

#define TILE_STANDS 255

typedef struct {
  LayerTop tops[TILE_PLACES];
  uint words[LAYERS_MOST * TILE_LANES];  // of the columns: what is left of their layers
  int sums[SLIP_KINDS * TILE_LANES];     // what comes to them, by material
  int lowest[TILE_LANES];                // layer that gives, or TILE_STANDS
  LayerMaterial table[LAYER_MATERIALS];
  ushort edges[TILE_SLOTS * slip_ways];  // over which something slides
  float slopes[TILE_SLOTS * slip_ways];  // square of the slope across each; then, what stands
  ushort deep[TILE_SLOTS * slip_ways];   // those of them that go on to deeper layers
  ushort columns[TILE_LANES];            // that move
  int edge_count, deep_count, column_count;
  int hollow;  // 1: some column has a void in it or beside it
} SlipTile;

FN void tile_loads(__local SlipTile* t, LayerGrid g, IN(Slip) p, TileAt at, int cell,
                   GLOBAL const LayerMaterial* RESTRICT table, GLOBAL const uint* RESTRICT words,
                   GLOBAL const LayerTop* RESTRICT tops) {
  tile_tops(t->tops, g, at, tops);
  if (at.lane < LAYER_MATERIALS) t->table[at.lane] = table[at.lane];
  // As many as are usual before it is known how many there are: all are under way together.
  const int usual = imin(imin(p.usual, g.planes), SLIP_AT_ONCE), count = top_count(tops[cell]);
  uint some[SLIP_AT_ONCE];
  UNROLL for (int k = 0; k < SLIP_AT_ONCE; ++k) some[k] =
      k < usual ? words[cell + k * g.width * g.height] : 0u;
  UNROLL for (int k = 0; k < SLIP_AT_ONCE; ++k) t->words[k * TILE_LANES + at.lane] = some[k];
  for (int k = usual; k < count; ++k)
    t->words[k * TILE_LANES + at.lane] = words[cell + k * g.width * g.height];
  UNROLL for (int i = 0; i < SLIP_KINDS; ++i) t->sums[i * TILE_LANES + at.lane] = 0;
  t->lowest[at.lane] = TILE_STANDS;
  if (at.lane == 0) t->edge_count = t->deep_count = t->column_count = t->hollow = 0;
}

// ---- edges that slide ------------------------------------------------------------------------

FN int way_slides(const __local SlipTile* t, IN(Slopes) s, int way, LayerTop first, LayerTop second,
                  float across) {
  const int above = first.height - second.height;
  const float slope = steepness(along_edge(s, SLIP_SIDE(way), above), across);
  const uint giver = top_material(above > 0 ? first : second);
  return above != 0 && slope > t->table[giver].steepest ? 1 << way : 0;
}

FN void tile_finds(__local SlipTile* t, LayerGrid g, IN(Slopes) s, TileAt at) {
  for (int i = at.lane; i < TILE_SLOTS; i += TILE_LANES) {
    const int place = slot_place(i);
    const __local LayerTop* near = t->tops + place;
    const LayerTop w = near[-1], here = near[0], sw = near[TILE_PITCH - 1], so = near[TILE_PITCH];
    const int hw = w.height, h = here.height, hsw = sw.height, hs = so.height;
    float across[slip_ways];
    across[way_along] =
        across_along(s, near[-TILE_PITCH - 1].height, hw, hsw, near[-TILE_PITCH].height, h, hs);
    across[way_down] = across_down(s, hw, h, near[1].height, hsw, hs, near[TILE_PITCH + 1].height);
    across[way_down_east] = across_down_east(s, hw, h, hsw, hs);
    across[way_down_west] = across_down_west(s, hw, h, hsw, hs);
    const int found = ways_there(g, at.x0 + place_x(place), at.y0 + place_y(place)) &
                      (way_slides(t, s, way_along, w, here, across[way_along]) |
                       way_slides(t, s, way_down, here, so, across[way_down]) |
                       way_slides(t, s, way_down_east, w, so, across[way_down_east]) |
                       way_slides(t, s, way_down_west, here, sw, across[way_down_west]));
    if (found == 0) continue;
    int next = atomic_add(&t->edge_count, (int)bits_in((uint)found));
    UNROLL for (int way = 0; way < slip_ways; ++way) {
      if ((found >> way & 1) == 0) continue;
      t->slopes[next] = across[way];
      t->edges[next++] = (ushort)(place * slip_ways + way);
    }
  }
}

// ---- what goes over them ---------------------------------------------------------------------

// From its higher column to the other.
FN TileEdge tile_edge(const __local SlipTile* t, int edge) {
  const TileEdge e = edge_at(edge / slip_ways, edge % slip_ways);
  return t->tops[e.from].height < t->tops[e.to].height ? edge_turned(e) : e;
}
FN int tile_fall(const __local SlipTile* t, TileEdge e) {
  return t->tops[e.from].height - t->tops[e.to].height;
}

FN SlipEdge tile_starts(const __local SlipTile* t, LayerGrid g, IN(Slip) p, TileAt at, TileEdge of,
                        float stands) {
  SlipEdge e = edge_of(p, world_column(g, at, of.from), world_row(g, at, of.from), of.side);
  e.room = LAYER_SKY;
  edge_starts(&e, tile_fall(t, of), stands);
  return e;
}

// What an edge takes from the next layer down, which is as the terrain has it: the tile's own may
// have given already.
FN int tile_takes(const __local SlipTile* t, SlipEdge* e, uint word) {
  const LayerMaterial m = t->table[layer_material(word)];
  return edge_takes_by(e, word, 0, drop_over(e->side, m), share_over(e->side, m));
}

FN void tile_books(__local SlipTile* t, TileEdge of, int k, uint word, int amount) {
  if (amount <= 0) return;
  const int from = tile_column(of.from), to = tile_column(of.to);
  const int dust = (int)t->table[layer_material(word)].dust - 1;
  if (from >= 0) {
    atomic_sub(&t->words[k * TILE_LANES + from], (uint)amount);
    atomic_min(&t->lowest[from], k);
  }
  if (to >= 0) atomic_add(&t->sums[dust * TILE_LANES + to], amount);
}

// Also a column to which nothing comes in the end is built anew.
FN void tile_marks(__local SlipTile* t, int place) {
  const int column = tile_column(place);
  if (column >= 0) atomic_min(&t->lowest[column], imax(top_count(t->tops[place]) - 1, 0));
}

FN void tile_slides(__local SlipTile* t, LayerGrid g, IN(Slip) p, TileAt at,
                    GLOBAL const uint* RESTRICT words) {
  for (int i = at.lane; i < t->edge_count; i += TILE_LANES) {
    const TileEdge of = tile_edge(t, t->edges[i]);
    const int cell = world_cell(g, at, of.from), k = top_count(t->tops[of.from]) - 1;
    const uint word = words[cell + k * g.width * g.height];
    const float stands = standing_by(along_edge(p.slopes, of.side, tile_fall(t, of)), t->slopes[i]);
    SlipEdge e = tile_starts(t, g, p, at, of, stands);
    tile_books(t, of, k, word, tile_takes(t, &e, word));
    tile_marks(t, of.from);
    tile_marks(t, of.to);
    if (e.done || k == 0) continue;
    t->slopes[i] = stands;
    t->deep[atomic_inc(&t->deep_count)] = (ushort)i;
  }
}

FN void tile_goes_deeper(__local SlipTile* t, LayerGrid g, IN(Slip) p, TileAt at,
                         GLOBAL const uint* RESTRICT words) {
  const int plane = g.width * g.height;
  for (int i = at.lane; i < t->deep_count; i += TILE_LANES) {
    const TileEdge of = tile_edge(t, t->edges[t->deep[i]]);
    const int cell = world_cell(g, at, of.from);
    int k = top_count(t->tops[of.from]) - 1;
    SlipEdge e = tile_starts(t, g, p, at, of, t->slopes[t->deep[i]]);
    uint below = words[cell + (k - 1) * plane];
    tile_takes(t, &e, words[cell + k * plane]);
    while (--k >= 0 && !e.done) {
      const uint word = below;
      if (k > 0) below = words[cell + (k - 1) * plane];
      tile_books(t, of, k, word, tile_takes(t, &e, word));
    }
  }
}

// ---- columns ---------------------------------------------------------------------------------

// Builds a column anew, from the lowest layer that has given. Nothing below a void has.
FN int tile_settles(__local SlipTile* t, int column, IN(Slip) p, int count) {
  LayerStack next = {t->words + column, t->lowest[column]};
  const __local int* sums = t->sums + column;
  for (int k = next.count; k < count; ++k) {
    const uint word = STACK_WORD(&next, k);
    slip_put(&next, layer_material(word), layer_thickness(word));
  }
  const uint first = topmost_kind(&next);
  if (first != LAYER_VOID) slip_put(&next, first, sums[((int)first - 1) * TILE_LANES]);
  for (uint m = 1u; (int)m < p.materials; ++m) {
    const int sum = sums[((int)m - 1) * TILE_LANES];
    if (m != first && sum > 0) put_arrival(&next, p, t->table, m, sum);
  }
  if (next.count > 0 && next.count <= LAYERS_MOST && topmost_kind(&next) == LAYER_VOID)
    --next.count;  // its roof is gone
  return next.count;
}

FN void tile_writes(const __local SlipTile* t, int column, LayerGrid g, int cell, int count,
                    int stale, int had_void, GLOBAL uint* RESTRICT after,
                    GLOBAL LayerTop* RESTRICT tops_after) {
  const __local uint* words = t->words + column;
  LayerTop top;
  top.height = 0;
  top.about = (uint)count;
  for (int k = 0; k < imax(count, stale); k += SLIP_AT_ONCE) {
    UNROLL for (int i = k; i < k + SLIP_AT_ONCE; ++i) {
      const uint word = i < count ? words[i * TILE_LANES] : 0u;
      if (i < imax(count, stale)) after[cell + i * g.width * g.height] = word;
      top.height += layer_thickness(word);
    }
  }
  if (count > 0) top.about |= layer_material(words[(count - 1) * TILE_LANES]) << 8;
  for (int k = 0; had_void && k < count; ++k)
    if (layer_material(words[k * TILE_LANES]) == LAYER_VOID) top.about |= 1u << 16;
  tops_after[cell] = top;
}

#endif
