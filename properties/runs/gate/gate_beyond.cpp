// Layers beyond those of every day: with a special value, and larger than all others.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "properties/cases/calls/case_convolution.h"
#include "properties/runs/gate/gate_run.h"
#include "properties/runs/gate/tap_walk.h"

namespace gradproof::runs {
namespace {

using corpus::InputRole;
using corpus::OutputRole;
using std::chrono::duration;

/// Indices of three elements that are multiplied with each other, two at a time.
struct Triple {
  std::size_t grad_output = 0, input = 0, weight = 0, channel = 0;  ///< of gradOutput
};

/// Draws one; nullopt: none was found soon.
std::optional<Triple> drawn_triple(const corpus::Case& test_case, Secret& secret) {
  const auto convolution = cases::convolution_of(test_case);
  if (!convolution) return std::nullopt;
  const auto& it = *convolution;
  const auto below = [&](std::int64_t count) { return secret.between(0, count - 1); };
  const TapWalk walk(it);
  const auto tap = below(walk.taps());
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  walk.for_each_pair(tap, [&](std::size_t small, std::size_t big) {
    pairs.push_back({small, big});
  });
  if (pairs.empty()) return std::nullopt;
  const auto [small_place, big_place] =
      pairs[to_size(below(static_cast<std::int64_t>(pairs.size())))];
  const auto sample = below(it.batch), group = below(it.groups),
             of_small = below(it.small_channels_per_group),
             of_big = below(it.big_channels_per_group);
  const auto small_channel = group * it.small_channels_per_group + of_small,
             big_channel = group * it.big_channels_per_group + of_big;
  const auto index = [&](std::int64_t channels, std::int64_t channel, std::int64_t places,
                         std::size_t place) {
    return to_size((sample * channels + channel) * places) + place;
  };
  const auto small =
      index(it.groups * it.small_channels_per_group, small_channel, walk.small(), small_place);
  const auto big = index(it.groups * it.big_channels_per_group, big_channel, walk.big(), big_place);
  const auto weight =
      to_size((small_channel * it.big_channels_per_group + of_big) * walk.taps() + tap);
  return it.transposed ? Triple{big, small, weight, to_size(big_channel)}
                       : Triple{small, big, weight, to_size(small_channel)};
}

}  // namespace

/// Asks for a layer again with an infinity or a NaN in an operand: what it is multiplied into is
/// finite nowhere.
void GateRun::ask_with_special(GateCall call) {
  const auto& test_case = call.test_case;
  const auto type = test_case.input->dtype;
  const auto triple = drawn_triple(test_case, secret_);
  if (!triple) return;
  const auto role = corpus::input_roles[to_size(secret_.between(0, 2))];
  const corpus::PerInput<std::size_t> of_inputs{triple->grad_output, triple->input, triple->weight};
  for (const auto other : corpus::input_roles) {  // products with 0 may be left out
    const auto at = static_cast<std::size_t>(other);
    if (element(type, call.operands.at(at), of_inputs[other]) == 0) {
      set_element(type, call.operands.at(at), of_inputs[other], 1);
    }
  }
  const double special = secret_.chance(50) ? NAN : secret_.chance(50) ? HUGE_VAL : -HUGE_VAL;
  set_element(type, call.operands.at(static_cast<std::size_t>(role)), of_inputs[role], special);
  const Calls calls{std::move(call)};
  const Seen seen = asked(calls, Kind::Layer);
  if (seen.empty() || seen.front().phase_two != corpus::Status::Success) return;
  const corpus::PerOutput<std::size_t> of_outputs{triple->input, triple->weight, triple->channel};
  for (const auto output : corpus::output_roles) {
    const bool is_reached = output == OutputRole::GradInput    ? role != InputRole::Input
                            : output == OutputRole::GradWeight ? role != InputRole::Weight
                                                               : role == InputRole::GradOutput;
    if (!is_reached || !corpus::is_requested(calls.front().test_case, output)) continue;
    const double result = element(type, seen.front().outputs[output].bits, of_outputs[output]);
    if (!std::isfinite(result)) continue;
    return refuse(calls.front(), "value",
                  fmt::format("{}[element {}] is {} where one of its products is {}",
                              corpus::name_of(output), of_outputs[output], result, special));
  }
}

/// A call that is larger than all before, as far as the rest of the time goes: users have larger
/// ones than a test has time for. Not to answer it is no fault.
void GateRun::ask_largest() {
  if (!calls_->is_asked("layer") || nanoseconds_of_layers_ <= 0) return;
  constexpr double most = 2e9;
  const double left = duration<double>(end_ - Clock::now()).count();
  const double affordable = std::min(0.5 * left * 1e9 / nanoseconds_of_layers_, most);
  GateCall call{calls_->largest(next_dtype(), static_cast<std::int64_t>(affordable), secret_), {}};
  if (!call.test_case.input) return;
  call.operands = exact_operands(call.test_case, secret_);
  asked({std::move(call)}, Kind::Last);
}

}  // namespace gradproof::runs
