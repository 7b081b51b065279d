// Water and what it carries: the per-edge and per-cell functions of the flow step.
//
// One signed flux lives on each edge (O'Brien & Hodgins 1995): a cell owns its east and south
// edge and, with eight neighbours, its south-east and south-west diagonal. A flux is stored in
// quanta of depth per second, so that flux * dt is what leaves a cell. A step is
//
//   speed   per cell   length of the cell's discharge vector, from the old fluxes
//   edge    per edge   new flux from the level difference, with friction
//   scale   per cell   no more leaves than is there (Muck 2012, eq 3.25)
//   carry   per edge   whole quanta of water and sediment, rounded without bias
//   settle  per cell   what arrives minus what leaves; erosion, deposition; rain, evaporation
//
// The order of the passes (rows in cache on a CPU, tiles in local memory on a GPU) is no concern
// of these functions, and does not change a bit of the result.
#ifndef SCREE_KERNEL_FLOW_H
#define SCREE_KERNEL_FLOW_H

#include "kernel/heights/halo.h"

// What a variant of the step computes; constants, so that dead code vanishes.
#define FLOW_EIGHT 1
#define FLOW_EROSION 2
#define FLOW_SHEET 4

// What a run asks for; the same for all cells.
#define OPTION_SOURCE_MAP 1       // rain map, disc, strip, springs: metres a second, per cell
#define OPTION_DROPS 2            // random drops
#define OPTION_TRACK 4            // accumulate flow, wear and deposit
#define OPTION_ERODIBILITY 8      // erodibility per cell
#define OPTION_LOOSENESS 512      // a factor on it that changes with deposition and recovers
#define OPTION_FLOOR 16           // bedrock that nothing digs below
#define OPTION_SINK 1024          // a sea: what reaches it leaves the world, and its bed stays
#define OPTION_SOIL_TO_WATER 32   // dissolved soil adds to the water's volume
#define OPTION_SPEED_CAPACITY 64  // Muck's capacity from speed and a depth ramp
#define OPTION_SHIELDS 128        // threshold of motion from grain size
#define OPTION_NO_TRANSPORT 256   // the sediment is advected by another pass
#define OPTIONS_ON_LAYERS (OPTION_ERODIBILITY | OPTION_FLOOR)

typedef struct {
  uint step_seed;
  int options;
  int booked_sides;  // SIDE_…: what crosses these borders of the world is booked
  float reserve;     // quanta a donor keeps: one an edge
  float dt;          // seconds
  float quantum;     // metres
  // water
  float accelerate_x, accelerate_y, accelerate_d;  // dt g (width / length) quantum / area
  float half_friction;                             // dt c_f / (2 quantum)
  float half_dx, half_dy;
  float keep;          // 1 - dampening: the largest share of a flux that survives a step
  float rain;          // quanta a step, everywhere
  float source_scale;  // quanta a step for 1 m/s
  float drop_chance;   // per drop-sized square and step
  float drop_amount;   // quanta
  float drops_per_dx, drops_per_dy;  // cell width over drop width
  float evaporate;                   // share of the depth a step
  float evaporate_depth;             // quanta a step, at most 1e8
  // erosion
  float slope_x, slope_y;  // quantum / (2 dx), quantum / (2 dy)
  float capacity;          // load for a discharge of 1 quantum·m/s on a vertical bed
  float least_sine2;       // the least tilt, squared
  float load_limit;        // largest load per depth of water
  float load_most;         // quanta
  float erode, deposit;    // share of the difference to capacity, a step
  float limit;             // share of the way to the lowest or highest neighbour, a step
  float slack;             // quanta that a cell may pass its neighbours by, at most 1e8
  float ramp;              // 1 / depth at which OPTION_SPEED_CAPACITY is whole, per quantum
  float shields;           // threshold: depth times tilt below this moves nothing, in quanta
  float loosen;            // looseness gained (or lost) per quantum deposited
  float recover;           // looseness recovered towards 1 a step while dry
  float looseness_low, looseness_high;
  float dry;  // quanta of water below which a cell counts as dry
  // sheet erosion (Swenson & Patil 2019)
  float share;       // of a level difference that moves in a step
  float abrasion;    // quanta of bed per quantum of water that passes
  float solubility;  // quanta of sediment a quantum of water can hold
  float deep;        // quanta of depth beyond which more water erodes no more
} Flow;

// What a cell's four (eight) edges carry away and bring; positive leaves through owned edges.
typedef struct {
  int bed, water, sediment;
  int rain, evaporated, dissolved;  // dissolved: soil added to water, negative when deposited
  int worn, deposited;
  int drained_water, drained_sediment;  // left through a sink
} Settled;

// ---- speed ---------------------------------------------------------------------------------

// Sum of the fluxes through a cell along x and y; half of it times the cell's length is the
// discharge vector of the cell (quanta·m/s). Diagonals count for both axes.
FN float flow_sum_x(float west, float east, float nw, float se, float ne, float sw) {
  return west + east + (nw + se) - (ne + sw);
}
FN float flow_sum_y(float north, float south, float nw, float se, float ne, float sw) {
  return north + south + (nw + se) + (ne + sw);
}
FN float discharge2(IN(Flow) p, float sum_x, float sum_y) {
  const float qx = sum_x * p.half_dx;
  const float qy = sum_y * p.half_dy;
  return qx * qx + qy * qy;
}

// The length of a discharge vector, of at least 1e-10 quanta·m/s, which no rounding can see.
#define FLOW_LEAST_SQUARE 1e-20f
FN float length_of(float square) { return root(fmax2(square, FLOW_LEAST_SQUARE)); }

// ---- edge ----------------------------------------------------------------------------------

// A cell that is too high, or full of load, gives and takes nothing: its edges see a wall.
FN int is_shut(int level, int sediment) {
  return (level > SCREE_LEVEL_LIMIT) | (sediment > SCREE_SEDIMENT_LIMIT);
}
FN int seen_bed(int bed, int level, int sediment) {
  return is_shut(level, sediment) ? SCREE_WALL : bed;
}

// Depth of water over the edge between two cells: from the higher bed to the higher level. It is
// the upstream depth on a slope, the depth over the sill under water, and zero towards a dry bank
// or a wall, where a flux must end (after Bates et al. 2010).
FN int edge_depth(int bed_a, int level_a, int bed_b, int level_b) {
  return imax(level_a, level_b) - imax(bed_a, bed_b);
}

// How much higher the bed is on the far side of an edge; a wall is as high as the cell before it.
FN float rise_between(int bed_a, int bed_b) {
  return imax(bed_a, bed_b) == SCREE_WALL ? 0.0f : (float)(bed_b - bed_a);
}

// Q' = (Q + dt A g dh / l + k Q) / (1 + 2 k), k = dt c_f |u| / d: Muck 2012, eq 3.20, as one signed
// pipe, with a quadratic bed friction linearised about the old flux (one Newton step), so that
// films, which reach their terminal speed in far less than dt, settle without swinging. |u| is the
// cell's speed, not the edge's, so that the terminal speed sqrt(g S d / c_f) is the same in every
// direction.
FN float pipe_flux(IN(Flow) p, float accelerate, float flux, int bed_a, int level_a, int bed_b,
                   int level_b, float discharge_a, float discharge_b) {
  const int depth = edge_depth(bed_a, level_a, bed_b, level_b);
  const float d = (float)depth;
  const float pushed = flux + accelerate * d * (float)(level_a - level_b);
  const float d2 = d * d;
  const float drag = p.half_friction * (discharge_a + discharge_b);
  const float slowed = (pushed * d2 + drag * flux) * inverse(d2 + (drag + drag));
  return depth > 0 && fabs2(slowed) > 1e-12f ? slowed : 0.0f;
}

// Sheet flow has no memory: a share of the level difference moves (Swenson & Patil 2019, §3.1).
FN float sheet_flux(IN(Flow) p, int bed_a, int level_a, int bed_b, int level_b) {
  return edge_depth(bed_a, level_a, bed_b, level_b) > 0 ? p.share * (float)(level_a - level_b)
                                                        : 0.0f;
}

// ---- scale ---------------------------------------------------------------------------------

// What a donor may give: all but one quantum an edge, less a hair for float rounding, so that the
// rounded amounts can never overdraw it, and no flood overflows a cell.
FN float spendable(float amount, float reserve) {
  return fmin2(fmax2(amount - reserve, 0.0f) * 0.99999f, SCREE_MOST_OUT);
}

FN float outgoing(float owned, float incoming) {
  return fmax2(owned, 0.0f) + fmax2(-incoming, 0.0f);
}

// Muck 2012, eq 3.25: the factor on all outgoing fluxes of a cell.
FN float outflow_scale(IN(Flow) p, int water, float outflow) {
  const float there = spendable((float)water, p.reserve);
  return fmin2(there * inverse(fmax2(outflow * p.dt, 1e-6f)), p.keep);
}

// Sediment that leaves with one quantum of water.
FN float concentration(IN(Flow) p, int water, int sediment) {
  return spendable((float)sediment, p.reserve) * inverse(fmax2((float)water, 1.0f));
}

// ---- carry ---------------------------------------------------------------------------------

// Of what the two ends of an edge say, that of the end which the water leaves.
FN float upstream(float flux, float a, float b) { return flux >= 0.0f ? a : b; }

// What one edge carries in a step: the flux, cut to what the donor can give, and whole quanta of
// water and load with its sign. One draw serves both, as each on its own is without bias; load
// leaves in proportion to the water that does.
typedef struct {
  float flux;
  int water, sediment;
} Carried;
FN Carried carried(IN(Flow) p, const int with_load, float flux, float scale_a, float load_a,
                   float scale_b, float load_b, float rounding) {
  Carried c;
  c.flux = flux * upstream(flux, scale_a, scale_b);
  const float amount = c.flux * p.dt;
  c.water = to_quanta(amount, rounding);
  c.sediment = with_load ? to_quanta(amount * upstream(flux, load_a, load_b), rounding) : 0;
  return c;
}

// ---- settle --------------------------------------------------------------------------------

// How high the highest neighbour stands above a cell, and how deep the lowest lies below it, from
// the rises of its edges: its own to the east and south, its neighbours' from the west and north.
FN float highest_of(float e, float w, float s, float n) {
  return fmax2(fmax2(e, -w), fmax2(s, -n));
}
FN float lowest_of(float e, float w, float s, float n) { return fmax2(fmax2(-e, w), fmax2(-s, n)); }

// Sine of the tilt, squared, at least that of the least tilt; from the rise over two cells along x
// and y. The sine of a slope with gradient g is sqrt(g^2 / (1 + g^2)): no trigonometry.
FN float tilt2(IN(Flow) p, float rise_x, float rise_y) {
  const float gx = rise_x * p.slope_x;
  const float gy = rise_y * p.slope_y;
  const float gradient2 = gx * gx + gy * gy;
  return fmax2(gradient2 * inverse(1.0f + gradient2), p.least_sine2);
}

// Muck's capacity depends on speed, with a ramp for shallow water (Muck 2012, eqs 3.34-3.36): the
// factor on the discharge form, from the depth before the step.
FN float speed_factor(IN(Flow) p, int water) {
  const float depth = (float)water;
  return fmin2(1.0f, depth * p.ramp) / fmax2(depth, 1.0f);
}

// Nothing moves below the threshold of motion; above it the share of the excess does (Shields
// 1936).
FN float shields_factor(IN(Flow) p, int water, float sine2) {
  return fmax2(1.0f - p.shields / fmax2((float)water * SQRT(sine2), 1e-3f), 0.0f);
}

// The load that the flow can carry, in quanta: discharge times tilt. The factors above are factors
// on it.
FN float load_capacity(IN(Flow) p, float sine2, float q2) {
  return p.capacity * length_of(sine2 * q2);
}

// No more than a share of the water, and than a depth of its own.
FN float load_held(IN(Flow) p, float capacity, float water) {
  return fmin2(fmin2(capacity, p.load_limit * water), p.load_most);
}

// Bed to load (positive) or load to bed (negative), in whole quanta. One step digs no cell deeper
// than a share of the way to its lowest neighbour and builds none higher than a share of the way
// to its highest, give or take the slack: no rate and no capacity can make a pit or a spike.
FN int exchange(IN(Flow) p, float load, int sediment, float below, float above, float erode,
                int above_floor, float rounding) {
  const float missing = load - (float)sediment;
  const int digs = missing > 0.0f;
  const float rate = digs ? erode : p.deposit;
  const float way = (digs ? below : above) + p.slack;
  const float wanted = fmin2(fabs2(missing) * rate, p.limit * fmax2(way, 0.0f));
  const int moved = imin(to_quanta(wanted, rounding), digs ? above_floor : sediment);
  return digs ? moved : -moved;
}

// Swenson & Patil 2019, §3.1 step 4: flowing water wears the bed, no more so beyond a depth; what
// exceeds the water's solubility settles. The limiter is the same as above.
FN int sheet_exchange(IN(Flow) p, float water, int sediment, int passed, float below, float above,
                      int above_floor, float rounding) {
  const float dig =
      fmin2(p.abrasion * fmin2((float)passed, p.deep), p.limit * fmax2(below + p.slack, 0.0f));
  const int worn = imin(to_quanta(dig, rounding), above_floor);
  const float surplus = (float)(sediment + worn) - p.solubility * water;
  const float drop = fmin2(surplus, p.limit * fmax2(above + p.slack, 0.0f));
  return worn - imin(to_quanta(fmax2(drop, 0.0f), rounding), sediment + worn);
}

FN int floor_of(float value) {
  const int whole = (int)value;
  return whole - (value < (float)whole ? 1 : 0);
}

// Random drops: squares of the drop's size, each wet with a chance a step (Muck 2012, eq 3.3).
FN float drop_rain(IN(Flow) p, int world_x, int world_y) {
  const int column = floor_of((float)world_x * p.drops_per_dx);
  const int row = floor_of((float)world_y * p.drops_per_dy);
  const uint hash = cell_hash(p.step_seed ^ 0x68e31da4u, column, row);
  return draw(hash, SCREE_DRAW_A) < p.drop_chance ? p.drop_amount : 0.0f;
}

// Evaporation takes a share of the depth (Muck 2012, eq 3.53) and a depth of its own.
FN int evaporated_quanta(IN(Flow) p, float depth, int water, float rounding) {
  const float amount = fmin2(depth * p.evaporate + p.evaporate_depth, SCREE_MOST_OUT);
  return imin(to_quanta(amount, rounding), water);
}

// Deposited soil is looser (or, with a negative factor, firmer) than settled rock and recovers
// while dry (Muck 2012, eq 3.39 and listing 5.11; the intent is Jako 2011's).
FN float changed_looseness(IN(Flow) p, float looseness, int deposited, int water) {
  const float moved = looseness + p.loosen * (float)deposited;
  const float back = moved > 1.0f ? fmax2(moved - p.recover, 1.0f) : fmin2(moved + p.recover, 1.0f);
  const float now = (float)water < p.dry ? back : moved;
  return fmin2(fmax2(now, p.looseness_low), p.looseness_high);
}

// What settle() needs to know about a cell, all of it gathered.
typedef struct {
  int bed, water, sediment;       // before the step
  int water_gain, sediment_gain;  // net, over all edges
  int water_passed;               // over all edges, in and out (sheet flow)
  float below, above;             // how deep the lowest neighbour lies, how high the highest
  int shut;                       // no rain falls on a cell that is
  float rain;                     // quanta, at most SCREE_MOST_OUT
  float erode;                    // share of the missing load that is dug in a step
  float capacity;                 // load that the flow can carry
  int sink;                       // all bits for a sink, none for land
  int above_floor;                // quanta of bed that may be dug
} Around;

// A wall needs no case of its own: nothing reaches it, and it is shut. One draw serves a cell's
// amounts, as each on its own is without bias.
FN Settled settle(IN(Flow) p, const int kind, const int options, IN(Around) a, uint hash) {
  Settled c;
  c.bed = a.bed;
  c.water = a.water + a.water_gain;
  c.sediment = a.sediment + a.sediment_gain;
  c.worn = 0;
  c.deposited = 0;
  c.dissolved = 0;
  const float u = rounding(hash, SCREE_DRAW_C);
  const float depth = (float)c.water;
  if (kind & (FLOW_EROSION | FLOW_SHEET)) {
    int moved;
    if (kind & FLOW_SHEET) {
      moved =
          sheet_exchange(p, depth, c.sediment, a.water_passed, a.below, a.above, a.above_floor, u);
    } else {
      const float load = load_held(p, a.capacity, depth);
      moved = exchange(p, load, c.sediment, a.below, a.above, a.erode, a.above_floor, u);
    }
    c.bed -= moved;
    c.sediment += moved;
    c.worn = imax(moved, 0);
    c.deposited = imax(-moved, 0);
    c.dissolved = imax(moved, -c.water) & -(int)((options & OPTION_SOIL_TO_WATER) != 0);
    c.water += c.dissolved;
  }
  // A sink swallows what came and keeps its bed.
  c.drained_water = (a.water + a.water_gain) & a.sink;
  c.drained_sediment = (a.sediment + a.sediment_gain) & a.sink;
  c.bed = (c.bed & ~a.sink) | (a.bed & a.sink);
  c.water &= ~a.sink;
  c.sediment &= ~a.sink;
  c.worn &= ~a.sink;
  c.deposited &= ~a.sink;
  c.dissolved &= ~a.sink;
  c.rain = ~a.sink & (a.shut ? 0 : to_quanta(a.rain, u));
  c.evaporated = evaporated_quanta(p, depth, c.water, u);
  c.water += c.rain - c.evaporated;
  return c;
}

#endif
