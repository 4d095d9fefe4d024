#include "properties/targets/isolation/child_target.h"

#include <fmt/core.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "properties/targets/isolation/child_clock.h"
#include "properties/targets/isolation/child_fate.h"
#include "properties/targets/isolation/request_size.h"
#include "properties/targets/target/call_notes.h"

namespace gradproof::targets {
namespace {

using corpus::Case;
using corpus::Observation;

/// Interval at which a working child is checked: for its time, its memory, and whether it can still
/// answer.
constexpr std::chrono::milliseconds look_interval{20};
constexpr std::chrono::milliseconds loading_time{120'000};
/// Reading a process's size costs as much as a small case.
constexpr std::uint64_t calls_between_size_checks = 256;

}  // namespace

ChildTarget::~ChildTarget() {
  if (!slot_) return;
  kill();
  server_.slots().drop_pages(*slot_);
  server_.give_back(*slot_);
}

std::int32_t ChildTarget::process() const { return is_started_ ? head().process.load() : 0; }

tl::expected<Introduction, std::string> ChildTarget::start(const RunSettings& settings) {
  if (!slot_)
    return tl::unexpected(
        std::string("more targets at once than there are slots for child processes"));
  if (auto test_case = server_.fork_child(*slot_)) return tl::unexpected(*test_case);
  is_started_ = true;
  generation_ = server_.generation();
  calls_ = 0;
  const auto fate = await_answer(loading_time, {}, settings);
  if (fate) {
    head().doing.back() = '\0';
    const std::string doing = head().doing.front() ? head().doing.data() : "starting";
    kill();
    const std::string how = fate->signal      ? "died of " + signal_words(*fate->signal)
                            : fate->timed_out ? "did not end in time"
                                              : fate->ended.value_or("ended");
    return tl::unexpected(fmt::format("{}: the process that did it {}", doing, how));
  }
  Greeting greeting;
  if (!read_greeting(server_.slots().body(*slot_), greeting)) {
    greeting.problem = "its process overwrote the memory that it shares with this one";
  }
  if (greeting.problem.empty()) return std::move(greeting.introduction);
  kill();
  return tl::unexpected(greeting.problem);
}

Observation ChildTarget::run_one(const Case& test_case, const RunSettings& settings) {
  Answer answer = ask_twice({RequestKind::RunCases, settings}, {&test_case, 1});
  return answer ? std::move(answer->seen.front()) : std::move(answer.error());
}

std::vector<Observation> ChildTarget::run_several(std::span<const Case> cases,
                                                  const RunSettings& settings) {
  std::vector<Observation> seen;
  seen.reserve(cases.size());
  while (!cases.empty()) {
    const std::size_t count = count_together(cases);
    for (Observation& one : run_batch(cases.first(count), settings)) {
      seen.push_back(std::move(one));
    }
    cases = cases.subspan(count);
  }
  return seen;
}

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
  const bool died = !together.timed_out && !together.unsupported;
  if (died && std::ranges::all_of(seen, survives)) {
    seen[under_way] = ended(damaged_before(together));
    kill();  // the child may again be damaged by an earlier case
  }
  return seen;
}

std::vector<Observation> ChildTarget::done_in_time(std::span<const Case> cases,
                                                   const Observation& fate) {
  const std::size_t done = head().cases_done.load();
  std::vector<Observation> seen;
  if (fate.unsupported == still_running) {
    seen = read_seen(server_.slots().body(*slot_), cases.size(), done);
  }
  if (seen.size() < cases.size()) seen.push_back(fate);
  seen.resize(cases.size(), unsupported(not_begun));
  return seen;
}

std::vector<Observation> ChildTarget::run_together(std::span<const Case> cases,
                                                   const RunSettings& settings) {
  Answer answer = ask_twice({RequestKind::RunStreams, settings}, cases);
  if (answer) return std::move(answer->seen);
  return std::vector<Observation>(cases.size(), answer.error());
}

tl::expected<std::uint64_t, std::string> ChildTarget::free_memory() {
  const Answer answer = ask({RequestKind::FreeMemory, {}}, {});
  if (!answer) return tl::unexpected(std::string("the target ended its process"));
  if (!answer->free_memory) return tl::unexpected(answer->problem);
  return *answer->free_memory;
}

ChildTarget::Answer ChildTarget::ask_twice(const Request& request, std::span<const Case> cases) {
  const bool has_served = is_started_ && calls_ > 0;
  Answer first = ask(request, cases);
  const bool died = !first && !first.error().unsupported;
  if (died && first.error().timed_out) return ask_alone(request, cases);
  if (!died || !has_served) return first;
  Answer again = ask(request, cases);
  if (!again) return again;
  kill();  // this case may still be the culprit: the child can die a moment later
  return tl::unexpected(ended(damaged_before(first.error())));
}

ChildTarget::Answer ChildTarget::ask(const Request& request, std::span<const Case> cases) {
  const auto permit = server_.permits().among_others();
  return handed_over(request, cases);
}

ChildTarget::Answer ChildTarget::ask_alone(const Request& request, std::span<const Case> cases) {
  const auto permit = server_.permits().alone();
  kill();
  Answer answer = handed_over(request, cases);
  if (answer && request.settings.notes && !cases.empty()) {
    request.settings.notes->note_late_once(cases.front().id);
  }
  return answer;
}

ChildTarget::Answer ChildTarget::handed_over(const Request& request, std::span<const Case> cases) {
  if (request.settings.is_time_up()) return tl::unexpected(unsupported(not_begun));
  if (is_started_) recycle_a_grown_child();
  if (!is_started_) {
    const auto started = start(request.settings);
    if (!started && request.settings.is_time_up()) return tl::unexpected(unsupported(not_begun));
    if (!started) return tl::unexpected(ended(started.error()));
  }
  const auto body = server_.slots().body(*slot_);
  if (!write_request(body, request, cases)) {
    return tl::unexpected(unsupported("too large to be handed to a child process"));
  }
  ++calls_;
  head().cases_done.store(0);
  auto turn = static_cast<std::uint32_t>(Turn::Parent);
  const auto childs = static_cast<std::uint32_t>(Turn::Child);
  std::optional<Observation> fate;
  if (head().turn.compare_exchange_strong(turn, childs)) {
    wake(head());
    const auto time = time_for(request, cases, server_.settings().timeout);
    fate = await_answer(time, cases, request.settings);
  } else {
    fate = over();  // it died after its last answer
  }
  if (fate) {
    kill();
    return tl::unexpected(std::move(*fate));
  }
  Response response;
  const bool is_whole = read_response(body, response) && response.seen.size() == cases.size();
  if (!is_whole) {
    kill();
    return tl::unexpected(ended("the target overwrote memory of its process that is not its own"));
  }
  constexpr std::size_t large = std::size_t{1} << 20;
  if (output_bytes(response) > large) server_.slots().drop_pages(*slot_);
  if (!std::ranges::all_of(response.seen, survives)) kill();
  return response;
}

/// Waits for an answer; returns how the child ended, or nothing: it has answered.
std::optional<Observation> ChildTarget::await_answer(std::chrono::milliseconds time,
                                                     std::span<const Case> cases,
                                                     const RunSettings& settings) {
  ChildClock clock(head().process.load());
  std::uint32_t done = head().cases_done.load();
  while (!await_other_turn(head(), Turn::Child, look_interval)) {
    if (std::exchange(done, head().cases_done.load()) != done) clock.restart();
    const std::uint64_t used = resident_bytes(head().process.load());
    const std::uint64_t limit = server_.settings().memory_bytes;
    if (used > limit) {
      const double gib = static_cast<double>(limit) / static_cast<double>(std::uint64_t{1} << 30);
      const auto words =
          fmt::format("used more than the {:.1f} GiB that its process may have", gib);
      if (own_need(cases) > limit / 4) return unsupported("the case " + words);
      return ended("the target " + words);
    }
    if (server_.generation() != generation_) {
      return ended("the target killed the process that started its own");
    }
    if (settings.is_time_up()) {
      const std::size_t under_way = head().cases_done.load();
      if (settings.notes && under_way < cases.size()) {
        settings.notes->note_still_running(cases[under_way].id);
      }
      return unsupported(still_running);
    }
    if (clock.counted() < time) continue;
    Observation late;
    late.timed_out = true;
    return late;
  }
  if (head().turn.load() == static_cast<std::uint32_t>(Turn::Parent)) return std::nullopt;
  return over();
}

Observation ChildTarget::over() const {
  const int status = head().wait_status.load();
  if (!WIFSIGNALED(status)) {
    return ended(
        fmt::format("the target ended its process with exit code {}", WEXITSTATUS(status)));
  }
  Observation seen;
  seen.signal = WTERMSIG(status);
  return seen;
}

void ChildTarget::kill() {
  if (!std::exchange(is_started_, false)) return;
  const auto is_over = [&] {
    return head().turn.load() == static_cast<std::uint32_t>(Turn::Over) ||
           server_.generation() != generation_;
  };
  if (is_over()) return;
  server_.kill_child(*slot_);
  while (!is_over()) {
    const auto turn = static_cast<Turn>(head().turn.load());
    if (turn != Turn::Over) await_other_turn(head(), turn, look_interval);
  }
}

/// State that a library keeps from call to call must not affect the next case.
void ChildTarget::recycle_a_grown_child() {
  if (calls_ == 0 || calls_ % calls_between_size_checks != 0) return;
  if (resident_bytes(process()) > server_.settings().memory_bytes / 2) kill();
}

}  // namespace gradproof::targets
