// How every command speaks: text for people, or one JSON object for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "print/interrupt.h"
#include "print/terminal.h"

namespace scree::cli {

using Json = nlohmann::ordered_json;

struct Speech {
  bool json = false;
  bool quiet = false;
};

class Console {
 public:
  explicit Console(Speech speech);
  ~Console() = default;
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  bool json() const { return speech_.json; }
  bool quiet() const { return speech_.quiet; }
  Terminal& terminal() { return terminal_; }
  // From the first call on Ctrl-C sets this token instead of killing: for commands that look at it.
  CancelToken& cancel();

  // Text on stdout; nothing with --json.
  void say(const std::string& line);
  // The command's result with --json; the library's notes are added to it.
  void answer(Json result);
  // What went wrong with work that is done all the same, said before its answer; nothing where the
  // line is empty. The program says it last and exits with 1.
  void regret(const std::string& line) { regret_ = line; }
  // One line on stderr and, with --json, an object on stdout. Returns the code.
  int fail(const std::string& message, int code);

  // Flushes stdout; a full disk is an error too. Returns the exit code of a command that ended
  // with this one.
  int finish(int code);

 private:
  Speech speech_;
  std::string regret_;
  std::optional<Interrupt> interrupt_;
  Terminal terminal_;
  LogScope listens_{
      [this](LogLevel level, const std::string& message) { terminal_.note(level, message); }};
};

// Columns as wide as their longest cell, two spaces between, the last one ragged.
std::string table_text(const std::vector<std::vector<std::string>>& rows);

// Six figures: "339", "0.00125", "1.2e-07".
std::string number(double value);
// 1234567 as "1 234 567".
std::string grouped(long long value);
std::string bytes_text(double bytes);

}  // namespace scree::cli
