// One place where the library says things. Nothing is printed unless the owner sets a sink.
#pragma once

#include <functional>
#include <string>

namespace scree {

enum class LogLevel { debug, info, warning };

using LogSink = std::function<void(LogLevel, const std::string&)>;

void set_log_sink(LogSink sink);
void log(LogLevel level, const std::string& message);

}  // namespace scree
