#include "properties/targets/isolation/strays.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

namespace gradproof::targets {
namespace {

namespace fs = std::filesystem;

/// The children of all threads of this process.
std::vector<pid_t> children() {
  std::vector<pid_t> found;
  std::error_code error;
  fs::directory_iterator thread("/proc/self/task", error);
  for (; !error && thread != fs::directory_iterator(); thread.increment(error)) {
    std::ifstream list(thread->path() / "children");
    for (pid_t child = 0; list >> child;) found.push_back(child);
  }
  return found;
}

}  // namespace

std::vector<pid_t> adopt_strays() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  return children();
}

void end_strays(std::span<const pid_t> kept) {
  // One that is killed leaves its own children to this process, which then see their end in the
  // next round. A process that can't be killed must not hold up this one.
  constexpr int most_rounds = 1000;
  for (int round = 0; round < most_rounds; ++round) {
    bool is_any_left = false;
    for (const pid_t child : children()) {
      if (std::ranges::find(kept, child) != kept.end()) continue;
      is_any_left = true;
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, WNOHANG);
    }
    if (!is_any_left) return;
    ::usleep(1000);
  }
}

}  // namespace gradproof::targets
