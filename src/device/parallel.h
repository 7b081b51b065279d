// A loop of the host on oneTBB's threads. Where ThreadSanitizer looks, it is told what oneTBB
// guarantees (base/thread_marks.h), so that only real races are left for it to find.
#pragma once

#include <oneapi/tbb/parallel_for.h>

#include "base/thread_marks.h"

namespace scree::device {

// body(i) for every i in [0, count), in any order; no body may write what another touches.
template <class Index, class Body>
void parallel_for(Index count, const Body& body) {
  static ThreadMarks marks;
  const auto marked = [&body](Index i) {
    marks.acquire();
    body(i);
    marks.release();
  };
  marks.release();
  oneapi::tbb::parallel_for(Index{0}, count, marked);
  marks.acquire();
}

}  // namespace scree::device
