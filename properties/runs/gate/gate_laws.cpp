#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "corpus/element_values.h"
#include "oracle/geometry/workload.h"
#include "properties/cases/calls/call_in_words.h"
#include "properties/cases/shrink/shrink.h"
#include "properties/runs/gate/gate_run.h"
#include "properties/targets/session/operand_bytes.h"

namespace gradproof::runs {
namespace {

using corpus::InputRole;
using corpus::OutputRole;
using std::chrono::milliseconds;

/// A right result exceeds what is typical by no more: other orders, blocks and trees err less than
/// a plain sequence, on which the figure rests.
constexpr double most_typical_share = 8;
constexpr std::size_t most_calls = 16;

std::size_t count_of(const corpus::Case& test_case, InputRole role) {
  return to_size(corpus::element_count(corpus::tensor(test_case, role)->shape).value_or(0));
}

/// Places of which each is changed alone: all of a small operand; else both ends, both middles and
/// some by chance.
std::vector<std::size_t> places_of(std::size_t count, Secret& secret) {
  constexpr std::size_t small = 24, by_chance = 4;
  std::vector<std::size_t> places;
  if (count <= small) {
    for (std::size_t i = 0; i < count; ++i) places.push_back(i);
    return places;
  }
  places = {0, count / 2, (count - 1) / 2, count - 1};
  for (std::size_t i = 0; i < by_chance; ++i) {
    places.push_back(to_size(secret.between(0, static_cast<std::int64_t>(count) - 1)));
  }
  return places;
}

/// The least magnitude of an operand's elements that are not 0.
double least_magnitude(const corpus::Case& test_case, InputRole role, const Operands& operands) {
  const auto type = corpus::tensor(test_case, role)->dtype;
  double least = HUGE_VAL;
  for (std::size_t i = 0; i < count_of(test_case, role); ++i) {
    const double value = std::abs(element(type, operands.at(static_cast<std::size_t>(role)), i));
    if (value > 0) least = std::min(least, value);
  }
  return least;
}

bool scale_all(GateCall& call, const Scaling& by) {
  return scale(call.test_case, InputRole::GradOutput, by.grad_output, call.operands) &&
         scale(call.test_case, InputRole::Input, by.input, call.operands) &&
         scale(call.test_case, InputRole::Weight, by.weight, call.operands);
}

}  // namespace

/// The same storage with one element changed, again and again: what was kept of an earlier call
/// shows.
void GateRun::ask_sequence() {
  GateCall base = drawn(secret_.chance(70) ? 300 : 60'000);
  Calls calls{base};
  const auto flush = [&] {
    if (calls.size() > 1) asked(calls);
    calls = {base};
  };
  for (const InputRole role : corpus::input_roles) {
    for (const std::size_t place : places_of(count_of(base.test_case, role), secret_)) {
      GateCall changed = base;
      if (!change_element(base.test_case, role, place, changed.operands)) continue;
      calls.push_back(std::move(changed));
      if (calls.size() == most_calls) flush();
      if (is_decided() || is_time_up()) return;
    }
  }
  flush();
}

void GateRun::ask_scaled() {
  GateCall call = drawn(secret_.chance(60) ? 3'000 : 200'000);
  const auto type = call.test_case.input->dtype;
  if (type == corpus::DataType::Float16) return ask_drawn();
  call.operands = dense_operands(call.test_case, secret_);
  double least = 1;
  for (const InputRole role : corpus::input_roles) {
    least = std::min(least, least_magnitude(call.test_case, role, call.operands));
  }
  if (least < 0x1p-45) return;  // products may be subnormal
  const Seen plain = asked({call});
  if (plain.empty() || plain.front().phase_two != corpus::Status::Success) return;
  const auto exponent = [&] {
    return static_cast<int>(secret_.between(1, 12)) * (secret_.chance(50) ? -1 : 1);
  };
  Scaling by{exponent(), exponent(), exponent()};
  const auto dx = largest_exponent(call.test_case, OutputRole::GradInput, plain.front());
  const auto dw = largest_exponent(call.test_case, OutputRole::GradWeight, plain.front());
  if (secret_.chance(25)) {  // to the end of the range: what may overflow may be infinite, or right
    by.grad_output = 20;
    by.weight = dx ? 127 - by.grad_output - *dx : 0;
    by.input = dw ? 127 - by.grad_output - *dw : 0;
  }
  GateCall scaled = call;
  if (!scale_all(scaled, by)) return;
  const Calls both{scaled, call};
  const Seen seen = asked(both, Kind::Beyond);
  if (seen.size() != both.size() || seen.front().phase_two != corpus::Status::Success) return;
  const std::string words = breaks_scaling(call.test_case, plain.front(), seen.front(), by);
  if (words.empty()) return;
  for (const OutputRole role : corpus::output_roles) {  // one whose bits change by themselves
    if (plain.front().outputs[role].bits != seen.back().outputs[role].bits) return;
  }
  refuse(call, "value", words);
}

/// Long sums of balanced numbers: errors add up as the square root of the length where each
/// addition rounds to FLOAT, and are far larger where operands were rounded before.
void GateRun::ask_balanced() {
  GateCall call = drawn(nanoseconds_a_mac_ < 100 ? secret_.between(60'000, 2'500'000) : 60'000);
  call.operands = balanced_operands(call.test_case, secret_);
  const Calls calls{std::move(call)};
  const Seen seen = asked(calls);
  if (seen.empty() || !settings_.typical_share || seen.front().phase_two != corpus::Status::Success)
    return;
  const auto given = spans_of(calls.front().operands);
  for (const OutputRole role : corpus::output_roles) {
    if (!corpus::is_requested(calls.front().test_case, role)) continue;
    auto witness =
        findings::diagnosis::unseen(calls.front().test_case, role, gate_judge_settings(), &given);
    if (!witness) continue;
    witness->observed.bits = seen.front().outputs[role].bits;
    const auto share =
        settings_.typical_share(*witness, oracle::name_of(witness->arithmetics.front().operands));
    if (!share || *share <= most_typical_share) continue;
    return refuse(calls.front(), "value",
                  fmt::format("{}: errors are {:.0f} times those of right sums of such products: "
                              "operands or sums were rounded to less than the call asks for",
                              corpus::name_of(role), *share));
  }
}

void GateRun::ask_again() {
  for (std::size_t at = 0; at < first_.size() && !is_decided(); at += most_calls) {
    const auto end = std::min(first_.size(), at + most_calls);
    asked(Calls(first_.begin() + static_cast<std::ptrdiff_t>(at),
                first_.begin() + static_cast<std::ptrdiff_t>(end)));
  }
}

/// Says the smallest call that fails alike, with its data listed; where the listed form does not
/// fail, the call stays as it was asked.
void GateRun::make_small(const GateCall& call, const corpus::Verdict& verdict) {
  constexpr std::uint64_t most_elements = 20'000;
  std::uint64_t elements = 0;
  corpus::Case listed = call.test_case;
  listed.data.emplace().distribution = corpus::Distribution::Listed;
  for (const InputRole role : corpus::input_roles) elements += count_of(call.test_case, role);
  if (elements > most_elements) return;
  for (const InputRole role : corpus::input_roles) {
    const auto& tensor = *corpus::tensor(call.test_case, role);
    const auto& bytes = call.operands.at(static_cast<std::size_t>(role));
    const std::size_t width = corpus::size_bytes(tensor.dtype);
    for (std::size_t i = 0; i < count_of(call.test_case, role); ++i) {
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
