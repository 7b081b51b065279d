// Prefix sums of counts: exclusive, modulo 2^32. Integers, so any order gives the same.
#ifndef SCREE_KERNEL_SCAN_H
#define SCREE_KERNEL_SCAN_H

#include "kernel/common/compat.h"

#define SCAN_PIECE 64

// The sum of the x-th piece.
FN void scan_sums_cell(int x, int unused, int count, GLOBAL const uint* RESTRICT values,
                       GLOBAL uint* RESTRICT sums) {
  const int last = imin((x + 1) * SCAN_PIECE, count);
  uint sum = (uint)unused;
  for (int i = x * SCAN_PIECE; i < last; ++i) sum += values[i];
  sums[x] = sum;
}
SCREE_KERNEL_3(scan_sums, int, count, GLOBAL const uint*, values, GLOBAL uint*, sums)

// Each value of the x-th piece becomes the sum of all before it; `before` is that of the pieces.
FN void scan_apply_cell(int x, int unused, int count, GLOBAL const uint* RESTRICT before,
                        GLOBAL uint* RESTRICT values) {
  const int last = imin((x + 1) * SCAN_PIECE, count);
  uint sum = before[x] + (uint)unused;
  for (int i = x * SCAN_PIECE; i < last; ++i) {
    const uint value = values[i];
    values[i] = sum;
    sum += value;
  }
}
SCREE_KERNEL_3(scan_apply, int, count, GLOBAL const uint*, before, GLOBAL uint*, values)

#endif
