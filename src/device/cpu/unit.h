// Included first by every generated compilation unit (one kernel header, one instruction set):
// turns SCREE_KERNEL_n into a registered loop over rows.
#pragma once

#define SCREE_CPU_UNIT 1
#include "device/cpu/registry.h"

#define SCREE_TEXT_OF(x) #x
#define SCREE_TEXT(x) SCREE_TEXT_OF(x)
// No iteration of a row's loop depends on another: passes never read and write one array.
#if defined(__clang__)
#define SCREE_SIMD _Pragma("clang loop vectorize(assume_safety)")
#else
#define SCREE_SIMD _Pragma("GCC ivdep")
#endif

#define SCREE_REGISTER(name, ...)                                                                 \
  namespace {                                                                                     \
  const ::scree::device::CpuKernel registered_##name{SCREE_TEXT(SCREE_ISA), #name, &__VA_ARGS__}; \
  }

#define SCREE_VALUE(type, name, i) type name = *static_cast<type const*>(arguments[i]);

// The range is copied: for all that a compiler knows, the numbers that are written might be the one
// it was given, and it would not take several cells at once.
#define SCREE_LOOP(kernel_name, unpack, call)                                 \
  namespace {                                                                 \
  void kernel_name##_rows(const void* const* arguments, const Range& whole) { \
    const Range range = whole;                                                \
    unpack for (int y = range.y0; y < range.y1; ++y) {                        \
      SCREE_SIMD                                                              \
      for (int x = range.x0; x < range.x1; ++x) call;                         \
    }                                                                         \
  }                                                                           \
  }                                                                           \
  SCREE_REGISTER(kernel_name, kernel_name##_rows)

#define SCREE_KERNEL_2(name, A, a, B, b) \
  SCREE_LOOP(name, SCREE_VALUE(A, a, 0) SCREE_VALUE(B, b, 1), name##_cell(x, y, a, b))
#define SCREE_KERNEL_3(name, A, a, B, b, C, c)                                     \
  SCREE_LOOP(name, SCREE_VALUE(A, a, 0) SCREE_VALUE(B, b, 1) SCREE_VALUE(C, c, 2), \
             name##_cell(x, y, a, b, c))
#define SCREE_KERNEL_4(name, A, a, B, b, C, c, D, d)                                              \
  SCREE_LOOP(name,                                                                                \
             SCREE_VALUE(A, a, 0) SCREE_VALUE(B, b, 1) SCREE_VALUE(C, c, 2) SCREE_VALUE(D, d, 3), \
             name##_cell(x, y, a, b, c, d))
#define SCREE_KERNEL_5(name, A, a, B, b, C, c, D, d, E, e)                                       \
  SCREE_LOOP(name,                                                                               \
             SCREE_VALUE(A, a, 0) SCREE_VALUE(B, b, 1) SCREE_VALUE(C, c, 2) SCREE_VALUE(D, d, 3) \
                 SCREE_VALUE(E, e, 4),                                                           \
             name##_cell(x, y, a, b, c, d, e))
#define SCREE_KERNEL_6(name, A, a, B, b, C, c, D, d, E, e, F, f)                                 \
  SCREE_LOOP(name,                                                                               \
             SCREE_VALUE(A, a, 0) SCREE_VALUE(B, b, 1) SCREE_VALUE(C, c, 2) SCREE_VALUE(D, d, 3) \
                 SCREE_VALUE(E, e, 4) SCREE_VALUE(F, f, 5),                                      \
             name##_cell(x, y, a, b, c, d, e, f))
#define SCREE_KERNEL_7(name, A, a, B, b, C, c, D, d, E, e, F, f, G, g)                           \
  SCREE_LOOP(name,                                                                               \
             SCREE_VALUE(A, a, 0) SCREE_VALUE(B, b, 1) SCREE_VALUE(C, c, 2) SCREE_VALUE(D, d, 3) \
                 SCREE_VALUE(E, e, 4) SCREE_VALUE(F, f, 5) SCREE_VALUE(G, g, 6),                 \
             name##_cell(x, y, a, b, c, d, e, f, g))
#define SCREE_KERNEL_8(name, A, a, B, b, C, c, D, d, E, e, F, f, G, g, H, h)                     \
  SCREE_LOOP(name,                                                                               \
             SCREE_VALUE(A, a, 0) SCREE_VALUE(B, b, 1) SCREE_VALUE(C, c, 2) SCREE_VALUE(D, d, 3) \
                 SCREE_VALUE(E, e, 4) SCREE_VALUE(F, f, 5) SCREE_VALUE(G, g, 6)                  \
                     SCREE_VALUE(H, h, 7),                                                       \
             name##_cell(x, y, a, b, c, d, e, f, g, h))
#define SCREE_KERNEL_9(name, A, a, B, b, C, c, D, d, E, e, F, f, G, g, H, h, I, i)               \
  SCREE_LOOP(name,                                                                               \
             SCREE_VALUE(A, a, 0) SCREE_VALUE(B, b, 1) SCREE_VALUE(C, c, 2) SCREE_VALUE(D, d, 3) \
                 SCREE_VALUE(E, e, 4) SCREE_VALUE(F, f, 5) SCREE_VALUE(G, g, 6)                  \
                     SCREE_VALUE(H, h, 7) SCREE_VALUE(I, i, 8),                                  \
             name##_cell(x, y, a, b, c, d, e, f, g, h, i))
#define SCREE_KERNEL_10(name, A, a, B, b, C, c, D, d, E, e, F, f, G, g, H, h, I, i, J, j)        \
  SCREE_LOOP(name,                                                                               \
             SCREE_VALUE(A, a, 0) SCREE_VALUE(B, b, 1) SCREE_VALUE(C, c, 2) SCREE_VALUE(D, d, 3) \
                 SCREE_VALUE(E, e, 4) SCREE_VALUE(F, f, 5) SCREE_VALUE(G, g, 6)                  \
                     SCREE_VALUE(H, h, 7) SCREE_VALUE(I, i, 8) SCREE_VALUE(J, j, 9),             \
             name##_cell(x, y, a, b, c, d, e, f, g, h, i, j))
#define SCREE_KERNEL_12(name, A, a, B, b, C, c, D, d, E, e, F, f, G, g, H, h, I, i, J, j, K, k, L, \
                        l)                                                                         \
  SCREE_LOOP(name,                                                                                 \
             SCREE_VALUE(A, a, 0) SCREE_VALUE(B, b, 1) SCREE_VALUE(C, c, 2) SCREE_VALUE(D, d, 3)   \
                 SCREE_VALUE(E, e, 4) SCREE_VALUE(F, f, 5) SCREE_VALUE(G, g, 6)                    \
                     SCREE_VALUE(H, h, 7) SCREE_VALUE(I, i, 8) SCREE_VALUE(J, j, 9)                \
                         SCREE_VALUE(K, k, 10) SCREE_VALUE(L, l, 11),                              \
             name##_cell(x, y, a, b, c, d, e, f, g, h, i, j, k, l))
