// A device's own check of what the kernels stand on: inverse() and root() against / and sqrt, for
// every mantissa.
#ifndef SCREE_KERNEL_ARITHMETIC_H
#define SCREE_KERNEL_ARITHMETIC_H

#include "kernel/common/compat.h"

#define ARITHMETIC_WIDTH 4096
#define ARITHMETIC_HEIGHT 2048

FN int arithmetic_differs(float x) {
  return (inverse(x) != 1.0f / x ? 1 : 0) + (root(x) != SQRT(x) ? 1 : 0);
}

// The exponent of a reciprocal follows from its argument's; that of a root from whether it is odd.
FN void arithmetic_cell(int x, int y, float scale, GLOBAL int* wrong) {
  const float mantissa = 1.0f + (float)(y * ARITHMETIC_WIDTH + x) * (1.0f / 8388608.0f);
  const float a = mantissa * scale;
  wrong[y * ARITHMETIC_WIDTH + x] = arithmetic_differs(a) + arithmetic_differs(2.0f * a);
}
SCREE_KERNEL_2(arithmetic, float, scale, GLOBAL int*, wrong)

#endif
