#include "properties/targets/isolation/child_fate.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "properties/targets/target/call_notes.h"

namespace gradproof::targets {

using corpus::Observation;

std::uint64_t resident_bytes(std::int32_t process) {
  char name[64];
  std::snprintf(name, sizeof name, "/proc/%d/statm", process);
  std::FILE* const file = std::fopen(name, "re");
  if (file == nullptr) return 0;
  unsigned long long size = 0;
  unsigned long long resident = 0;
  const int count = std::fscanf(file, "%llu %llu", &size, &resident);  // the text is the kernel's
  std::fclose(file);
  return count == 2 ? resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

std::string signal_words(int signal) {
  const char* const name = ::sigabbrev_np(signal);
  return name ? fmt::format("signal {} (SIG{})", signal, name) : fmt::format("signal {}", signal);
}

Observation ended(std::string how) {
  Observation seen;
  seen.ended = std::move(how);
  return seen;
}

Observation unsupported(std::string_view why) { return corpus::not_run(std::string(why)); }

bool survives(const Observation& seen) { return !seen.signal && !seen.timed_out && !seen.ended; }

bool is_for_time(const Observation& seen) {
  return seen.unsupported == still_running || seen.unsupported == not_begun;
}

std::string damaged_before(const Observation& seen) {
  const std::string how = seen.signal ? "the target died of " + signal_words(*seen.signal)
                                      : seen.ended.value_or("the target ended its process");
  return how + "; not where the case runs alone: an earlier call damaged the process";
}

}  // namespace gradproof::targets
