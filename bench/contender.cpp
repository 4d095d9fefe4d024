#include "bench/contender.h"

#include <algorithm>
#include <chrono>
#include <ctime>

namespace gradproof::bench {
namespace {

/// Seconds of wall time, or of this thread alone, which is useful on a busy machine.
double now(bool cpu_time) {
  if (!cpu_time) {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(since).count();
  }
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Repeats the computation until a millisecond is full, so that the clock does not count; the first
/// run, which makes what is kept for later ones, is not measured.
void warm_up(Contender& contender, bool cpu_time) {
  constexpr double worth_measuring = 1e-3;
  contender.compute();
  const double start = now(cpu_time);
  contender.compute();
  const double once = std::max(now(cpu_time) - start, 1e-7);
  contender.times_in_a_row = static_cast<int>(std::clamp(worth_measuring / once, 1.0, 10000.0));
}

}  // namespace

double Contender::median() const {
  if (seconds.empty()) return std::nan("");
  auto sorted = seconds;
  std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2));
  return sorted[sorted.size() / 2];
}

void measure(std::vector<Contender>& contenders, int repeats, bool cpu_time) {
  std::erase_if(contenders, [](const Contender& contender) { return !contender.compute; });
  for (Contender& contender : contenders) warm_up(contender, cpu_time);
  for (int round = 0; round < repeats; ++round) {
    for (Contender& contender : contenders) {
      const double start = now(cpu_time);
      for (int i = 0; i < contender.times_in_a_row; ++i) contender.compute();
      contender.seconds.push_back((now(cpu_time) - start) / contender.times_in_a_row);
    }
  }
}

double median_of(const std::vector<Contender>& contenders, const std::string& name) {
  const auto found = std::ranges::find(contenders, name, &Contender::name);
  return found == contenders.end() ? std::nan("") : found->median();
}

}  // namespace gradproof::bench
