#include "print/interrupt.h"

#include <csignal>

namespace scree::cli {
namespace {

constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};

CancelToken token_of_this_run;
volatile std::sig_atomic_t caught = 0;
struct sigaction previous[std::size(signals)];

extern "C" void on_signal(int signal) {
  caught = signal;
  token_of_this_run.cancel();
}

}  // namespace

Interrupt::Interrupt() {
  for (std::size_t i = 0; i < std::size(signals); ++i) {
    sigaction(signals[i], nullptr, &previous[i]);
    // nohup, and a shell without job control, ask us to go on.
    if (previous[i].sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    sigemptyset(&action.sa_mask);
    sigaction(signals[i], &action, nullptr);
  }
}

Interrupt::~Interrupt() {
  for (std::size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &previous[i], nullptr);
}

CancelToken& Interrupt::token() { return token_of_this_run; }

int Interrupt::exit_code() { return 128 + (caught != 0 ? static_cast<int>(caught) : SIGINT); }

}  // namespace scree::cli
