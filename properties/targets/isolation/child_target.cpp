#include "properties/targets/isolation/child_target.h"

#include <fmt/core.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstring>
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
/// Bytes of a slot that an answer may take: whatever lengths a target writes there, no more is
/// read.
std::size_t most_bytes(std::span<const std::byte> body, std::span<const Case> cases) {
  constexpr std::uint64_t words = std::uint64_t{16} << 20U;
  const std::uint64_t need = std::min<std::uint64_t>(own_need(cases), body.size());
  return std::min<std::uint64_t>(body.size(), words + 2 * need);
}

/// The calls of a request that are done, and the time since the last was.
class DoneCalls {
 public:
  DoneCalls(Patience& patience, std::uint64_t done, std::chrono::nanoseconds for_their_sizes)
      : patience_(patience), for_their_sizes_(for_their_sizes), done_(done) {}

  /// Takes the number that is done now; true if it has grown. Tells how long they took.
  bool are_more(std::uint64_t done) {
    if (done <= done_) return false;
    const auto now = std::chrono::steady_clock::now();
    patience_.note(done - done_, now - begin_ - for_their_sizes_);
    done_ = done;
    begin_ = now;
    return true;
  }

 private:
  Patience& patience_;
  std::chrono::nanoseconds for_their_sizes_;
  std::uint64_t done_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// For a server to end a child that it is told to.
constexpr std::chrono::seconds time_to_kill{10};

}  // namespace

ChildTarget::~ChildTarget() {
  if (!slot_) return;
  kill();
  server_.slots().drop_pages(*slot_);
  server_.give_back(*slot_);
}

std::int32_t ChildTarget::process() const { return is_started_ ? head().process.load() : 0; }

tl::expected<Introduction, std::string> ChildTarget::start() {
  auto started = started_once({});
  for (int kills = 1; !started && was_killed_ && kills < most_kills; ++kills) {
    started = started_once({});
  }
  return started;
}

tl::expected<Introduction, std::string> ChildTarget::started_once(const RunSettings& settings) {
  was_killed_ = false;
  if (!slot_)
    return tl::unexpected(
        std::string("more targets at once than there are slots for child processes"));
  if (auto test_case = server_.fork_child(*slot_)) return tl::unexpected(*test_case);
  is_started_ = true;
  generation_ = server_.generation();
  calls_ = 0;
  served_.clear();
  const auto fate =
      await_answer({RequestKind::RunCases, settings}, {}, [] { return loading_time; });
  if (fate) {
    head().doing.back() = '\0';
    const std::string doing = head().doing.front() ? head().doing.data() : "starting";
    kill();
    const std::string how = fate->signal      ? "died of " + signal_words(*fate->signal)
                            : fate->timed_out ? "did not end in time"
                                              : fate->ended.value_or("ended");
    if (const int error = head().fork_error.load()) {
      return tl::unexpected(fmt::format("{}processes: {}", host_lacks, std::strerror(error)));
    }
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

/// Starts a child where there is none, or one that has grown. Why there is none.
std::optional<Observation> ChildTarget::without_a_child(const RunSettings& settings) {
  was_killed_ = false;
  if (settings.is_time_up()) return unsupported(not_begun);
  if (is_started_) recycle_a_grown_child();
  if (is_started_) return std::nullopt;
  const auto started = started_once(settings);
  if (started) return std::nullopt;
  if (settings.is_time_up()) return unsupported(not_begun);
  if (slot_ && head().fork_error.load() != 0) return unsupported(started.error());
  return ended(started.error());
}

/// Keeps what a late child was asked, up to the call that is late.
void ChildTarget::keep_what_is_late(const Request& request) {
  if (request.kind == RequestKind::RunCases) {
    served_.end_last_after(head().cases_done.load() + 1);
  }
  late_ = std::exchange(served_, {});
}

ChildTarget::Answer ChildTarget::handed_over(const Request& request, std::span<const Case> cases,
                                             const Limit& limit) {
  if (auto why = without_a_child(request.settings)) return tl::unexpected(std::move(*why));
  const auto body = server_.slots().body(*slot_);
  if (!write_request(body, request, cases)) {
    return tl::unexpected(unsupported("too large to be handed to a child process"));
  }
  ++calls_;
  served_.note(request, cases);
  head().cases_done.store(0);
  auto turn = static_cast<std::uint32_t>(Turn::Parent);
  const auto childs = static_cast<std::uint32_t>(Turn::Child);
  std::optional<Observation> fate;
  if (head().turn.compare_exchange_strong(turn, childs)) {
    wake(head());
    fate = await_answer(request, cases, limit);
  } else {
    fate = over();  // it died after its last answer
  }
  if (fate) {
    if (fate->timed_out) keep_what_is_late(request);
    kill();
    return tl::unexpected(std::move(*fate));
  }
  Response response;
  const bool is_whole = read_response(body.first(most_bytes(body, cases)), cases.size(), response);
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
std::optional<Observation> ChildTarget::await_answer(const Request& request,
                                                     std::span<const Case> cases,
                                                     const Limit& limit) {
  const RunSettings& settings = request.settings;
  ChildClock clock(head().process.load());
  DoneCalls done(server_.patience(), head().cases_done.load(), time_for(request, cases, {}));
  while (!await_other_turn(head(), Turn::Child, look_interval)) {
    if (done.are_more(head().cases_done.load())) clock.restart();
    const std::uint64_t used = resident_bytes(head().process.load());
    const std::uint64_t memory = server_.settings().memory_bytes;
    if (used > memory) {
      const double gib = static_cast<double>(memory) / static_cast<double>(std::uint64_t{1} << 30);
      const auto words =
          fmt::format("used more than the {:.1f} GiB that its process may have", gib);
      if (own_need(cases) > memory / 4) return unsupported("the case " + words);
      return ended("the target " + words);
    }
    if (server_.generation() != generation_) return killed_with_its_server();
    if (settings.is_time_up()) {
      const std::size_t under_way = head().cases_done.load();
      if (settings.notes && under_way < cases.size()) {
        settings.notes->note_still_running(cases[under_way].id);
      }
      return unsupported(still_running);
    }
    if (clock.counted() < time_for(request, cases, limit())) continue;
    Observation late;
    late.timed_out = true;
    return late;
  }
  if (head().turn.load() != static_cast<std::uint32_t>(Turn::Parent)) return over();
  done.are_more(cases.size());
  return std::nullopt;
}

Observation ChildTarget::killed_with_its_server() {
  was_killed_ = true;
  return ended("the target killed the process that started its own");
}

Observation ChildTarget::over() {
  const int status = head().wait_status.load();
  if (!WIFSIGNALED(status)) {
    return ended(
        fmt::format("the target ended its process with exit code {}", WEXITSTATUS(status)));
  }
  Observation seen;
  seen.signal = WTERMSIG(status);
  was_killed_ = seen.signal == SIGKILL;
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
  const auto begin = std::chrono::steady_clock::now();
  while (!is_over()) {
    if (std::chrono::steady_clock::now() - begin > time_to_kill) server_.give_up(generation_);
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
