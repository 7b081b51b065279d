// Ctrl-C (or a polite kill) asks for a clean stop; asked a second time, the program dies at once.
#pragma once

#include "base/progress.h"

namespace scree::cli {

// While it lives, SIGINT, SIGTERM and SIGHUP cancel the program's one token.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static CancelToken& token();
  // The exit code that shells expect of a program stopped by this signal: 130 for Ctrl-C.
  static int exit_code();
};

}  // namespace scree::cli
