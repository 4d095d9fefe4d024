#include <algorithm>
#include <sstream>
#include <utility>

#include "properties/cases/calls/call_in_words.h"
#include "properties/cases/laws/claims.h"
#include "properties/cases/shrink/shrink.h"
#include "properties/runs/gate/gate_run.h"
#include "properties/runs/gate/gate_target.h"

namespace gradproof::runs {
namespace {

using corpus::Outcome;

/// Laws that need nothing of a candidate but its answers: addresses, processors and processes are
/// the same for all calls of a gate.
constexpr std::array<std::string_view, 6> laws_of_answers{"determinism", "alternating_calls",
                                                          "batch_size",  "batch_neighbours",
                                                          "group_alone", "batch_place"};

std::string_view axis_of(std::string_view law) {
  for (const cases::Axis& axis : cases::axes_of_claims()) {
    if (std::ranges::find(axis.laws, law) != axis.laws.end()) return axis.name;
  }
  return law;
}

}  // namespace

bool GateRun::take_claims() {
  std::vector<std::string> claims = settings_.claims;
  std::istringstream words(candidate_->claims());
  for (std::string word; std::getline(words, word, ',');) claims.push_back(std::move(word));
  for (const std::string& claim : claims) {
    const auto wanted = std::vector{claim};
    auto laws = cases::laws_of_claims(wanted);
    std::erase_if(laws, [](const cases::Law* law) {
      return std::ranges::find(laws_of_answers, law->name) == laws_of_answers.end();
    });
    if (laws.empty()) {
      decide(GateOutcome::Incomplete, "claim",
             "\"" + claim +
                 "\" is no claim that a gate can check: deterministic, batch-invariant, "
                 "group-invariant, "
                 "position-invariant are");
      return false;
    }
    for (const cases::Law* law : laws) verdict_.claims[std::string(axis_of(law->name))] = 0;
    claimed_.insert(claimed_.end(), laws.begin(), laws.end());
  }
  return true;
}

/// Pairs of calls on numbers that round in every step, one for each law: bits that differ refute
/// what was claimed, however accurate they are.
void GateRun::ask_claimed() {
  if (claimed_.empty()) return ask_drawn();
  const auto target = target_of(*candidate_, end_);
  cases::CheckSettings settings;
  settings.judge = gate_judge_settings();
  for (const cases::Law* law : claimed_) {
    if (is_decided() || is_time_up()) return;
    GateCall call = drawn(small_macs);
    call.operands = balanced_operands(call.test_case, secret_);
    corpus::Case listed = listed_case(call);
    listed.data->seed = secret_.next();  // by which the law chooses
    const auto check = [&](const corpus::Case& test_case) {
      return is_time_up() ? corpus::Verdict{}
                          : cases::check_law(*law, *target, test_case, settings);
    };
    const corpus::Verdict verdict = check(listed);
    const std::string axis(axis_of(law->name));
    verdict_.claims[axis] += verdict.outcome == Outcome::Agree ? 1 : 0;
    if (verdict.outcome != Outcome::Disagree) continue;
    const auto small = cases::shrink(listed, check, {.time = std::chrono::seconds(3)});
    refuse({small.test_case, {}}, "claim", axis + ": " + small.verdict.reason);
    verdict_.data = cases::data_in_words(small.test_case);
  }
}

void GateRun::check_claims() {
  const bool is_checked =
      std::ranges::any_of(verdict_.claims, [](const auto& axis) { return axis.second > 0; });
  if (claimed_.empty() || is_checked) return;
  decide(GateOutcome::Incomplete, "time", "no claim was checked: give it more --time");
}

}  // namespace gradproof::runs
