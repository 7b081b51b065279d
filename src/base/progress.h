// How a long computation tells its owner where it is, and how the owner stops it.
#pragma once

#include <atomic>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace scree {

// Set from a signal handler or another thread; long loops ask between steps.
class CancelToken {
 public:
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  // Whoever set it has heard that it was heeded: what looks at it may go on.
  void reset() { cancelled_.store(false, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> cancelled_{false};
  static_assert(std::atomic<bool>::is_always_lock_free,
                "cancel() must be safe in a signal handler");
};

// Who may stop what this thread does, for as long as the scope lives: long work that is deep below
// its owner, as that for a picture is, asks with stop_if_cancelled() every fraction of a second.
class CancelScope {
 public:
  explicit CancelScope(const CancelToken* token) : outer_(std::exchange(current_, token)) {}
  ~CancelScope() { current_ = outer_; }
  CancelScope(const CancelScope&) = delete;
  CancelScope& operator=(const CancelScope&) = delete;

  static bool cancelled() { return current_ != nullptr && current_->cancelled(); }
  // For threads that help this one.
  static const CancelToken* current() { return current_; }

 private:
  static inline thread_local const CancelToken* current_ = nullptr;
  const CancelToken* outer_;
};

inline void stop_if_cancelled() {
  if (CancelScope::cancelled()) throw Cancelled("stopped");
}

class Progress {
 public:
  virtual ~Progress() = default;
  // done and total count the same thing (steps, rows); what says it in a word or two.
  virtual void update(long long done, long long total, std::string_view what) = 0;
};

}  // namespace scree
