// Where the library says things: to the sink of whoever called it. Nothing is printed, and nothing
// is heard where nobody listens.
#pragma once

#include <functional>
#include <string>
#include <utility>

namespace scree {

enum class LogLevel { debug, info, warning };

using LogSink = std::function<void(LogLevel, const std::string&)>;

// Who hears what this thread says, for as long as the scope lives; an inner scope takes the place
// of the outer one until it ends.
class LogScope {
 public:
  explicit LogScope(LogSink sink) : sink_(std::move(sink)), outer_(std::exchange(current_, this)) {}
  ~LogScope() { current_ = outer_; }
  LogScope(const LogScope&) = delete;
  LogScope& operator=(const LogScope&) = delete;

  // The sink of this thread's innermost scope, for a thread that helps this one; none: nobody
  // hears.
  static LogSink current();

 private:
  friend void log(LogLevel level, const std::string& message);
  static thread_local const LogScope* current_;
  LogSink sink_;
  const LogScope* outer_;
};

void log(LogLevel level, const std::string& message);

}  // namespace scree
