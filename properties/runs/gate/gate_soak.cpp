#include <algorithm>

#include "oracle/geometry/workload.h"
#include "properties/runs/gate/gate_run.h"

namespace gradproof::runs {

using std::chrono::duration;

corpus::Case GateRun::tiny() {
  constexpr std::uint64_t most_macs = 400;
  corpus::Case test_case = calls_->draw(next_dtype(), "", small_macs, secret_);
  for (int i = 0; i < 100 && oracle::mac_count(test_case).value_or(0) > most_macs; ++i) {
    test_case = calls_->draw(test_case.input->dtype, "", small_macs, secret_);
  }
  return test_case;
}

/// Calls of tiny shapes, as many as fit: of one in a row first, then between those of another, then
/// of several in turn, as a network's layers come. What changes with their count or order shows.
void GateRun::ask_soak() {
  constexpr std::size_t most = 4'000, most_at_once = 64;
  constexpr std::chrono::milliseconds short_time{100};
  constexpr double orders = 3;
  std::vector<corpus::Case> shapes{tiny(), tiny()};
  const auto period = to_size(secret_.between(2, 24));
  const auto begin = Clock::now(), end = std::min(end_, begin + settings_.time / 12);
  std::size_t turn = 0;
  for (std::size_t at_once = 1; verdict_.of_one_shape < most && Clock::now() < end;) {
    const double share = std::max(double(verdict_.of_one_shape) / double(most),
                                  duration<double>(Clock::now() - begin) / (end - begin));
    const bool is_row = share < 1 / orders, is_in_turn = share >= 2 / orders;
    while (is_in_turn && shapes.size() < period) shapes.push_back(tiny());
    Calls calls;
    std::uint64_t of_one = 0;
    while (calls.size() < at_once) {
      const std::size_t which = is_row       ? 0
                                : is_in_turn ? turn++ % period
                                             : std::size_t{secret_.chance(60) ? 0U : 1U};
      of_one += which == 0 ? 1 : 0;
      calls.push_back({shapes[which], exact_operands(shapes[which], secret_)});
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
