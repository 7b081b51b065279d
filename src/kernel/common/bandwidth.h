// A plain copy: what a machine's memory allows, measured in the same run as the kernels.
#ifndef SCREE_KERNEL_BANDWIDTH_H
#define SCREE_KERNEL_BANDWIDTH_H

#include "kernel/common/compat.h"

FN void copy_field_cell(int x, int y, Grid g, GLOBAL const float* RESTRICT from,
                        GLOBAL float* RESTRICT to) {
  const int i = cell_index(g, x, y);
  to[i] = from[i];
}
SCREE_KERNEL_3(copy_field, Grid, g, GLOBAL const float*, from, GLOBAL float*, to)

#endif
