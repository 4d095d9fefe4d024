#include "bench/process_usage.h"

#include <fmt/core.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>

namespace gradproof::bench {
namespace {

double seconds_on(clockid_t clock) {
  timespec time{};
  if (::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// A line of /proc/PID/status in kB; 0 where there is none.
double megabytes(std::int32_t process, std::string_view key) {
  const std::string who = process == 0 ? "self" : std::to_string(process);
  std::ifstream status(fmt::format("/proc/{}/status", who));
  std::string line;
  while (std::getline(status, line)) {
    if (line.starts_with(key)) return std::strtod(line.c_str() + key.size(), nullptr) / 1024;
  }
  return 0;
}

}  // namespace

double processor_seconds(std::int32_t other_process) {
  const double own = seconds_on(CLOCK_PROCESS_CPUTIME_ID);
  clockid_t clock{};
  if (other_process == 0 || ::clock_getcpuclockid(other_process, &clock) != 0) return own;
  return own + seconds_on(clock);
}

double peak_megabytes(std::int32_t process) { return megabytes(process, "VmHWM:"); }

}  // namespace gradproof::bench
