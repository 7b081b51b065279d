// What slides over an edge of a column of layers, and from which surface (slip.h).
#ifndef SCREE_KERNEL_SLIP_EDGE_H
#define SCREE_KERNEL_SLIP_EDGE_H

#include "kernel/layers/stack.h"
#include "kernel/layers/talus.h"

typedef struct {
  float share_x, share_y, share_d;  // of the excess height, a step
  float drop_x, drop_y, drop_d;     // quanta of difference that the talus angle allows
  float steepest;                   // square of its talus slope, in quanta a metre
  float ceiling;                    // quanta that fall from a void's ceiling, a step
  uint dust;                        // what it becomes when it moves
  uint loose;                       // 1: what arrives may mix with it
} LayerMaterial;

typedef struct {
  uint step_seed;
  float scatter;   // share of an amount that chance may take away
  int mixing;      // depth in quanta to which arrivals find a layer of their own kind
  int materials;   // that there are, the void among them
  int published;   // 1: by the document's own rule
  int usual;       // layers that most columns have at most
  int voids;       // 0: no column has any
  uint crumbling;  // bits of the materials that fall from ceilings
  Slopes slopes;
} Slip;

// A variant of its own on OpenCL, so that what is not asked for costs nothing.
#ifdef __OPENCL_VERSION__
#ifdef SLIP_PUBLISHED
#define SLIP_AS_PUBLISHED(p) 1
#else
#define SLIP_AS_PUBLISHED(p) 0
#endif
#else
#define SLIP_AS_PUBLISHED(p) ((p).published)
#endif

// True where air lies upon layer k; -1 is the ground below all layers.
FN int has_surface(const LayerStack* c, int k) {
  if (k >= 0 && layer_material(STACK_WORD(c, k)) == LAYER_VOID) return 0;
  return k + 1 == c->count || layer_material(STACK_WORD(c, k + 1)) == LAYER_VOID;
}
// Where the air above surface k ends, from its floor.
FN int ceiling_above(const LayerStack* c, int k, int floor_level) {
  return k + 1 == c->count ? LAYER_SKY : floor_level + layer_thickness(STACK_WORD(c, k + 1));
}

// ---- one edge --------------------------------------------------------------------------------

// From one surface to the floor of the gap beside it: what it takes from layer after layer.
typedef struct {
  int side;
  int single;  // the only side over which what is too thin to be shared may go
  uint hash;
  float factor;  // of chance
  float stands;  // share of the talus angle's drop that stands along it
  int room;      // in the gap, that may yet be filled
  int level;     // the top of the layer that is asked next
  int taken;
  int done;
} SlipEdge;

// At most `scatter` less, never more, near a bell curve: a sum of four draws. "We decrease this
// amount by at most ten percent" (Beneš & Forsbach 2001, §3).
FN float scattered(float scatter, uint hash) {
  const int sum =
      (int)(hash & 255u) + (int)(hash >> 8 & 255u) + (int)(hash >> 16 & 255u) + (int)(hash >> 24);
  return 1.0f - scatter * ((float)imax(sum - 510, 510 - sum) * (1.0f / 510.0f));
}

// Of the giver's hash.
FN SlipEdge edge_by(IN(Slip) p, uint cell, int side) {
  SlipEdge e;
  e.side = side;
  e.single = (int)(cell >> 29);
  e.hash = mix_bits(cell + (uint)side * 0x27d4eb2fu);
  e.factor = scattered(p.scatter, mix_bits(e.hash));
  e.stands = 1.0f;
  e.room = 0;
  e.level = 0;
  e.taken = 0;
  e.done = 0;
  return e;
}
FN SlipEdge edge_of(IN(Slip) p, int x, int y, int side) {
  return edge_by(p, cell_hash(p.step_seed, x, y), side);
}
FN void edge_starts(SlipEdge* e, int level, float stands) {
  e->stands = stands;
  e->level = level;
  e->taken = 0;
  e->done = 0;
}

FN float drop_over(int side, IN(LayerMaterial) m) {
  return of_side(side, m.drop_x, m.drop_y, m.drop_d);
}
FN float share_over(int side, IN(LayerMaterial) m) {
  return of_side(side, m.share_x, m.share_y, m.share_d);
}

// What the edge takes from the next layer down, of which so much stands too high by that one's own
// drop, and which moves so large a share of it.
FN int edge_takes_of(SlipEdge* e, int thickness, float excess, float share) {
  const int wanted =
      to_quanta(share * excess * e->factor, rounding(e->hash, SCREE_DRAW_B)) - e->taken;
  const int most = thickness >= LAYER_SIDES ? thickness / LAYER_SIDES
                   : e->single == e->side   ? thickness
                                            : 0;
  const int amount = imax(imin(imin(wanted, most), e->room), 0);
  e->taken += amount;
  e->room -= amount;
  e->level -= thickness;
  e->done = wanted <= most;
  return amount;
}
FN float edge_excess(const SlipEdge* e, int floor_beside, float drop) {
  return (float)(e->level - floor_beside) - e->stands * drop;
}
FN int edge_takes_by(SlipEdge* e, uint word, int floor_beside, float drop, float share) {
  const float excess = edge_excess(e, floor_beside, drop);
  if (layer_material(word) == LAYER_VOID || !(excess > 0.0f)) {
    e->done = 1;
    return 0;
  }
  return edge_takes_of(e, layer_thickness(word), excess, share);
}
FN int edge_takes(SlipEdge* e, uint word, int floor_beside,
                  GLOBAL const LayerMaterial* RESTRICT table) {
  const uint material = layer_material(word);
  return edge_takes_by(e, word, floor_beside, drop_over(e->side, table[material]),
                       share_over(e->side, table[material]));
}

FN int room_of_edge(int floor_level, int ceiling_level) {
  return ceiling_level == LAYER_SKY ? LAYER_SKY : (ceiling_level - floor_level) / LAYER_SIDES;
}

#endif
