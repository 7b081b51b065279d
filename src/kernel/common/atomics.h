// Integer atomics, whose result does not depend on their order. What add_to returns does: it may
// only name places that are told apart later.
#ifndef SCREE_KERNEL_ATOMICS_H
#define SCREE_KERNEL_ATOMICS_H

#include "kernel/common/compat.h"

#ifdef __OPENCL_VERSION__
FN uint add_to(GLOBAL uint* at, uint n) { return atomic_add(at, n); }
FN void or_into(GLOBAL uint* at, uint n) { atomic_or(at, n); }
FN void least_into(GLOBAL uint* at, uint n) { atomic_min(at, n); }
FN void most_into(GLOBAL uint* at, uint n) { atomic_max(at, n); }
FN void set_to(GLOBAL uint* at, uint n) { *at = n; }
FN uint now_at(GLOBAL const uint* at) { return *at; }
#else
FN uint add_to(uint* at, uint n) { return __atomic_fetch_add(at, n, __ATOMIC_RELAXED); }
FN void or_into(uint* at, uint n) { __atomic_fetch_or(at, n, __ATOMIC_RELAXED); }
FN void set_to(uint* at, uint n) { __atomic_store_n(at, n, __ATOMIC_RELAXED); }
FN uint now_at(const uint* at) { return __atomic_load_n(at, __ATOMIC_RELAXED); }
FN void least_into(uint* at, uint n) {
  uint now = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (n < now &&
         !__atomic_compare_exchange_n(at, &now, n, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}
FN void most_into(uint* at, uint n) {
  uint now = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (n > now &&
         !__atomic_compare_exchange_n(at, &now, n, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}
#endif

#endif
