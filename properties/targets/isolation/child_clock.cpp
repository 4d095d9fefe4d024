#include "properties/targets/isolation/child_clock.h"

#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace gradproof::targets {
namespace {

using std::chrono::nanoseconds;

/// Processor time of all threads so far; zero where the process is gone.
nanoseconds processor_time(pid_t process) {
  clockid_t clock{};
  timespec used{};
  const bool is_there =
      ::clock_getcpuclockid(process, &clock) == 0 && ::clock_gettime(clock, &used) == 0;
  return is_there ? std::chrono::seconds(used.tv_sec) + nanoseconds(used.tv_nsec) : nanoseconds(0);
}

/// True if a thread is on a processor or waiting for one. `stat` is "ID (NAME) STATE ...", and a
/// name may hold anything.
bool is_runnable(const std::filesystem::path& thread) {
  std::ifstream file(thread / "stat");
  std::string text;
  std::getline(file, text,
               '\0');  // a stream buffer's iterator would throw where the thread ends meanwhile
  const std::size_t name_end = text.rfind(") ");
  return name_end != std::string::npos && text.compare(name_end, 3, ") R") == 0;
}

bool can_run(pid_t process) {
  std::error_code error;
  std::filesystem::directory_iterator thread(fmt::format("/proc/{}/task", process), error);
  for (; !error && thread != std::filesystem::directory_iterator(); thread.increment(error)) {
    if (is_runnable(thread->path())) return true;
  }
  return false;
}

}  // namespace

ChildClock::ChildClock(pid_t process)
    : process_(process),
      seen_at_(std::chrono::steady_clock::now()),
      used_then_(processor_time(process)) {}

nanoseconds ChildClock::counted() {
  const auto now = std::chrono::steady_clock::now();
  const nanoseconds passed = now - seen_at_;
  const nanoseconds used_now = processor_time(process_);
  const nanoseconds used = std::max(used_now - used_then_, nanoseconds(0));
  counted_ += can_run(process_) ? std::min(used, passed) : passed;
  seen_at_ = now;
  used_then_ = used_now;
  return counted_;
}

void ChildClock::restart() { *this = ChildClock(process_); }

}  // namespace gradproof::targets
