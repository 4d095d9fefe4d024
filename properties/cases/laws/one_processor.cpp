#include "properties/cases/laws/one_processor.h"

#include <filesystem>
#include <fstream>

namespace gradproof::cases {
namespace {

/// Processes that threads of this one have started, and 0, which is this thread.
std::vector<pid_t> this_and_children() {
  std::vector<pid_t> all{0};
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::ifstream children(task.path() / "children");
    for (pid_t child = 0; children >> child;) all.push_back(child);
  }
  return all;
}

}  // namespace

OneProcessor::OneProcessor() {
  for (const pid_t process : this_and_children()) {
    cpu_set_t all;
    if (::sched_getaffinity(process, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    int first = 0;
    while (!CPU_ISSET(first, &all)) ++first;
    CPU_SET(first, &one);
    if (::sched_setaffinity(process, sizeof one, &one) == 0) before_.emplace_back(process, all);
  }
}

OneProcessor::~OneProcessor() {
  for (const auto& [process, all] : before_) ::sched_setaffinity(process, sizeof all, &all);
}

}  // namespace gradproof::cases
