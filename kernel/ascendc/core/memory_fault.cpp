#include "kernel/ascendc/core/memory_fault.h"

#include <setjmp.h>
#include <signal.h>

#include <mutex>

#include "kernel/device/memory/memory.h"

namespace gradproof::kernel::ascendc {
namespace {

/// Where the thread's kernel is left, and why.
struct WayOut {
  sigjmp_buf place{};
  const void* address = nullptr;
};
thread_local WayOut* way_out = nullptr;

struct sigaction earlier_action {};

void pass_on(int signal, siginfo_t* info, void* context) {
  if ((earlier_action.sa_flags & SA_SIGINFO) != 0) {
    earlier_action.sa_sigaction(signal, info, context);
  } else if (earlier_action.sa_handler == SIG_DFL || earlier_action.sa_handler == SIG_IGN) {
    // The access is made again, and ends the process.
    ::signal(signal, SIG_DFL);
  } else {
    earlier_action.sa_handler(signal);
  }
}

void leave_kernel(int signal, siginfo_t* info, void* context) {
  WayOut* const out = way_out;
  // Locks memory: a kernel that touches a plain pointer is in no function of ours.
  if (out == nullptr || !device::is_device_address(info->si_addr)) {
    return pass_on(signal, info, context);
  }
  out->address = info->si_addr;
  ::siglongjmp(out->place, 1);
}

void watch_faults() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action {};
    action.sa_sigaction = leave_kernel;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigaction(SIGSEGV, &action, &earlier_action);
  });
}

/// The thread's way out for as long as this exists.
class Watched {
 public:
  explicit Watched(WayOut& out) { way_out = &out; }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  ~Watched() { way_out = nullptr; }
};

}  // namespace

const void* address_touched_by(const std::function<void()>& body) {
  watch_faults();
  WayOut out;
  const Watched watched(out);
  if (sigsetjmp(out.place, 1) != 0) return out.address;
  body();
  return nullptr;
}

}  // namespace gradproof::kernel::ascendc
