#include <algorithm>

#include "properties/cases/calls/call_in_words.h"
#include "properties/cases/shrink/shrink.h"
#include "properties/findings/diagnosis/diagnosis.h"
#include "properties/runs/gate/gate_run.h"
#include "properties/runs/gate/gate_target.h"

namespace gradproof::runs {
namespace {

using corpus::InputRole;
using std::chrono::milliseconds;

}  // namespace

/// A small call that fails alike stands for one that is too large to be listed, where there is one.
void GateRun::make_small_by_another(const corpus::Verdict& verdict) {
  const auto until = std::min(end_, Clock::now() + milliseconds(2'000));
  while (Clock::now() < until) {
    const GateCall call = drawn(small_macs);
    const auto reply = candidate_->ask({&call, 1}, until);
    if (reply.fate) return;
    const auto& seen = reply.seen.front();
    if (seen.phase_two != corpus::Status::Success) continue;
    const corpus::Verdict other = judged_values(call, seen);
    if (other.signature() == verdict.signature()) return make_small(call, other);
  }
}

void GateRun::say_element(const corpus::Verdict& verdict) {
  if (!verdict.culprit) return;
  verdict_.element = verdict.outputs[*verdict.culprit].worst;
  verdict_.gradient = corpus::name_of(*verdict.culprit);
}

/// Says the smallest call that fails alike, with its data listed; where the listed form does not
/// fail, the call stays as it was asked.
void GateRun::make_small(const GateCall& call, const corpus::Verdict& verdict) {
  constexpr std::uint64_t most_elements = 20'000;
  std::uint64_t elements = 0;
  for (const InputRole role : corpus::input_roles) elements += elements_of(call.test_case, role);
  if (elements > most_elements) return make_small_by_another(verdict);
  const corpus::Case listed = listed_case(call);
  const auto target = target_of(*candidate_, end_);
  const auto check = [&](const corpus::Case& smaller) {
    if (is_time_up() || !smaller.data || smaller.api != call.test_case.api) {
      return corpus::Verdict{};
    }
    const auto seen = target->run_case(smaller);
    return seen.phase_two == corpus::Status::Success ? judged_values(call_of(smaller), seen)
                                                     : corpus::Verdict{};
  };
  const auto left = std::chrono::duration_cast<milliseconds>(end_ - Clock::now());
  const corpus::Verdict again = check(listed);
  if (again.signature() != verdict.signature()) {
    verdict_.why_sentence += "; asked once more with the same data it was right";
    return;
  }
  const auto small = cases::shrink(listed, check, {.time = std::min(left, milliseconds(3'000))});
  if (small.verdict.outcome != corpus::Outcome::Disagree) return;  // not each time
  verdict_.call = cases::call_in_words(small.test_case);
  verdict_.data = cases::data_in_words(small.test_case);
  verdict_.why_sentence = small.verdict.reason;
  say_element(small.verdict);
  findings::DiagnosisSettings diagnosis;
  diagnosis.check.judge = gate_judge_settings();
  diagnosis.time = std::clamp(std::chrono::duration_cast<milliseconds>(end_ - Clock::now()),
                              milliseconds(0), milliseconds(4'000));
  verdict_.diagnosis =
      findings::diagnosis_of(*target, small.test_case, listed, small.verdict, diagnosis);
}

}  // namespace gradproof::runs
