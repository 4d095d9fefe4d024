#include <algorithm>
#include <cstring>

#include "properties/cases/calls/call_in_words.h"
#include "properties/cases/shrink/shrink.h"
#include "properties/runs/gate/gate_run.h"
#include "properties/targets/session/operand_bytes.h"

namespace gradproof::runs {
namespace {

using corpus::InputRole;
using std::chrono::milliseconds;

/// The call with its operands as its data.
corpus::Case with_listed_data(const GateCall& call) {
  corpus::Case listed = call.test_case;
  listed.data.emplace().distribution = corpus::Distribution::Listed;
  for (const InputRole role : corpus::input_roles) {
    const auto& tensor = *corpus::tensor(call.test_case, role);
    const auto& bytes = call.operands.at(static_cast<std::size_t>(role));
    const std::size_t width = corpus::size_bytes(tensor.dtype);
    for (std::size_t i = 0; i < elements_of(call.test_case, role); ++i) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, bytes.data() + i * width, width);
      if (bits == 0) continue;
      std::vector<std::int64_t> at(tensor.shape.size());
      auto rest = static_cast<std::int64_t>(i);
      for (std::size_t axis = at.size(); axis-- > 0; rest /= tensor.shape[axis]) {
        at[axis] = rest % tensor.shape[axis];
      }
      listed.data->listed.at(static_cast<std::size_t>(role)).push_back({std::move(at), bits});
    }
  }
  return listed;
}

}  // namespace

/// Says the smallest call that fails alike, with its data listed; where the listed form does not
/// fail, the call stays as it was asked.
void GateRun::make_small(const GateCall& call, const corpus::Verdict& verdict) {
  constexpr std::uint64_t most_elements = 20'000;
  std::uint64_t elements = 0;
  for (const InputRole role : corpus::input_roles) elements += elements_of(call.test_case, role);
  if (elements > most_elements) return;
  const corpus::Case listed = with_listed_data(call);
  bool is_alive = true;
  const auto check = [&](const corpus::Case& smaller) {
    GateCall asked{smaller, {}};
    if (!is_alive || is_time_up() || !smaller.data || !smaller.input || !smaller.grad_output ||
        !smaller.weight || smaller.api != call.test_case.api) {
      return corpus::Verdict{};
    }
    for (const InputRole role : corpus::input_roles) {
      asked.operands.at(static_cast<std::size_t>(role)) =
          targets::operand_bytes(smaller, role, targets::OperandLayout::Dense);
    }
    const auto reply =
        candidate_->ask({&asked, 1}, std::min(end_, Clock::now() + milliseconds(2'000)));
    is_alive = !reply.fate;
    const bool is_computed = is_alive && reply.seen.front().phase_two == corpus::Status::Success;
    return is_computed ? judged_values(asked, reply.seen.front()) : corpus::Verdict{};
  };
  const auto left = std::chrono::duration_cast<milliseconds>(end_ - Clock::now());
  const corpus::Verdict again = check(listed);
  if (again.signature() != verdict.signature()) {
    verdict_.why_sentence += "; asked once more with the same data it was right";
    return;
  }
  const auto small = cases::shrink(listed, check, {.time = std::min(left, milliseconds(3'000))});
  verdict_.call = cases::call_in_words(small.test_case);
  verdict_.data = cases::data_in_words(small.test_case);
  verdict_.why_sentence = small.verdict.reason;
  if (small.verdict.culprit) verdict_.element = small.verdict.outputs[*small.verdict.culprit].worst;
}

}  // namespace gradproof::runs
