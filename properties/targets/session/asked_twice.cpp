#include "properties/targets/session/asked_twice.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace gradproof::targets {
namespace {

using corpus::Case;
using corpus::Observation;
using Seen = std::vector<Observation>;

/// Number of further repeats: where one call of two differs by chance, they miss one target in 64.
constexpr int further_times = 5;

bool has_results(const Observation& seen) {
  const bool survived = !seen.signal && !seen.timed_out && !seen.ended && !seen.failure;
  return survived && seen.phase_two == corpus::Status::Success;
}

bool differs(const Observation& seen) {
  return std::ranges::find(seen.repeat_differs, true) != seen.repeat_differs.end();
}

/// Adds to the first observation what the second shows.
void compare(Observation& first, Observation&& second) {
  if (!has_results(first)) return;
  if (!has_results(second)) {
    if (!second.unsupported) first = std::move(second);
    return;
  }
  first.repeated = true;
  for (std::size_t i = 0; i < first.outputs.size(); ++i) {
    first.repeat_differs.at(i) |= first.outputs.at(i).bits != second.outputs.at(i).bits;
    auto& changed = first.input_changed_byte.at(i);
    if (!changed) changed = second.input_changed_byte.at(i);
  }
}

}  // namespace

Seen AskedTwice::operator()(std::span<const Case> cases, const Ask& ask) {
  Seen seen = ask(cases);
  Seen again = ask(cases);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    compare(seen[i], std::move(again[i]));
    for (int time = 0; *has_differed_ && time < further_times && !differs(seen[i]); ++time) {
      compare(seen[i], std::move(ask(cases.subspan(i, 1)).front()));
    }
    if (differs(seen[i])) *has_differed_ = true;
  }
  return seen;
}

}  // namespace gradproof::targets
