// What a person sees while a command works: a bar on a terminal, now and then a line elsewhere.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "base/progress.h"

namespace scree::cli {

// How fast it goes and how long it takes: over the last seconds, since steps grow dearer or cheaper
// as water gathers.
class Pace {
 public:
  using Clock = std::chrono::steady_clock;

  void restart(long long done, Clock::time_point now);
  void advance(long long done, Clock::time_point now);
  double per_second(long long done, Clock::time_point now) const;

 private:
  struct Mark {
    long long done = 0;
    Clock::time_point time;
  };
  Mark older_, newer_;
};

// "1:23", "2:03:04".
std::string clock_text(double seconds);
// "0.52", "12.3", "1234", "1.2 M": three figures are enough.
std::string rate_text(double per_second);

struct ProgressState {
  std::string what;
  long long done = 0;
  long long total = 0;
  double per_second = 0;
  bool stopping = false;
};

// One frame of the bar, at most `columns` wide; blocks: the terminal shows UTF-8.
std::string bar_text(const ProgressState& state, int columns, bool blocks);
std::string line_text(const ProgressState& state);

// Draws on stderr. Each frame and each line is one write, so that nothing is ever garbled.
class Terminal : public Progress {
 public:
  // cancel: shown as "stopping" once it is set. quiet: no progress, and notes only as warnings.
  Terminal(bool quiet, const CancelToken* cancel);
  ~Terminal() override;
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void update(long long done, long long total, std::string_view what) override;

  // A message of the library, above the bar. Where nobody watches it is held back until the work
  // takes long or ends well: a failure is then one line.
  void note(LogLevel level, const std::string& message);
  const std::vector<std::string>& notes() const { return notes_; }

  // Removes the bar and says what was held back.
  void end_well();
  // Removes the bar; the error is all that is said.
  void end_badly();

 private:
  void draw(Pace::Clock::time_point now);
  void erase();
  void release_held();

  std::mutex mutex_;
  const CancelToken* cancel_;
  bool quiet_;
  bool watched_;
  bool blocks_;
  bool drawn_ = false;
  ProgressState state_;
  Pace pace_;
  Pace::Clock::time_point last_;
  std::vector<std::string> notes_;
  std::vector<std::string> held_;
};

}  // namespace scree::cli
