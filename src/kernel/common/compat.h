// The few words that C++20 and OpenCL C 1.2 do not share. Every kernel header starts here.
//
// Rules (see docs/architecture.md): only + - * / sqrt, comparisons and integers; no fused
// multiply-add; min and max are fmin2 and fmax2 below; gather, never scatter floats.
#ifndef SCREE_KERNEL_COMPAT_H
#define SCREE_KERNEL_COMPAT_H

#ifdef __OPENCL_VERSION__
#pragma OPENCL FP_CONTRACT OFF
// Always inlined: PoCL 3.1 drops calls of functions that book in a work-group's own memory.
#define FN __attribute__((always_inline)) static inline
#define GLOBAL __global
#define IN(type) type
#define RESTRICT restrict
#define SQRT(x) sqrt(x)
#define UNROLL _Pragma("unroll")  // what is indexed in such a loop stays in registers
#define nullptr 0
typedef long i64;
FN uint bits_of(float x) { return as_uint(x); }
FN float from_bits(uint bits) { return as_float(bits); }
#else
#include <cstddef>
#include <cstdint>
#define FN [[maybe_unused, gnu::always_inline]] static inline
#define GLOBAL
#define IN(type) const type&
#define RESTRICT __restrict
#define SQRT(x) __builtin_sqrtf(x)
#define UNROLL _Pragma("GCC unroll 8")
typedef unsigned int uint;
typedef long long i64;
FN uint bits_of(float x) { return __builtin_bit_cast(uint, x); }
FN float from_bits(uint bits) { return __builtin_bit_cast(float, bits); }
#endif

// The halo is as wide as the longest chain of passes between two fills: the flow step needs
// three cells of flux. Rows start on a cache line.
#define SCREE_HALO 3
#define SCREE_PAD 16
// Rows that are allocated past the halo: a kernel that takes several at a time may read them.
#define SCREE_SLACK 3

// A cell that is no land at all (nodata, a closed border): higher than any level. Nothing flows and
// no rain falls above SCREE_LEVEL_LIMIT; a cell gives at most SCREE_MOST_OUT of water and of load
// in a step, and no more rain falls on it, so that eight neighbours together cannot lift it to a
// wall.
#define SCREE_WALL 1073741823
#define SCREE_LEVEL_LIMIT 788529152
#define SCREE_MOST_OUT 33554432.0f
#define SCREE_SEDIMENT_LIMIT 536870912

// Where a field lies in memory and where its cells lie in the world. All members are 4 bytes.
typedef struct {
  int width, height;   // interior cells
  int stride;          // elements between rows
  int x0, y0;          // world cell of the interior's first cell (tiles, scrolling)
  int wrap_x, wrap_y;  // world size in cells where it wraps, 0 where it does not
  float dx, dy;        // metres
} Grid;

// The cells a kernel is asked to visit, half open, in interior coordinates.
typedef struct {
  int x0, y0, x1, y1;
} Range;

// Correctly rounded 1/x and sqrt(x) for positive x between 2^-100 and 2^100. NVIDIA's compilers
// guard these with a branch for the odd values; without it, independent work can overlap. The steps
// are the ones that they take themselves, and a test compares every mantissa with / and sqrt.
#ifdef SCREE_NVIDIA
FN float inverse(float x) {
  float y;
  __asm__("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return fma(y, fma(-x, y, 1.0f), y);
}
FN float root(float x) {
  float y;
  __asm__("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  const float g = x * y;
  return fma(fma(-g, g, x), 0.5f * y, g);
}
#else
FN float inverse(float x) { return 1.0f / x; }
FN float root(float x) { return SQRT(x); }
#endif

FN int imin(int a, int b) { return a < b ? a : b; }
FN int imax(int a, int b) { return a > b ? a : b; }

// Of two numbers, never NaN, where the sign of a zero does not matter: there devices disagree. Each
// compiler is given the form that it turns into one instruction.
#if defined(SCREE_CPU_UNIT)
FN float fmin2(float a, float b) { return __builtin_fminf(a, b); }
FN float fmax2(float a, float b) { return __builtin_fmaxf(a, b); }
#elif defined(SCREE_NVIDIA)
FN float fmin2(float a, float b) { return fmin(a, b); }
FN float fmax2(float a, float b) { return fmax(a, b); }
#else
FN float fmin2(float a, float b) { return a < b ? a : b; }
FN float fmax2(float a, float b) { return a > b ? a : b; }
#endif
#ifdef __OPENCL_VERSION__
FN float fabs2(float a) { return fabs(a); }
#else
FN float fabs2(float a) { return from_bits(bits_of(a) & 0x7fffffffu); }
#endif

// The nearest whole number, of two the even one.
#if defined(SCREE_NVIDIA)
FN int nearest(float a) { return convert_int_rte(a); }
#elif defined(__OPENCL_VERSION__)
FN int nearest(float a) { return (int)rint(a); }
#elif defined(__GNUC__) && !defined(__clang__)
FN int nearest(float a) { return __builtin_irintf(a); }
#else
FN int nearest(float a) { return (int)__builtin_rintf(a); }
#endif

FN uint bits_in(uint word) {
#ifdef __OPENCL_VERSION__
  return popcount(word);
#else
  return (uint)__builtin_popcount(word);
#endif
}
FN int lowest_bit(uint word) {
#ifdef __OPENCL_VERSION__
  return 31 - clz((int)(word & (0u - word)));
#else
  return __builtin_ctz(word);
#endif
}

// Nothing passes diagonally between two walls, or past the corner of one: a and b are the beds of
// the two cells that a diagonal edge passes between.
FN int past_wall(int bed_a, int bed_b) { return imax(bed_a, bed_b) == SCREE_WALL; }

FN int cell_index(Grid g, int x, int y) { return (y + SCREE_HALO) * g.stride + x + SCREE_PAD; }

// Entry points. SCREE_KERNEL_n(name, type, argument, …) turns name_cell(x, y, arguments…) into a
// __kernel in OpenCL and into a registered loop over rows in C++ (device/cpu/unit.h).
#ifdef __OPENCL_VERSION__
#define SCREE_ENTRY_BODY(call)                    \
  const int x = range.x0 + (int)get_global_id(0); \
  const int y = range.y0 + (int)get_global_id(1); \
  if (x < range.x1 && y < range.y1) call

#define SCREE_KERNEL_2(name, A, a, B, b) \
  __kernel void name(Range range, A a, B b) { SCREE_ENTRY_BODY(name##_cell(x, y, a, b);) }
#define SCREE_KERNEL_3(name, A, a, B, b, C, c) \
  __kernel void name(Range range, A a, B b, C c) { SCREE_ENTRY_BODY(name##_cell(x, y, a, b, c);) }
#define SCREE_KERNEL_4(name, A, a, B, b, C, c, D, d)    \
  __kernel void name(Range range, A a, B b, C c, D d) { \
    SCREE_ENTRY_BODY(name##_cell(x, y, a, b, c, d);)    \
  }
#define SCREE_KERNEL_5(name, A, a, B, b, C, c, D, d, E, e)   \
  __kernel void name(Range range, A a, B b, C c, D d, E e) { \
    SCREE_ENTRY_BODY(name##_cell(x, y, a, b, c, d, e);)      \
  }
#define SCREE_KERNEL_6(name, A, a, B, b, C, c, D, d, E, e, F, f)  \
  __kernel void name(Range range, A a, B b, C c, D d, E e, F f) { \
    SCREE_ENTRY_BODY(name##_cell(x, y, a, b, c, d, e, f);)        \
  }
#define SCREE_KERNEL_7(name, A, a, B, b, C, c, D, d, E, e, F, f, G, g) \
  __kernel void name(Range range, A a, B b, C c, D d, E e, F f, G g) { \
    SCREE_ENTRY_BODY(name##_cell(x, y, a, b, c, d, e, f, g);)          \
  }
#define SCREE_KERNEL_8(name, A, a, B, b, C, c, D, d, E, e, F, f, G, g, H, h) \
  __kernel void name(Range range, A a, B b, C c, D d, E e, F f, G g, H h) {  \
    SCREE_ENTRY_BODY(name##_cell(x, y, a, b, c, d, e, f, g, h);)             \
  }
#define SCREE_KERNEL_9(name, A, a, B, b, C, c, D, d, E, e, F, f, G, g, H, h, I, i) \
  __kernel void name(Range range, A a, B b, C c, D d, E e, F f, G g, H h, I i) {   \
    SCREE_ENTRY_BODY(name##_cell(x, y, a, b, c, d, e, f, g, h, i);)                \
  }
#define SCREE_KERNEL_10(name, A, a, B, b, C, c, D, d, E, e, F, f, G, g, H, h, I, i, J, j) \
  __kernel void name(Range range, A a, B b, C c, D d, E e, F f, G g, H h, I i, J j) {     \
    SCREE_ENTRY_BODY(name##_cell(x, y, a, b, c, d, e, f, g, h, i, j);)                    \
  }
#define SCREE_KERNEL_12(name, A, a, B, b, C, c, D, d, E, e, F, f, G, g, H, h, I, i, J, j, K, k, L, \
                        l)                                                                         \
  __kernel void name(Range range, A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k, L l) {    \
    SCREE_ENTRY_BODY(name##_cell(x, y, a, b, c, d, e, f, g, h, i, j, k, l);)                       \
  }
#elif !defined(SCREE_CPU_UNIT)
// Host code sees the functions, not the entry points.
#define SCREE_KERNEL_2(...)
#define SCREE_KERNEL_3(...)
#define SCREE_KERNEL_4(...)
#define SCREE_KERNEL_5(...)
#define SCREE_KERNEL_6(...)
#define SCREE_KERNEL_7(...)
#define SCREE_KERNEL_8(...)
#define SCREE_KERNEL_9(...)
#define SCREE_KERNEL_10(...)
#define SCREE_KERNEL_12(...)
#endif

#endif
