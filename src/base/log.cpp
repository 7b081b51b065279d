#include "base/log.h"

namespace scree {

thread_local const LogScope* LogScope::current_ = nullptr;

LogSink LogScope::current() { return current_ != nullptr ? current_->sink_ : LogSink(); }

void log(LogLevel level, const std::string& message) {
  if (LogScope::current_ != nullptr && LogScope::current_->sink_)
    LogScope::current_->sink_(level, message);
}

}  // namespace scree
