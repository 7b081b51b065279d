// Splits [0, n) among a few threads; for pictures, where order of work cannot show.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

#include "base/progress.h"

namespace scree::render {

// f(begin, end) on disjoint ranges, many a thread: all stop soon where the owner of the work has
// cancelled it, or where one of them has failed, and a thread whose core has other work as well
// takes fewer. threads 0: as many as the machine has.
template <class F>
void parallel_ranges(int n, int threads, F&& f) {
  if (threads <= 0) threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  threads = std::clamp(threads, 1, std::max(1, n / 16));
  const int piece = std::max(16, n / (64 * threads));
  const CancelToken* stop = CancelScope::current();
  std::atomic<bool> failed = false;
  std::exception_ptr why;
  std::atomic<long long> next = 0;
  const auto work = [&f, &failed, &why, &next, n, piece, stop] {
    try {
      for (long long begin = next.fetch_add(piece);
           begin < n && !failed && (stop == nullptr || !stop->cancelled());
           begin = next.fetch_add(piece))
        f(static_cast<int>(begin), static_cast<int>(std::min<long long>(n, begin + piece)));
    } catch (...) {
      if (!failed.exchange(true)) why = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> team;
    try {
      for (int i = 1; i < threads; ++i) team.emplace_back(work);
    } catch (const std::system_error&) {
      // No more threads to be had: those there are do all of it.
    }
    work();
  }
  if (why) std::rethrow_exception(why);
  stop_if_cancelled();
}

}  // namespace scree::render
