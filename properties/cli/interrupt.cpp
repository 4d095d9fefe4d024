#include "properties/cli/interrupt.h"

#include <csignal>

namespace gradproof::properties::cli {
namespace {

std::atomic<bool> flag{false};
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler may only touch lock-free atomics");

extern "C" void set_flag(int signal) {
  flag.store(true);
  std::signal(signal, SIG_DFL);
}

}  // namespace

void end_in_order_on_interrupt() {
  std::signal(SIGINT, set_flag);
  std::signal(SIGTERM, set_flag);
}

const std::atomic<bool>& interrupted() { return flag; }

}  // namespace gradproof::properties::cli
