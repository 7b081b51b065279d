#include "print/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace scree::cli {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr auto frame_time = milliseconds(100);
constexpr auto line_time = seconds(5);
constexpr int widest_bar = 40;
constexpr int narrowest_bar = 8;

void write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(STDERR_FILENO, bytes.data(), bytes.size());
    if (n <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

bool stderr_is_watched() {
  const char* kind = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) != 0 && kind != nullptr && std::string_view(kind) != "dumb";
}

// The first of these that is set decides, as in every program that asks the locale.
bool speaks_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view text(value);
    return text.find("UTF-8") != std::string::npos || text.find("utf8") != std::string::npos;
  }
  return false;
}

int columns() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

double share_done(const ProgressState& state) {
  if (state.total <= 0) return 0;
  return std::clamp(static_cast<double>(state.done) / static_cast<double>(state.total), 0.0, 1.0);
}

std::string time_left(const ProgressState& state) {
  if (state.stopping) return "stopping";
  if (!(state.per_second > 0) || state.total <= state.done) return "";
  return clock_text(static_cast<double>(state.total - state.done) / state.per_second) + " left";
}

// Eighths of a character, so that a long run is seen to move.
std::string bar_cells(double share, int width, bool blocks) {
  static constexpr const char* eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const int steps = static_cast<int>(share * width * 8);
  const int full = steps / 8;
  std::string cells;
  for (int i = 0; i < full; ++i) cells += blocks ? "█" : "#";
  int used = full;
  if (blocks && steps % 8 != 0 && full < width) {
    cells += eighths[steps % 8];
    ++used;
  }
  return cells + std::string(static_cast<std::size_t>(width - used), blocks ? ' ' : '.');
}

}  // namespace

void Pace::restart(long long done, Clock::time_point now) { older_ = newer_ = {done, now}; }

void Pace::advance(long long done, Clock::time_point now) {
  if (now - newer_.time < seconds(5)) return;
  older_ = newer_;
  newer_ = {done, now};
}

double Pace::per_second(long long done, Clock::time_point now) const {
  const double elapsed = duration<double>(now - older_.time).count();
  return elapsed > 0.05 ? static_cast<double>(done - older_.done) / elapsed : 0;
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<long long>(std::min(std::ceil(seconds), 1e12));
  if (whole >= 48 * 3600) return fmt::format("{} days", (whole + 43200) / 86400);
  if (whole >= 3600)
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string rate_text(double per_second) {
  if (per_second >= 1e6) return fmt::format("{:.1f} M", per_second / 1e6);
  if (per_second >= 100) return fmt::format("{:.0f}", per_second);
  if (per_second >= 10) return fmt::format("{:.1f}", per_second);
  return fmt::format("{:.2f}", per_second);
}

std::string bar_text(const ProgressState& state, int columns, bool blocks) {
  const std::string head = fmt::format("{} {:3.0f} % ", state.what, 100 * share_done(state));
  std::string tail = fmt::format(" {}/{}", state.done, state.total);
  if (state.per_second > 0) tail += fmt::format("  {}/s", rate_text(state.per_second));
  if (const std::string left = time_left(state); !left.empty()) tail += "  " + left;
  const int room = columns - static_cast<int>(head.size() + tail.size()) - 2;
  if (room < narrowest_bar) {
    const std::string plain = head + tail;
    return plain.substr(0, static_cast<std::size_t>(std::max(columns, 0)));
  }
  const std::string cells = bar_cells(share_done(state), std::min(room, widest_bar), blocks);
  return head + (blocks ? "▕" + cells + "▏" : "[" + cells + "]") + tail;
}

std::string line_text(const ProgressState& state) {
  std::string line = fmt::format("{}: {} of {} ({:.0f} %)", state.what, state.done, state.total,
                                 100 * share_done(state));
  if (state.per_second > 0) line += fmt::format(", {}/s", rate_text(state.per_second));
  if (const std::string left = time_left(state); !left.empty()) line += ", " + left;
  return line;
}

Terminal::Terminal(bool quiet, const CancelToken* cancel)
    : cancel_(cancel),
      quiet_(quiet),
      watched_(stderr_is_watched()),
      blocks_(speaks_utf8()),
      last_(Pace::Clock::now()) {}

Terminal::~Terminal() { end_badly(); }

void Terminal::update(long long done, long long total, std::string_view what) {
  if (quiet_) return;
  const std::lock_guard lock(mutex_);
  const auto now = Pace::Clock::now();
  if (state_.what != what || done < state_.done) {
    state_.what = what;
    pace_.restart(done, now);
  }
  state_.done = done;
  state_.total = total;
  pace_.advance(done, now);
  if (now - last_ < (watched_ ? Pace::Clock::duration(frame_time) : line_time)) return;
  draw(now);
  last_ = now;
}

void Terminal::draw(Pace::Clock::time_point now) {
  state_.per_second = pace_.per_second(state_.done, now);
  state_.stopping = cancel_ != nullptr && cancel_->cancelled();
  if (watched_) {
    // The last column stays free: some terminals wrap as soon as it is written.
    write_all(fmt::format("\r{}\x1b[K", bar_text(state_, columns() - 1, blocks_)));
    drawn_ = true;
  } else {
    release_held();
    write_all(line_text(state_) + "\n");
  }
}

void Terminal::erase() {
  if (drawn_) write_all("\r\x1b[K");
  drawn_ = false;
}

void Terminal::note(LogLevel level, const std::string& message) {
  if (level == LogLevel::debug) return;
  const std::lock_guard lock(mutex_);
  const std::string line = (level == LogLevel::warning ? "warning: " : "note: ") + message;
  // A file that is read twice has the same to say.
  if (std::find(notes_.begin(), notes_.end(), line) != notes_.end()) return;
  notes_.push_back(line);
  if (quiet_ && level != LogLevel::warning) return;
  if (!watched_) {
    held_.push_back(line);
    return;
  }
  erase();
  write_all(line + "\n");
}

void Terminal::release_held() {
  for (const std::string& line : held_) write_all(line + "\n");
  held_.clear();
}

void Terminal::end_well() {
  const std::lock_guard lock(mutex_);
  erase();
  release_held();
}

void Terminal::end_badly() {
  const std::lock_guard lock(mutex_);
  erase();
  held_.clear();
}

}  // namespace scree::cli
