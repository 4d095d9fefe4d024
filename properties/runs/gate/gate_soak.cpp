#include <algorithm>

#include "oracle/geometry/workload.h"
#include "properties/runs/gate/gate_run.h"

namespace gradproof::runs {

corpus::Case GateRun::tiny() {
  constexpr std::uint64_t most_macs = 400;
  corpus::Case test_case = calls_->draw(next_dtype(), "", small_macs, secret_);
  for (int i = 0; i < 100 && oracle::mac_count(test_case).value_or(0) > most_macs; ++i) {
    test_case = calls_->draw(test_case.input->dtype, "", small_macs, secret_);
  }
  return test_case;
}

/// Calls of one tiny shape, as many as fit: in a row first, then between those of another. What
/// changes with their count shows.
void GateRun::ask_soak() {
  constexpr std::size_t most = 4'000, most_at_once = 64;
  constexpr std::chrono::milliseconds short_time{100};
  const corpus::Case one = tiny(), other = tiny();
  const auto begin = Clock::now(), end = std::min(end_, begin + settings_.time / 12);
  for (std::size_t at_once = 1; verdict_.of_one_shape < most && Clock::now() < end;) {
    const bool is_row =
        2 * verdict_.of_one_shape < most && Clock::now() < begin + (end - begin) / 2;
    Calls calls;
    std::uint64_t of_one = 0;
    while (calls.size() < at_once) {
      const bool is_one = is_row || secret_.chance(60);
      of_one += is_one ? 1 : 0;
      const corpus::Case& test_case = is_one ? one : other;
      calls.push_back({test_case, exact_operands(test_case, secret_)});
    }
    const auto before = Clock::now();
    const Seen seen = asked(calls, Kind::Soak);
    const bool is_computed = std::ranges::all_of(
        seen, [](const auto& it) { return it.phase_two == corpus::Status::Success; });
    if (seen.size() < calls.size() || !is_computed) return;
    verdict_.of_one_shape += of_one;
    if (Clock::now() - before < short_time) at_once = std::min(2 * at_once, most_at_once);
  }
}

}  // namespace gradproof::runs
