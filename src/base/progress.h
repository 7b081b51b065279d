// How a long computation tells its owner where it is, and how the owner stops it.
#pragma once

#include <atomic>
#include <string_view>

namespace scree {

// Set from a signal handler or another thread; long loops ask between steps.
class CancelToken {
 public:
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> cancelled_{false};
  static_assert(std::atomic<bool>::is_always_lock_free,
                "cancel() must be safe in a signal handler");
};

class Progress {
 public:
  virtual ~Progress() = default;
  // done and total count the same thing (steps, rows); what says it in a word or two.
  virtual void update(long long done, long long total, std::string_view what) = 0;
};

}  // namespace scree
