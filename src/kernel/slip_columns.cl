// Thermal erosion of layers on an OpenCL device, column by column: those with a void in them or
// beside them, which are few (slip.cl has the others), or, by the document's own rule, all. A
// work-group writes down such columns of its tile, finds over which of their sides something
// slides, a lane for each side, and then works out those that change side by side.
#include "kernel/slip.h"
#include "kernel/slip_size.h"

#define TILE_COLUMNS (SLIP_TILE_X * SLIP_TILE_Y)

// Something slides over a side of a column, off any of its surfaces: give_over would take from it.
FN int slides_over(LayerGrid g, IN(Slip) p, GLOBAL const LayerMaterial* RESTRICT table,
                   SlipColumn giver, int side) {
  const int from = giver.y * g.width + giver.x, other = layer_beside(g, giver.x, giver.y, side);
  const int count = top_count(giver.tops[from]), plane = g.width * g.height;
  uint next = giver.words[from];
  for (int k = 0, level = 0; k < count; ++k) {
    const uint word = next;
    next = k + 1 < count ? giver.words[from + (k + 1) * plane] : 0u;
    level += layer_thickness(word);
    if (layer_material(word) == LAYER_VOID || layer_material(next) != LAYER_VOID) continue;
    const LayerGap gap = gap_open_at(g, giver, other, level);
    if (gap.ceiling <= gap.floor_level) continue;
    const float along = along_edge(p.slopes, side, level - gap.floor_level);
    const float across = k + 1 == count && gap.ceiling == LAYER_SKY
                             ? across_edge(g, p.slopes, giver.tops, giver.x, giver.y, side)
                             : across_floors(g, p.slopes, giver.words, giver.tops, giver.x, giver.y,
                                             side, level, gap.floor_level);
    if (steepness(along, across) > table[layer_material(word)].steepest) return 1;
  }
  return 0;
}

// A column changes even where nothing slides: a ceiling crumbles, or it has layers as no step
// leaves them.
FN int changes_by_itself(LayerGrid g, GLOBAL const LayerMaterial* RESTRICT table,
                         GLOBAL const uint* RESTRICT words, LayerTop top, int cell) {
  int changes = top_count(top) > 0 && top_material(top) == LAYER_VOID;
  uint below = LAYER_MATERIALS;
  for (int k = 0; k < top_count(top); ++k) {
    const uint material = layer_material(words[cell + k * g.width * g.height]);
    changes |= material == below || (below == LAYER_VOID && table[material].ceiling > 0.0f);
    below = material;
  }
  return changes;
}

// In `sides`, beside what slip_sides has there: the column is one of those to be worked out.
#define IS_LISTED (1 << (SLIP_VOIDS + 1))

// Whether a column finds out what slides over a side, for the column there, too: of two in one tile
// only one does.
FN int looks_over(int column, int side, __local const int* sides) {
  const int x = column % SLIP_TILE_X + side_x(side), y = column / SLIP_TILE_X + side_y(side);
  const int inside = x >= 0 && x < SLIP_TILE_X && y >= 0 && y < SLIP_TILE_Y;
  const int is_first = side_y(side) > 0 || (side_y(side) == 0 && side_x(side) > 0);
  return is_first || !inside || (sides[y * SLIP_TILE_X + x] & IS_LISTED) == 0;
}

__kernel __attribute__((reqd_work_group_size(SLIP_TILE_X, SLIP_TILE_Y, 1))) void slip_columns(
    Range range, LayerGrid g, Slip p, __global const LayerMaterial* restrict table,
    __global const uint* restrict before, __global const LayerTop* restrict tops,
    __global uint* restrict after, __global LayerTop* restrict tops_after,
    __global uint* restrict needed) {
  __local int there[TILE_COLUMNS], sides[TILE_COLUMNS], columns[TILE_COLUMNS];
  __local int count, moves;
  const int lx = (int)get_local_id(0), ly = (int)get_local_id(1), lane = ly * SLIP_TILE_X + lx;
  const int x = (int)get_global_id(0), y = (int)get_global_id(1), own = y * g.width + x;
  if (lane == 0) count = moves = 0;
  sides[lane] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x < g.width && y < g.height) {
    there[lane] =
        SLIP_AS_PUBLISHED(p) ? slip_sides(x, y, g, p, table, tops) : sides_by_voids(x, y, g, tops);
    if (SLIP_AS_PUBLISHED(p)) {
      sides[lane] = there[lane];
    } else if (there[lane] != 0) {
      columns[atomic_inc(&count)] = lane;
      sides[lane] = IS_LISTED | changes_by_itself(g, table, before, tops[own], own) << SLIP_VOIDS;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = lane; i < count * LAYER_SIDES; i += TILE_COLUMNS) {
    const int column = columns[i % count], side = i / count;
    if ((there[column] >> side & 1) == 0 || !looks_over(column, side, sides)) continue;
    const SlipColumn here = {before, tops, x - lx + column % SLIP_TILE_X,
                             y - ly + column / SLIP_TILE_X};
    const SlipColumn beside = {before, tops, beside_x(g, here.x, side), beside_y(g, here.y, side)};
    const int forth = slides_over(g, p, table, here, side);
    const int back = slides_over(g, p, table, beside, side ^ 1);
    if ((forth | back) == 0) continue;
    atomic_or(&sides[column], forth << side | back << (side + SLIP_GETS) | 1 << SLIP_VOIDS);
    const int nx = column % SLIP_TILE_X + side_x(side), ny = column / SLIP_TILE_X + side_y(side);
    if (nx >= 0 && nx < SLIP_TILE_X && ny >= 0 && ny < SLIP_TILE_Y)
      atomic_or(&sides[ny * SLIP_TILE_X + nx],
                back << (side ^ 1) | forth << ((side ^ 1) + SLIP_GETS) | 1 << SLIP_VOIDS);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x < g.width && y < g.height) {
    const int listed = SLIP_AS_PUBLISHED(p) || (sides[lane] & IS_LISTED) != 0;
    if (listed && (sides[lane] & ~IS_LISTED) != 0)
      columns[atomic_inc(&moves)] = lane;
    else if (listed)
      slip_stands(own, g, before, tops, after, tops_after);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane < moves) {
    const int column = columns[lane];
    slip_moves(x - lx + column % SLIP_TILE_X, y - ly + column / SLIP_TILE_X,
               sides[column] & ~IS_LISTED, g, p, table, before, tops, after, tops_after, needed);
  }
}
