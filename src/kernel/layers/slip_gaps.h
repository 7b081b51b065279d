// Over which edges between columns of layers something slides that is not seen from their tops: off
// the floor of a void, or into one (slip_inside.cl). A work-group knows the air of its columns and
// of those around them: the voids from the bottom up, and the sky as the last of them.
#ifndef SCREE_KERNEL_SLIP_GAPS_H
#define SCREE_KERNEL_SLIP_GAPS_H

#include "kernel/layers/slip_edge.h"
#include "kernel/layers/slip_places.h"

#define GAPS_MOST 4                 // of a column; where there are more, nothing is found out
#define GAP_GROUND LAYER_MATERIALS  // what lies below all layers, and never gives
#define FALLS_MOST (2 * TILE_SLOTS * slip_ways)

typedef struct {
  LayerTop tops[TILE_PLACES];
  int floors[GAPS_MOST * TILE_PLACES];
  int ceilings[GAPS_MOST * TILE_PLACES];
  uchar under[GAPS_MOST * TILE_PLACES];  // of what a floor is
  float steepest[LAYER_MATERIALS + 1];
  ushort falls[FALLS_MOST];  // from a floor, over an edge: something may slide
  int fall_count;
  int sides[TILE_LANES];  // of the columns: over which something slides (slip.h)
  int several;            // 1: some column has more than one void
  int crowded;            // 1: there are more gaps or falls than there is room for
} GapTile;

// Of a column: its voids, from the words that are read of it in turn.
typedef struct {
  int next;  // where the next of them goes
  int level;
  uint below;
  int changes;  // even where nothing slides: a ceiling crumbles, or two layers are of one kind
} GapsRead;

FN void gap_reads(__local GapTile* t, uint crumbling, GapsRead* r, uint word) {
  const uint material = layer_material(word);
  const int above = r->level + layer_thickness(word);
  r->changes |=
      material == r->below || (r->below == LAYER_VOID && (crumbling >> material & 1u) != 0u);
  if (material == LAYER_VOID && r->next >= (GAPS_MOST - 1) * TILE_PLACES) {
    t->crowded = 1;
  } else if (material == LAYER_VOID) {
    t->floors[r->next] = r->level;
    t->ceilings[r->next] = above;
    t->under[r->next] = (uchar)r->below;
    r->next += TILE_PLACES;
  }
  r->below = material;
  r->level = above;
}

// Returns whether the column changes by itself.
FN int gaps_of_place(__local GapTile* t, LayerGrid g, uint crumbling, int place, int cell,
                     GLOBAL const uint* RESTRICT words) {
  const LayerTop top = t->tops[place];
  const int own = tile_column(place) >= 0 && tile_is_hollow(t->tops, place);
  const int count = own || top_has_void(top) ? top_count(top) : 0;
  GapsRead r = {place, 0, GAP_GROUND, 0};
  for (int k = 0; k < count; k += LAYERS_AT_ONCE) {
    uint some[LAYERS_AT_ONCE];
    some_layers(some, g, words, cell, k, count);
    UNROLL for (int i = 0; i < LAYERS_AT_ONCE; ++i) {
      if (k + i < count) gap_reads(t, crumbling, &r, some[i]);
    }
  }
  if (r.next > place + TILE_PLACES) t->several = 1;
  t->floors[r.next] = top.height;
  t->ceilings[r.next] = LAYER_SKY;
  t->under[r.next] = (uchar)(top_count(top) > 0 ? top_material(top) : GAP_GROUND);
  return own && r.changes;
}

// The air of a column at a height, or the next above it, as the index of its floor (gap_at).
FN int tile_gap(const __local GapTile* t, int place, int height) {
  int gap = place;
  while (t->ceilings[gap] <= height) gap += TILE_PLACES;
  return gap;
}
FN int tile_floor(const __local GapTile* t, int place, int height) {
  return t->floors[tile_gap(t, place, height)];
}

// The square of the slope across an edge (across_floors).
FN float tile_across(const __local GapTile* t, IN(Slopes) s, TileEdge e, int height,
                     int floor_level) {
  const int dx = side_x(e.side), dy = side_y(e.side) * TILE_PITCH;
  if (e.side >= 4)
    return across_diagonal(s, height, floor_level, tile_floor(t, e.from + dx, height),
                           tile_floor(t, e.from + dy, height));
  const int on = e.side < 2 ? TILE_PITCH : 1;
  return across_axis(e.side < 2 ? s.across_x : s.across_y,
                     lesser_of(tile_floor(t, e.from + on, height) - height,
                               height - tile_floor(t, e.from - on, height)),
                     lesser_of(tile_floor(t, e.to + on, height) - floor_level,
                               floor_level - tile_floor(t, e.to - on, height)));
}

// A fall is from a gap's floor over an edge, from its first column or, turned, from the other.
FN ushort fall_code(int gap, int way, int turned) {
  return (ushort)((gap * slip_ways + way) << 1 | turned);
}

// From each floor of a column it falls over an edge to the air beside it, or not at all; what falls
// from a top to the sky is found elsewhere. More may be found than slides, where layers lie as no
// step leaves them.
FN void falls_from(__local GapTile* t, int place, int way, int turned) {
  const TileEdge edge = edge_at(place, way), e = turned ? edge_turned(edge) : edge;
  int is_top = 0;
  for (int n = 0; !is_top; ++n) {
    const int from = e.from + n * TILE_PLACES, height = t->floors[from];
    const int to = tile_gap(t, e.to, height);
    is_top = t->ceilings[from] == LAYER_SKY;
    if (t->floors[to] >= height || (is_top && t->ceilings[to] == LAYER_SKY)) continue;
    const int next = atomic_inc(&t->fall_count);
    if (next < FALLS_MOST)
      t->falls[next] = fall_code(place + n * TILE_PLACES, way, turned);
    else
      t->crowded = 1;
  }
}

// ---- steps of a work-group -------------------------------------------------------------------

FN void gaps_load(__local GapTile* t, LayerGrid g, TileAt at,
                  GLOBAL const LayerMaterial* RESTRICT table,
                  GLOBAL const LayerTop* RESTRICT tops) {
  tile_tops(t->tops, g, at, tops);
  if (at.lane < LAYER_MATERIALS)
    t->steepest[at.lane] = at.lane == LAYER_VOID ? 3e38f : table[at.lane].steepest;
  if (at.lane == 0) t->steepest[GAP_GROUND] = 3e38f;
  t->sides[at.lane] = 0;
  if (at.lane == 0) t->fall_count = t->several = t->crowded = 0;
}
FN void gaps_find(__local GapTile* t, LayerGrid g, uint crumbling, TileAt at,
                  GLOBAL const uint* RESTRICT words, int by_itself) {
  for (int place = at.lane; place < TILE_PLACES; place += TILE_LANES)
    if (gaps_of_place(t, g, crumbling, place, world_cell(g, at, place), words))
      t->sides[tile_column(place)] = by_itself;
}
// An edge is looked at where one of its columns has a void, and one of them is the tile's.
FN void gaps_fall(__local GapTile* t, LayerGrid g, TileAt at) {
  for (int i = at.lane; i < TILE_SLOTS * slip_ways; i += TILE_LANES) {
    const int place = slot_place(i / slip_ways), way = i % slip_ways;
    const TileEdge e = edge_at(place, way);
    if ((ways_there(g, at.x0 + place_x(place), at.y0 + place_y(place)) >> way & 1) == 0 ||
        !(top_has_void(t->tops[e.from]) | top_has_void(t->tops[e.to])) ||
        (tile_column(e.from) < 0 && tile_column(e.to) < 0))
      continue;
    falls_from(t, place, way, 0);
    falls_from(t, place, way, 1);
  }
}
FN void gap_books(__local GapTile* t, TileEdge e, int gets) {
  const int gives = tile_column(e.from), takes = tile_column(e.to);
  if (gives >= 0) atomic_or(&t->sides[gives], 1 << e.side);
  if (takes >= 0) atomic_or(&t->sides[takes], 1 << (gets + (e.side ^ 1)));
}
FN void gaps_slide(__local GapTile* t, IN(Slopes) s, TileAt at, int gets) {
  for (int i = at.lane; i < imin(t->fall_count, FALLS_MOST); i += TILE_LANES) {
    const int fall = t->falls[i], gap = fall / (2 * slip_ways), place = gap % TILE_PLACES;
    TileEdge e = edge_at(place, fall / 2 % slip_ways);
    if ((fall & 1) != 0) e = edge_turned(e);
    const int from = e.from + gap - place, height = t->floors[from];
    const int floor_level = t->floors[tile_gap(t, e.to, height)];
    const float along = along_edge(s, e.side, height - floor_level);
    const float across = tile_across(t, s, e, height, floor_level);
    if (steepness(along, across) > t->steepest[t->under[from]]) gap_books(t, e, gets);
  }
}

// ---- the same where no column has more than one void -----------------------------------------

// The void of a column, or the sky again, and its top.
typedef struct {
  int floor_level, ceiling, top;
  float steepest;  // that the floor may be
} Hollow;

FN Hollow hollow_at(const __local GapTile* t, int place) {
  const Hollow h = {t->floors[place], t->ceilings[place], t->tops[place].height,
                    t->steepest[t->under[place]]};
  return h;
}
FN int floor_in(Hollow h, int height) { return h.ceiling > height ? h.floor_level : h.top; }
// Of two floors beside each other at most one lies above the air beside it.
FN int falls_to(Hollow from, Hollow to) {
  return from.ceiling != LAYER_SKY && floor_in(to, from.floor_level) < from.floor_level;
}
// From a top into a void beside it.
FN int mouth_of(Hollow from, Hollow to) {
  return to.ceiling != LAYER_SKY && to.ceiling > from.top && to.floor_level < from.top;
}

// Over which of the edges of a slot something slides off a floor: bits of the ways, and,
// `slip_ways` further on, of those that are turned.
FN int hollow_way(IN(Slopes) s, int way, Hollow first, Hollow second, Hollow a, Hollow b, Hollow c,
                  Hollow d) {
  const int forth = falls_to(first, second), back = falls_to(second, first);
  if ((forth | back) == 0) return 0;
  const Hollow from = forth ? first : second, to = forth ? second : first;
  const int height = from.floor_level, floor_level = floor_in(to, height);
  const int ha = floor_in(a, height), hb = floor_in(b, height);
  float across;
  if (way == way_along || way == way_down) {
    const int hc = floor_in(c, height), hd = floor_in(d, height);
    const int of_first = forth ? height : floor_level, of_second = forth ? floor_level : height;
    across = across_axis(way == way_along ? s.across_x : s.across_y,
                         lesser_of(hb - of_first, of_first - ha),
                         lesser_of(hd - of_second, of_second - hc));
  } else {
    across = across_diagonal(s, height, floor_level, forth ? ha : hb, forth ? hb : ha);
  }
  const float along = along_edge(s, SLIP_SIDE(way), height - floor_level);
  if (!(steepness(along, across) > from.steepest)) return 0;
  return 1 << (forth ? way : way + slip_ways);
}
FN void hollow_mouths(__local GapTile* t, int place, int way, Hollow first, Hollow second) {
  const int forth = mouth_of(first, second), back = mouth_of(second, first);
  if ((forth | back) == 0) return;
  const TileEdge e = edge_at(place, way);
  const int gives = forth ? e.from : e.to, gap = t->ceilings[gives] == LAYER_SKY ? 0 : TILE_PLACES;
  const int next = atomic_inc(&t->fall_count);
  if (next < FALLS_MOST) t->falls[next] = fall_code(place + gap, way, back);
}

FN void hollows_slide(__local GapTile* t, LayerGrid g, IN(Slopes) s, TileAt at, int gets) {
  for (int i = at.lane; i < TILE_SLOTS; i += TILE_LANES) {
    const int place = slot_place(i);
    const __local LayerTop* tops = t->tops + place;
    const int there = ways_there(g, at.x0 + place_x(place), at.y0 + place_y(place));
    if (!(top_has_void(tops[0]) | top_has_void(tops[-1]) | top_has_void(tops[TILE_PITCH]) |
          top_has_void(tops[TILE_PITCH - 1])))
      continue;
    const Hollow w = hollow_at(t, place - 1), h = hollow_at(t, place);
    const Hollow sw = hollow_at(t, place + TILE_PITCH - 1), so = hollow_at(t, place + TILE_PITCH);
    const Hollow nw = hollow_at(t, place - TILE_PITCH - 1), no = hollow_at(t, place - TILE_PITCH);
    const Hollow e = hollow_at(t, place + 1), se = hollow_at(t, place + TILE_PITCH + 1);
    const int both = there | there << slip_ways;
    const int found = both & (hollow_way(s, way_along, w, h, nw, sw, no, so) |
                              hollow_way(s, way_down, h, so, w, e, sw, se) |
                              hollow_way(s, way_down_east, w, so, h, sw, h, sw) |
                              hollow_way(s, way_down_west, h, sw, w, so, w, so));
    if ((there >> way_along & 1) != 0) hollow_mouths(t, place, way_along, w, h);
    if ((there >> way_down & 1) != 0) hollow_mouths(t, place, way_down, h, so);
    if ((there >> way_down_east & 1) != 0) hollow_mouths(t, place, way_down_east, w, so);
    if ((there >> way_down_west & 1) != 0) hollow_mouths(t, place, way_down_west, h, sw);
    for (int rest = found; rest != 0; rest &= rest - 1) {
      const int way = lowest_bit((uint)rest);
      const TileEdge edge = edge_at(place, way % slip_ways);
      gap_books(t, way < slip_ways ? edge : edge_turned(edge), gets);
    }
  }
}

#endif
