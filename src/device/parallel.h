// A loop of the host on oneTBB's threads. Where ThreadSanitizer looks, it is told what oneTBB
// guarantees (base/thread_marks.h), so that only real races are left for it to find.
#pragma once

#include <oneapi/tbb/parallel_for.h>

#include "base/progress.h"
#include "base/thread_marks.h"

namespace scree::device {

// body(i) for every i in [0, count), in any order; no body may write what another touches.
// Cancelled where the owner of this thread's work says so meanwhile.
template <class Index, class Body>
void parallel_for(Index count, const Body& body) {
  static ThreadMarks marks;
  const CancelToken* stop = CancelScope::current();
  const auto marked = [&body, stop](Index i) {
    if (stop != nullptr && stop->cancelled()) return;
    marks.acquire();
    body(i);
    marks.release();
  };
  marks.release();
  oneapi::tbb::parallel_for(Index{0}, count, marked);
  marks.acquire();
  stop_if_cancelled();
}

}  // namespace scree::device
