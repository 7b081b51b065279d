#include "print/console.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace scree::cli {
namespace {

void print_json(const Json& value) {
  // A file name need not be UTF-8; JSON must be.
  const std::string text = value.dump(2, ' ', false, Json::error_handler_t::replace);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fputc('\n', stdout);
}

// Whatever a library said in several lines, people get one.
void print_error(const std::string& message) {
  std::string line = "scree: " + message;
  std::replace(line.begin(), line.end(), '\n', ' ');
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

// Characters, not bytes: units have superscripts.
std::size_t length_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u;
  }));
}

}  // namespace

Console::Console(Speech speech)
    : speech_(speech), terminal_(speech.quiet || speech.json, &Interrupt::token()) {}

CancelToken& Console::cancel() {
  if (!interrupt_) interrupt_.emplace();
  return Interrupt::token();
}

void Console::say(const std::string& line) {
  if (speech_.json) return;
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fputc('\n', stdout);
}

void Console::answer(Json result) {
  if (!speech_.json) return;
  if (result.is_object() && !terminal_.notes().empty()) result["notes"] = terminal_.notes();
  if (result.is_object() && !regret_.empty()) result.update({{"error", regret_}, {"exit", 1}});
  print_json(result);
}

int Console::fail(const std::string& message, int code) {
  terminal_.end_badly();
  if (speech_.json) print_json(Json{{"error", message}, {"exit", code}});
  std::fflush(stdout);
  print_error(message);
  return code;
}

int Console::finish(int code) {
  terminal_.end_well();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw Error("cannot write to standard output");
  if (regret_.empty()) return code;
  print_error(regret_);
  return 1;
}

std::string table_text(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], length_of(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    if (!text.empty()) text += '\n';
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += row[i];
      if (i + 1 < row.size()) text += std::string(widths[i] - length_of(row[i]) + 2, ' ');
    }
    text.erase(text.find_last_not_of(' ') + 1);
  }
  return text;
}

std::string number(double value) { return fmt::format("{:.6g}", value); }

std::string grouped(long long value) {
  const std::string digits = std::to_string(value);
  const std::size_t first = value < 0 ? 1 : 0;
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > first && (digits.size() - i) % 3 == 0) text += ' ';
    text += digits[i];
  }
  return text;
}

std::string bytes_text(double bytes) {
  const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t i = 0;
  for (; bytes >= 1024 && i + 1 < std::size(units); ++i) bytes /= 1024;
  return fmt::format("{:.{}f} {}", bytes, i == 0 || bytes >= 100 ? 0 : 1, units[i]);
}

}  // namespace scree::cli
