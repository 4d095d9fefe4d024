#include "properties/cases/laws/adversary.h"

#include <fmt/core.h>

#include <array>
#include <utility>

#include "properties/targets/target/target.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::Observation;

/// Values by schedule number, with seeds of no other run. Workspaces are full of zeros, of an
/// ordinary number, of NaN, of the largest finite numbers, of tiny and of negative ones.
struct Values {
  std::uint64_t seed;
  std::int32_t threads;
  std::byte workspace;
  std::size_t shift, others;
};
constexpr std::array<Values, Adversary::schedules> values{{
    {11, 1, std::byte{0x00}, 32, 0},
    {12, 2, std::byte{0x3C}, 0, 1},
    {13, 4, std::byte{0xFF}, 96, 0},
    {14, 1, std::byte{0x7B}, 160, 2},
    {15, 2, std::byte{0x01}, 480, 0},
    {16, 4, std::byte{0xBC}, 64, 1},
}};

std::string words(Circumstance what, std::size_t schedule) {
  const Values& chosen = values.at(schedule);
  switch (what) {
    case Circumstance::ScheduleSeed:
      return fmt::format("schedule seed {}", chosen.seed);
    case Circumstance::HostThreads:
      return fmt::format("{} host threads", chosen.threads);
    case Circumstance::Workspace:
      return fmt::format("a workspace of bytes {:#04x}",
                         std::to_integer<unsigned>(chosen.workspace));
    case Circumstance::Addresses:
      return fmt::format("tensors {} bytes later", chosen.shift);
    case Circumstance::OtherStreams:
      return chosen.others == 1 ? "a call on another stream"
                                : fmt::format("{} calls on other streams", chosen.others);
  }
  return {};
}

}  // namespace

bool Adversary::can_vary(Circumstance what) const {
  const bool is_of_the_machine =
      what == Circumstance::ScheduleSeed || what == Circumstance::HostThreads;
  return !is_of_the_machine || target_.library().takes_machine_settings();
}

void Adversary::vary(Circumstance what, std::size_t schedule, Conditions& conditions) {
  const Values& chosen = values.at(schedule);
  switch (what) {
    case Circumstance::ScheduleSeed:
      conditions.run.machine.schedule_seed = chosen.seed;
      break;
    case Circumstance::HostThreads:
      conditions.run.machine.host_threads = chosen.threads;
      break;
    case Circumstance::Workspace:
      conditions.run.workspace_poison = chosen.workspace;
      break;
    case Circumstance::Addresses:
      conditions.run.address_shift = chosen.shift;
      break;
    case Circumstance::OtherStreams:
      conditions.others = chosen.others;
      conditions.run.interleaving = schedule + 1;
      break;
  }
}

/// Call 0 is the case; the concurrent calls have other data, so that mixed-up results differ.
Case Adversary::call(std::size_t number) const {
  Case one = problem_;
  one.data->seed += number;
  return one;
}

std::vector<Observation> Adversary::run(const Conditions& conditions) const {
  std::vector<Case> calls;
  for (std::size_t i = 0; i <= conditions.others; ++i) calls.push_back(call(i));
  return target_.run_on_streams(calls, conditions.run);
}

Observed Adversary::observe() { return cases::observe(target_, problem_, settings_, "the call"); }

Observed Adversary::observe(std::size_t schedule) {
  Conditions conditions{settings_.run};
  for (const Circumstance what : circumstances) {
    if (can_vary(what)) vary(what, schedule, conditions);
  }
  std::vector<Observation> seen = run(conditions);
  std::optional<corpus::Verdict> ended;
  for (std::size_t i = 0; i < seen.size() && !ended; ++i) {
    const std::string which = i == 0 ? "the call" : fmt::format("concurrent call {}", i);
    ended = why_ended(call(i), seen[i], settings_, which + " " + words_of(schedule));
  }
  return {std::move(seen.front()), std::move(ended)};
}

std::string Adversary::words_of(std::size_t schedule) const {
  std::string text = "with";
  for (const Circumstance what : circumstances) {
    if (!can_vary(what)) continue;
    text += text == "with" ? " " : ", ";
    text += words(what, schedule);
  }
  return text;
}

bool Adversary::differs(const Conditions& conditions, const Observation& usual) const {
  const std::vector<Observation> seen = run(conditions);
  for (std::size_t i = 0; i < usual.outputs.size(); ++i) {
    if (seen.front().outputs.at(i).bits != usual.outputs.at(i).bits) return true;
  }
  return false;
}

std::string Adversary::cause(std::size_t schedule, const Observation& usual) {
  if (differs({settings_.run}, usual)) return "; so it does in a repeat with nothing varied";
  std::string alone;
  for (const Circumstance what : circumstances) {
    Conditions conditions{settings_.run};
    if (!can_vary(what)) continue;
    vary(what, schedule, conditions);
    if (!differs(conditions, usual)) continue;
    alone += (alone.empty() ? "" : " or ") + words(what, schedule);
  }
  return alone.empty() ? "; none of these does it alone" : "; enough for it: " + alone;
}

}  // namespace gradproof::cases
