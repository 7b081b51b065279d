// Semi-Lagrangian transport of sediment, as published: backward Euler (Muck 2012, eqs 3.41-3.42)
// and MacCormack (eq 3.44, limited as in listing 5.15). Neither conserves; the difference is
// booked.
#ifndef SCREE_KERNEL_ADVECT_H
#define SCREE_KERNEL_ADVECT_H

#include "kernel/heights/flow.h"

// No step reaches further than the halo allows.
#define ADVECT_REACH 2.0f

typedef struct {
  int eight;
  float cells_x, cells_y;  // discharge (quanta m/s) over depth (quanta) to cells a step
} Advect;

// Velocity in cells a step, from the fluxes and the depth (Muck 2012, eqs 3.29-3.31).
FN void advect_velocity_cell(int x, int y, Grid g, Advect p, GLOBAL const int* RESTRICT water,
                             GLOBAL const float* RESTRICT east, GLOBAL const float* RESTRICT south,
                             GLOBAL const float* RESTRICT se, GLOBAL const float* RESTRICT sw,
                             GLOBAL float* RESTRICT vx, GLOBAL float* RESTRICT vy) {
  const int i = cell_index(g, x, y), n = i - g.stride;
  const float nw_f = p.eight ? se[n - 1] : 0.0f, se_f = p.eight ? se[i] : 0.0f;
  const float ne_f = p.eight ? sw[n + 1] : 0.0f, sw_f = p.eight ? sw[i] : 0.0f;
  const float d = 1.0f / (float)imax(water[i], 1);
  const float u = flow_sum_x(east[i - 1], east[i], nw_f, se_f, ne_f, sw_f) * p.cells_x * d;
  const float v = flow_sum_y(south[n], south[i], nw_f, se_f, ne_f, sw_f) * p.cells_y * d;
  vx[i] = fmin2(fmax2(u, -ADVECT_REACH), ADVECT_REACH);
  vy[i] = fmin2(fmax2(v, -ADVECT_REACH), ADVECT_REACH);
}
SCREE_KERNEL_9(advect_velocity, Grid, g, Advect, p, GLOBAL const int*, water, GLOBAL const float*,
               east, GLOBAL const float*, south, GLOBAL const float*, se, GLOBAL const float*, sw,
               GLOBAL float*, vx, GLOBAL float*, vy)

// The four cells around (x + u, y + v) and their weights.
typedef struct {
  int i;
  float fx, fy;
} Sample;

FN Sample sample_at(Grid g, int x, int y, float u, float v) {
  const float px = u + ADVECT_REACH, py = v + ADVECT_REACH;  // >= 0, so truncation is floor
  const int ix = imin((int)px, 3), iy = imin((int)py, 3);
  Sample s;
  s.i = cell_index(g, x - 2 + ix, y - 2 + iy);
  s.fx = px - (float)ix;
  s.fy = py - (float)iy;
  return s;
}

FN float blend(Sample s, float a, float b, float c, float d) {
  const float top = a + (b - a) * s.fx;
  const float bottom = c + (d - c) * s.fx;
  return top + (bottom - top) * s.fy;
}

// phi-hat of eq 3.44a: the value upstream.
FN void advect_forward_cell(int x, int y, Grid g, GLOBAL const float* RESTRICT vx,
                            GLOBAL const float* RESTRICT vy, GLOBAL const int* RESTRICT sediment,
                            GLOBAL float* RESTRICT ahead) {
  const int i = cell_index(g, x, y);
  const Sample s = sample_at(g, x, y, -vx[i], -vy[i]);
  ahead[i] = blend(s, (float)sediment[s.i], (float)sediment[s.i + 1],
                   (float)sediment[s.i + g.stride], (float)sediment[s.i + g.stride + 1]);
}
SCREE_KERNEL_5(advect_forward, Grid, g, GLOBAL const float*, vx, GLOBAL const float*, vy,
               GLOBAL const int*, sediment, GLOBAL float*, ahead)

typedef struct {
  uint step_seed;
  int correct;  // 0: Euler, 1: MacCormack
} AdvectEnd;

FN void advect_finish_cell(int x, int y, Grid g, AdvectEnd p, GLOBAL const float* RESTRICT vx,
                           GLOBAL const float* RESTRICT vy, GLOBAL const int* RESTRICT bed,
                           GLOBAL const int* RESTRICT sediment, GLOBAL const float* RESTRICT ahead,
                           GLOBAL int* RESTRICT out) {
  const int i = cell_index(g, x, y);
  float value = ahead[i];
  if (p.correct) {
    const Sample back = sample_at(g, x, y, vx[i], vy[i]);
    const float again = blend(back, ahead[back.i], ahead[back.i + 1], ahead[back.i + g.stride],
                              ahead[back.i + g.stride + 1]);
    const Sample from = sample_at(g, x, y, -vx[i], -vy[i]);
    const int a = sediment[from.i], b = sediment[from.i + 1];
    const int c = sediment[from.i + g.stride], d = sediment[from.i + g.stride + 1];
    const float low = (float)imin(imin(a, b), imin(c, d));
    const float high = (float)imax(imax(a, b), imax(c, d));
    value = value + ((float)sediment[i] - again) * 0.5f;
    value = fmin2(fmax2(value, low), high);
  }
  const float r = rounding(hash_at(g, p.step_seed, x, y), SCREE_DRAW_F);
  out[i] = bed[i] == SCREE_WALL ? 0 : quanta_up_to(1e9f, fmax2(value, 0.0f), r);
}
SCREE_KERNEL_8(advect_finish, Grid, g, AdvectEnd, p, GLOBAL const float*, vx, GLOBAL const float*,
               vy, GLOBAL const int*, bed, GLOBAL const int*, sediment, GLOBAL const float*, ahead,
               GLOBAL int*, out)

#endif
