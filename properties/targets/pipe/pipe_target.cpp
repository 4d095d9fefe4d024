#include "properties/targets/pipe/pipe_target.h"

#include <fmt/core.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <string_view>
#include <utility>

#include "corpus/words/foreign_text.h"
#include "oracle/geometry/workload.h"
#include "properties/targets/isolation/child_fate.h"
#include "properties/targets/pipe/pipe_messages.h"
#include "properties/targets/session/unwritten.h"
#include "properties/targets/target/call_notes.h"

namespace gradproof::targets {
namespace {

using corpus::Case;
using corpus::Observation;
using Clock = PipeProcess::Clock;
using Event = PipeProcess::Event;

/// Programs load much before they greet: they have the time of so many calls, and this at least.
constexpr int calls_while_loading = 4;
constexpr std::chrono::milliseconds least_loading_time{10'000};
/// Processes in which a call must be killed before the program is blamed.
constexpr int most_kills = 4;
constexpr std::size_t longest_greeting = 256;
/// Calls of a batch that may be late one after the other, each in a process of its own.
constexpr int most_late_in_a_row = 3;
constexpr std::string_view late_thrice = "not asked: three calls before it had no answer in time";

/// The signal that a process died of; a shell says that of its command's by its exit code.
std::optional<int> signal_of(int status) {
  if (WIFSIGNALED(status)) return WTERMSIG(status);
  constexpr int shells_sign = 128;
  const int code = WEXITSTATUS(status);
  return code > shells_sign ? std::optional(code - shells_sign) : std::nullopt;
}

std::string end_in_words(int status) {
  if (const auto signal = signal_of(status)) return fmt::format("died of signal {}", *signal);
  return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

/// Anybody may have killed it, and the system does where memory runs out.
bool was_killed(const Observation& seen) { return seen.signal == SIGKILL; }

std::string_view as_text(std::span<const std::byte> bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes.data()), size};
}

/// Quotes what a program wrote, fit for a message.
std::string quoted(std::span<const std::byte> bytes) {
  constexpr std::size_t most = 60;
  return '"' + corpus::foreign_name(as_text(bytes, std::min(bytes.size(), most))) + '"';
}

}  // namespace

tl::expected<std::string, std::string> PipeTarget::start() {
  if (process_) return library().name();
  unread_.clear();
  served_ = 0;
  auto process = PipeProcess::start(settings_.command);
  if (!process) return tl::unexpected(process.error());
  process_ = std::move(*process);
  auto name = greeting();
  if (!name) {
    process_.reset();
    return tl::unexpected(fmt::format("{}: {}", settings_.command, name.error()));
  }
  return name;
}

tl::expected<std::string, std::string> PipeTarget::greeting() {
  const std::string greeted = std::string(pipe_greeting).append(settings_.views ? pipe_views : "");
  const std::string hello = greeted + '\n';
  std::span<const std::byte> out = std::as_bytes(std::span(hello));
  const auto time = std::max(least_loading_time, calls_while_loading * settings_.timeout);
  const auto deadline = Clock::now() + time;
  auto line_end = unread_.end();
  while (line_end == unread_.end()) {
    if (unread_.size() > longest_greeting) break;
    const Event event = process_->exchange(out, unread_, deadline);
    line_end = std::ranges::find(unread_, std::byte{'\n'});
    if (line_end != unread_.end()) break;
    if (event == Event::Late) {
      return tl::unexpected(
          fmt::format("greeted by no \"{} NAME\" within {} s", greeted, time.count() / 1000));
    }
    if (event == Event::Over) {
      return tl::unexpected(fmt::format("{} before it greeted{}", end_in_words(process_->end()),
                                        unread_.empty() ? "" : "; it wrote " + quoted(unread_)));
    }
  }
  const bool is_line = line_end != unread_.end();
  const auto size = to_size(line_end - unread_.begin());
  const std::string_view line = as_text(unread_, size);
  if (!is_line || !line.starts_with(greeted + ' ')) {
    return tl::unexpected(fmt::format("expected \"{} NAME\", found {}{}", greeted,
                                      quoted(std::span(unread_).first(size)),
                                      settings_.views ? ": it takes no views" : ""));
  }
  std::string name = corpus::foreign_name(line.substr(greeted.size() + 1));
  unread_.erase(unread_.begin(), line_end + 1);
  return name;
}

tl::expected<std::uint64_t, std::string> PipeTarget::free_memory() {
  return tl::unexpected(std::string("a program behind a pipe has no device"));
}

Observation PipeTarget::run_one(const Case& test_case, const RunSettings& settings) {
  return std::move(run_several({&test_case, 1}, settings).front());
}

std::vector<Observation> PipeTarget::run_several(std::span<const Case> cases,
                                                 const RunSettings& settings) {
  const auto ask = [&](std::span<const Case> calls) { return run_once(calls, settings); };
  return settings_.repeat ? settings_.asked_twice(cases, ask) : ask(cases);
}

std::vector<Observation> PipeTarget::run_once(std::span<const Case> cases,
                                              const RunSettings& settings) {
  std::vector<Observation> seen(cases.size());
  std::vector<const Case*> calls;
  std::vector<std::size_t> places;
  const auto flush = [&] {
    auto answered = answers(calls, settings);
    for (std::size_t i = 0; i < places.size(); ++i) seen[places[i]] = std::move(answered[i]);
    calls.clear();
    places.clear();
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (const char* why = why_no_call_of_tensors(cases[i], settings.status_only)) {
      seen[i] = corpus::not_run(why);
      continue;
    }
    calls.push_back(&cases[i]);
    places.push_back(i);
    if (calls.size() == most_calls_at_once) flush();
  }
  flush();
  return seen;
}

std::vector<Observation> PipeTarget::run_together(std::span<const Case> cases, const RunSettings&) {
  return {cases.size(), corpus::not_run("a program behind a pipe has no streams")};
}

std::vector<Observation> PipeTarget::answers(Calls calls, const RunSettings& settings) {
  if (calls.empty()) return {};
  if (calls.size() == 1) return {answer_alone(*calls.front(), settings)};
  Reply reply = ask(calls, settings);
  if (!reply.fate) return std::move(reply.seen);
  const std::size_t first = reply.seen.size();
  if (reply.fate->unsupported) {  // the run has no time left
    reply.seen.push_back(*reply.fate);
    reply.seen.resize(calls.size(), corpus::not_run(std::string(not_begun)));
    return std::move(reply.seen);
  }
  int late_in_a_row = 0;
  for (const Case* test_case : calls.subspan(first)) {
    if (late_in_a_row == most_late_in_a_row) {
      reply.seen.push_back(corpus::not_run(std::string(late_thrice)));
      continue;
    }
    reply.seen.push_back(answer_alone(*test_case, settings));
    late_in_a_row = reply.seen.back().timed_out ? late_in_a_row + 1 : 0;
  }
  const auto survives = [](const Observation& seen) {
    return !seen.signal && !seen.timed_out && !seen.ended;
  };
  const bool is_lost =
      !reply.fate->timed_out && std::all_of(reply.seen.begin() + static_cast<std::ptrdiff_t>(first),
                                            reply.seen.end(), survives);
  if (is_lost) {
    reply.seen[first] = ended(reply.fate->ended.value_or("the target died") +
                              "; not where the call is alone: an earlier one damaged the process");
  }
  return std::move(reply.seen);
}

/// Answers one call. In a process that has served others a death is tried again in a new one.
Observation PipeTarget::answer_alone(const Case& test_case, const RunSettings& settings) {
  const Case* const call = &test_case;
  const bool has_served = process_ && served_ > 0;
  Reply reply = ask({&call, 1}, settings);
  const std::uint64_t kills_before = kills_for_memory();
  for (int kills = 1; reply.fate && was_killed(*reply.fate); ++kills) {
    if (kills == most_kills && kills_for_memory() != kills_before) {
      return corpus::not_run(std::string(out_of_memory));
    }
    if (kills == most_kills) return std::move(*reply.fate);
    reply = ask({&call, 1}, settings);
  }
  if (!reply.fate) return std::move(reply.seen.front());
  const bool is_final = reply.fate->timed_out || reply.fate->unsupported;
  if (!has_served || is_final) return std::move(*reply.fate);
  Reply again = ask({&call, 1}, settings);
  if (again.fate) return std::move(*again.fate);
  return ended(reply.fate->ended.value_or("the target died") +
               "; not in a new process: an earlier call damaged it");
}

PipeTarget::Reply PipeTarget::ask(Calls calls, const RunSettings& settings) {
  Reply reply;
  if (settings.is_time_up()) {
    reply.fate = corpus::not_run(std::string(not_begun));
    return reply;
  }
  if (const auto started = start(); !started) {
    reply.fate = ended(started.error());
    return reply;
  }
  std::vector<std::byte> sent;
  append_count(sent, static_cast<std::uint32_t>(calls.size()));
  for (std::size_t i = 0; i < calls.size(); ++i) {
    append_call(sent, next_number_ + static_cast<std::uint32_t>(i), *calls[i],
                settings_.views ? OperandLayout::Storage : OperandLayout::Dense);
  }
  std::span<const std::byte> out = sent;
  const auto end_of = [&](const Case& test_case) {
    return std::min(deadline(test_case), settings.until.value_or(Clock::time_point::max()));
  };
  auto until = end_of(*calls.front());
  while (reply.seen.size() < calls.size() && !reply.fate) {
    const std::size_t before = reply.seen.size();
    const Event event = process_->exchange(out, unread_, until);
    if (auto wrong = take_answers(
            unread_, next_number_, calls.size(),
            [&](std::size_t i) -> const Case& { return *calls[i]; }, reply.seen)) {
      reply.fate = ended(
          fmt::format("the target {}; its last bytes begin with {}", *wrong, quoted(unread_)));
    } else if (reply.seen.size() < calls.size()) {
      if (reply.seen.size() > before) until = end_of(*calls[reply.seen.size()]);
      if (event == Event::Over) reply.fate = over();
      if (event == Event::Late) reply.fate = late(*calls[reply.seen.size()], settings);
    }
  }
  next_number_ += static_cast<std::uint32_t>(calls.size());
  served_ += reply.seen.size();
  if (reply.fate) process_.reset();
  return reply;
}

Observation PipeTarget::late(const Case& test_case, const RunSettings& settings) const {
  if (settings.is_time_up()) {
    if (settings.notes) settings.notes->note_still_running(test_case.id);
    return corpus::not_run(std::string(still_running));
  }
  Observation seen;
  seen.timed_out = true;
  if (!unread_.empty()) {
    seen.ended = fmt::format(
        "the target did not end in time: {} bytes of its answer came; {} are one without a text",
        unread_.size(), size_of_answer(test_case));
  }
  return seen;
}

Clock::time_point PipeTarget::deadline(const Case& test_case) const {
  constexpr std::uint64_t macs_each_millisecond = 10'000, longest = std::uint64_t{1} << 40;
  const std::uint64_t macs = std::min(oracle::mac_count(test_case).value_or(0), longest);
  return Clock::now() + settings_.timeout + std::chrono::milliseconds(macs / macs_each_millisecond);
}

Observation PipeTarget::over() {
  const int status = process_->end();
  Observation seen = ended("the target " + end_in_words(status));
  if (const auto signal = signal_of(status)) {
    seen.signal = *signal;
    seen.ended.reset();
  }
  return seen;
}

}  // namespace gradproof::targets
