// Splits [0, n) among a few threads; for pictures, where order of work cannot show.
#pragma once

#include <algorithm>
#include <thread>
#include <vector>

namespace scree::render {

// f(begin, end) on disjoint ranges. threads 0: as many as the machine has.
template <class F>
void parallel_ranges(int n, int threads, F&& f) {
  if (threads <= 0) threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  threads = std::clamp(threads, 1, std::max(1, n / 16));
  std::vector<std::jthread> team;
  const auto from = [&](int i) {
    return static_cast<int>(static_cast<long long>(n) * i / threads);
  };
  for (int i = 1; i < threads; ++i)
    team.emplace_back([&f, begin = from(i), end = from(i + 1)] { f(begin, end); });
  f(0, from(1));
}

}  // namespace scree::render
