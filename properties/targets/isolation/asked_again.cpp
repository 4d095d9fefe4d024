#include "properties/targets/isolation/child_target.h"

#include <algorithm>
#include <utility>

#include "properties/targets/isolation/child_fate.h"
#include "properties/targets/isolation/request_size.h"
#include "properties/targets/target/call_notes.h"

// What ends a child is asked again, so that the right one is blamed: the call, an earlier call of
// the same child, or the host.

namespace gradproof::targets {
namespace {

using corpus::Case;
using corpus::Observation;

/// True if the calls are so small that others of the target say how long they take. A large one may
/// take a slow target longer than its size allows.
bool are_small(const Request& request, std::span<const Case> cases) {
  constexpr std::chrono::milliseconds most{50};
  return std::ranges::all_of(cases, [&](const Case& test_case) {
    return time_for(request, {&test_case, 1}, {}) <= most;
  });
}

bool is_late(const tl::expected<Response, Observation>& answer) {
  return !answer && answer.error().timed_out;
}

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
  const Request request{RequestKind::RunCases, settings};
  std::vector<Observation> seen(cases.size());
  const auto keep = [&](std::size_t i, Answer answer) {
    seen[i] = answer ? std::move(answer->seen.front()) : std::move(answer.error());
  };
  // Late ones are asked last: the others show how long a call takes.
  std::vector<std::pair<std::size_t, ServedRequests>> late;
  if (together.timed_out) late.emplace_back(under_way, std::exchange(late_, {}));
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (i == under_way) kill();
    if (i == under_way && together.timed_out) continue;
    Answer answer = ask_again_if_dead(request, {&cases[i], 1});
    if (is_late(answer)) late.emplace_back(i, std::exchange(late_, {}));
    keep(i, std::move(answer));
  }
  for (auto& [i, served] : late) {
    late_ = std::move(served);
    keep(i, ask_alone(request, {&cases[i], 1}));
  }
  const bool died = !together.timed_out && !together.unsupported && !was_killed;
  if (died && std::ranges::all_of(seen, survives)) {
    seen[under_way] = ended(damaged_before(together));
    kill();  // the child may again be damaged by an earlier case
  }
  return seen;
}

ChildTarget::Answer ChildTarget::ask_twice(const Request& request, std::span<const Case> cases) {
  Answer answer = ask_again_if_dead(request, cases);
  return is_late(answer) ? ask_alone(request, cases) : answer;
}

ChildTarget::Answer ChildTarget::ask_again_if_dead(const Request& request,
                                                   std::span<const Case> cases) {
  const bool has_served = is_started_ && calls_ > 0;
  Answer first = ask(request, cases);
  const bool died = !first && !first.error().unsupported;
  if (!died || is_late(first) || !has_served) return first;
  const bool was_killed = was_killed_;
  Answer again = ask(request, cases);
  if (!again || was_killed) return again;
  kill();  // this case may still be the culprit: the child can die a moment later
  return tl::unexpected(ended(damaged_before(first.error())));
}

ChildTarget::Answer ChildTarget::ask(const Request& request, std::span<const Case> cases) {
  Answer answer = [&] {
    const auto permit = server_.permits().among_others();
    return handed_over(request, cases, [&] {
      return are_small(request, cases) ? server_.patience().to_suspect()
                                       : server_.settings().timeout;
    });
  }();
  if (answer || !was_killed_) return answer;
  const auto permit = server_.permits().alone();
  return asked_until_not_killed(request, cases, std::move(answer.error()));
}

ChildTarget::Answer ChildTarget::handed_over_alone(const Request& request,
                                                   std::span<const Case> cases) {
  const auto time = are_small(request, cases)
                        ? server_.patience().to_be_sure(request.settings.until)
                        : server_.settings().timeout;
  return handed_over(request, cases, [time] { return time; });
}

ChildTarget::Answer ChildTarget::asked_until_not_killed(const Request& request,
                                                        std::span<const Case> cases,
                                                        Observation killed) {
  const std::uint64_t kills_before = kills_for_memory();
  for (int kills = 1; kills < most_kills; ++kills) {
    kill();
    Answer again = handed_over_alone(request, cases);
    if (again || !was_killed_) return again;
  }
  if (kills_for_memory() != kills_before) return tl::unexpected(unsupported(out_of_memory));
  return tl::unexpected(std::move(killed));
}

ChildTarget::Answer ChildTarget::ask_alone(const Request& request, std::span<const Case> cases) {
  const auto permit = server_.permits().alone();
  kill();
  const bool was_shortened = are_small(request, cases) && server_.patience().is_shortened();
  Answer answer = handed_over_alone(request, cases);
  if (!answer && was_killed_) {
    answer = asked_until_not_killed(request, cases, std::move(answer.error()));
  }
  if (is_late(answer)) server_.patience().note_hang();
  if (answer && is_late_again()) return tl::unexpected(late_after_others());
  if (answer && was_shortened) {
    server_.patience().end_learning();
  } else if (answer && request.settings.notes && !cases.empty()) {
    request.settings.notes->note_late_once(cases.front().id);
  }
  return answer;
}

bool ChildTarget::is_late_again() {
  const ServedRequests late = std::exchange(late_, {});
  if (late.calls() <= 1) return false;  // it was late without others before it
  kill();
  for (const auto& [request, cases] : late.requests()) {
    const Answer answer = handed_over_alone(request, cases);
    if (!answer) return is_late(answer);
  }
  return false;
}

}  // namespace gradproof::targets
