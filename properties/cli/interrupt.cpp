#include "properties/cli/interrupt.h"

#include <csignal>

namespace gradproof::cli {
namespace {

std::atomic<bool> flag{false};
std::atomic<int> last_signal{SIGINT};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler may only touch lock-free atomics");

extern "C" void set_flag(int signal) {
  last_signal.store(signal);
  flag.store(true);
  std::signal(signal, SIG_DFL);
}

}  // namespace

void end_in_order_on_interrupt() {
  std::signal(SIGINT, set_flag);
  std::signal(SIGTERM, set_flag);
}

const std::atomic<bool>& interrupted() { return flag; }

ExitCode code_of_interruption() {
  return last_signal.load() == SIGTERM ? ExitCode::Terminated : ExitCode::Interrupted;
}

}  // namespace gradproof::cli
