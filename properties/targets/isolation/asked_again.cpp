#include "properties/targets/isolation/child_target.h"

#include <algorithm>
#include <utility>

#include "properties/targets/isolation/child_fate.h"
#include "properties/targets/target/call_notes.h"

// What ends a child is asked again, so that the right one is blamed: the call, an earlier call of
// the same child, or the host.

namespace gradproof::targets {
namespace {

using corpus::Case;
using corpus::Observation;

}  // namespace

std::vector<Observation> ChildTarget::run_batch(std::span<const Case> cases,
                                                const RunSettings& settings) {
  if (cases.size() == 1) {
    std::vector<Observation> one;
    one.push_back(run_one(cases.front(), settings));
    return one;
  }
  Answer together = ask({RequestKind::RunCases, settings}, cases);
  if (!together && is_for_time(together.error())) {
    return done_in_time(cases, together.error());
  }
  if (!together) return run_each(cases, settings, together.error());
  const auto damaged = std::ranges::find_if_not(together->seen, survives);
  if (damaged != together->seen.end()) return run_each(cases, settings, *damaged);
  return std::move(together->seen);
}

/// Runs the cases again after a request that ended or damaged the child, one at a time, and the
/// case that was running then in a separate child.
std::vector<Observation> ChildTarget::run_each(std::span<const Case> cases,
                                               const RunSettings& settings,
                                               const Observation& together) {
  const bool was_killed = was_killed_;  // what no call of it repeats was the host's doing
  const std::size_t under_way = std::min<std::size_t>(head().cases_done.load(), cases.size() - 1);
  std::vector<Observation> seen;
  seen.reserve(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (i == under_way) kill();
    const bool is_late = i == under_way && together.timed_out;
    Answer answer = is_late ? ask_alone({RequestKind::RunCases, settings}, {&cases[i], 1})
                            : ask_twice({RequestKind::RunCases, settings}, {&cases[i], 1});
    seen.push_back(answer ? std::move(answer->seen.front()) : std::move(answer.error()));
  }
  const bool died = !together.timed_out && !together.unsupported && !was_killed;
  if (died && std::ranges::all_of(seen, survives)) {
    seen[under_way] = ended(damaged_before(together));
    kill();  // the child may again be damaged by an earlier case
  }
  return seen;
}

ChildTarget::Answer ChildTarget::ask_twice(const Request& request, std::span<const Case> cases) {
  const bool has_served = is_started_ && calls_ > 0;
  Answer first = ask(request, cases);
  const bool died = !first && !first.error().unsupported;
  if (died && first.error().timed_out) return ask_alone(request, cases);
  if (!died || !has_served) return first;
  const bool was_killed = was_killed_;
  Answer again = ask(request, cases);
  if (!again || was_killed) return again;
  kill();  // this case may still be the culprit: the child can die a moment later
  return tl::unexpected(ended(damaged_before(first.error())));
}

ChildTarget::Answer ChildTarget::ask(const Request& request, std::span<const Case> cases) {
  Answer answer = [&] {
    const auto permit = server_.permits().among_others();
    return handed_over(request, cases);
  }();
  if (answer || !was_killed_) return answer;
  const auto permit = server_.permits().alone();
  return asked_until_not_killed(request, cases, std::move(answer.error()));
}

ChildTarget::Answer ChildTarget::asked_until_not_killed(const Request& request,
                                                        std::span<const Case> cases,
                                                        Observation killed) {
  const std::uint64_t kills_before = kills_for_memory();
  for (int kills = 1; kills < most_kills; ++kills) {
    kill();
    Answer again = handed_over(request, cases);
    if (again || !was_killed_) return again;
  }
  if (kills_for_memory() != kills_before) return tl::unexpected(unsupported(out_of_memory));
  return tl::unexpected(std::move(killed));
}

ChildTarget::Answer ChildTarget::ask_alone(const Request& request, std::span<const Case> cases) {
  const auto permit = server_.permits().alone();
  kill();
  Answer answer = handed_over(request, cases);
  if (!answer && was_killed_) {
    answer = asked_until_not_killed(request, cases, std::move(answer.error()));
  }
  if (answer && is_late_again()) return tl::unexpected(late_after_others());
  if (answer && request.settings.notes && !cases.empty()) {
    request.settings.notes->note_late_once(cases.front().id);
  }
  return answer;
}

bool ChildTarget::is_late_again() {
  const ServedRequests late = std::exchange(late_, {});
  if (late.calls() <= 1) return false;  // it was late without others before it
  kill();
  for (const auto& [request, cases] : late.requests()) {
    const Answer answer = handed_over(request, cases);
    if (!answer) return answer.error().timed_out;
  }
  return false;
}

}  // namespace gradproof::targets
