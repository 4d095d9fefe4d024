#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "properties/runs/gate/gate_checksum.h"
#include "properties/runs/gate/gate_run.h"
#include "properties/runs/gate/sum_lengths.h"

namespace gradproof::runs {
namespace {

using corpus::InputRole;
using corpus::OutputRole;
using std::chrono::duration;
using std::chrono::milliseconds;

/// Limit of an error as a share of what a plain sequence exceeds once in 1e9 elements. Other usual
/// orders err less; that eight times as much is a mistake is a margin, and proved by nothing.
constexpr double most_typical_share = 8;
constexpr std::uint64_t least_products = 100;
/// Likewise of sums of elements: the largest and, of so many sums, the mean.
constexpr double most_checksum_share = 24, most_usual_share = 2, most_usual_of_tiles = 12;
constexpr std::size_t least_sums = 16;
constexpr std::size_t most_calls = 16;
constexpr std::array<ElementChange, 5> changes{ElementChange::Sign, ElementChange::Sign,
                                               ElementChange::Step, ElementChange::Step,
                                               ElementChange::Swap};

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
double least_magnitude(const corpus::Case& test_case, InputRole role,
                       const OperandBytes& operands) {
  const auto type = corpus::tensor(test_case, role)->dtype;
  double least = HUGE_VAL;
  for (std::size_t i = 0; i < elements_of(test_case, role); ++i) {
    const double value = std::abs(element(type, operands.at(static_cast<std::size_t>(role)), i));
    if (value > 0) least = std::min(least, value);
  }
  return least;
}

bool are_the_same(const std::vector<corpus::Observation>& one,
                  const std::vector<corpus::Observation>& other) {
  return std::ranges::equal(one, other, [](const auto& before, const auto& after) {
    return std::ranges::all_of(corpus::output_roles, [&](OutputRole role) {
      return before.outputs[role].bits == after.outputs[role].bits;
    });
  });
}

bool scale_all(GateCall& call, const Scaling& by) {
  return scale(call.test_case, InputRole::GradOutput, by.grad_output, call.operands) &&
         scale(call.test_case, InputRole::Input, by.input, call.operands) &&
         scale(call.test_case, InputRole::Weight, by.weight, call.operands);
}

}  // namespace

/// Copies a call, with fewer samples or more and other data.
GateCall GateRun::of_other_batch(const GateCall& call) {
  GateCall other = call;
  corpus::Case& test_case = other.test_case;
  const std::int64_t batch_now = test_case.input->shape[0];
  const auto drawn_batch = secret_.between(1, 2 * batch_now);
  for (auto* tensor : {&test_case.grad_output, &test_case.input, &test_case.grad_input}) {
    if (*tensor) (*tensor)->shape[0] = drawn_batch == batch_now ? batch_now + 1 : drawn_batch;
  }
  other.operands = exact_operands(test_case, secret_);
  return other;
}

/// The same storage with one element changed, again and again, and with one operand drawn again:
/// what was kept of an earlier call shows.
void GateRun::ask_sequence() {
  if (secret_.chance(40)) return ask_large_sequence();
  GateCall base = drawn(secret_.chance(70) ? 300 : 60'000);
  asked({base, of_other_batch(base), base});
  Calls calls{base};
  const auto flush = [&] {
    if (calls.size() > 1) asked(calls);
    calls = {base};
  };
  for (const InputRole role : corpus::input_roles) {
    calls.push_back(base);
    const auto index = static_cast<std::size_t>(role);
    calls.back().operands.at(index) = exact_operands(base.test_case, secret_).at(index);
    for (const std::size_t place : places_of(elements_of(base.test_case, role), secret_)) {
      GateCall changed = base;
      const auto change = changes.at(to_size(secret_.between(0, 4)));
      if (!change_element(base.test_case, role, place, change, changed.operands)) continue;
      calls.push_back(std::move(changed));
      if (calls.size() >= most_calls) flush();
      if (is_decided() || is_time_up()) return;
    }
  }
  flush();
}

/// Likewise of a small layer, whose weight or input is large for what it costs: few changes.
void GateRun::ask_large_sequence() {
  constexpr std::int64_t macs = 1'200'000;  // beyond them exact sums are judged in a moment
  constexpr std::size_t tries = 4;          // of which the largest
  const auto dtype = next_dtype();
  const InputRole wanted = secret_.chance(50) ? InputRole::Weight : InputRole::Input;
  GateCall base;
  for (std::size_t i = 0, most = 0; i < tries; ++i) {
    corpus::Case found = calls_->layer(dtype, "", macs, secret_);
    const std::size_t elements = found.input ? elements_of(found, wanted) : 0;
    if (elements > most) most = elements, base.test_case = std::move(found);
  }
  if (!base.test_case.input) return;
  base.operands = exact_operands(base.test_case, secret_);
  Calls calls{base};
  for (const InputRole role : corpus::input_roles) {
    const auto last = static_cast<std::int64_t>(elements_of(base.test_case, role)) - 1;
    for (const auto change : {ElementChange::Sign, changes.at(to_size(secret_.between(2, 4)))}) {
      calls.push_back(base);
      change_element(base.test_case, role, to_size(secret_.between(0, last)), change,
                     calls.back().operands);
    }
  }
  asked(calls);
  if (secret_.chance(50)) ask_with_special(std::move(base));
}

void GateRun::ask_scaled() {
  GateCall call = drawn(secret_.chance(60) ? 3'000 : 200'000);
  const auto type = call.test_case.input->dtype;
  if (type == corpus::DataType::Float16) return ask_drawn();
  call.operands = dense_operands(call.test_case, secret_);
  double least = 1;  // of products, that may be subnormal
  for (const InputRole role : corpus::input_roles) {
    least = std::min(least, least_magnitude(call.test_case, role, call.operands));
  }
  if (least < 0x1p-45) call.operands = balanced_operands(call.test_case, secret_);
  const Seen plain = asked({call});
  if (plain.empty() || plain.front().phase_two != corpus::Status::Success) return;
  const Scaling by = drawn_scaling(call, plain.front());
  GateCall scaled = call;
  if (!scale_all(scaled, by)) return;
  const Calls both{scaled, call};
  // Of one whose bits change by themselves the law says nothing: a break must come each time.
  constexpr int times = 12;
  std::string words;
  Seen first;
  for (int i = 0; i == 0 || (i < times && !words.empty()); ++i) {
    const Seen seen = asked(both, Kind::Beyond);
    if (seen.size() != both.size() || seen.front().phase_two != corpus::Status::Success) return;
    words = breaks_scaling(call.test_case, plain.front(), seen.front(), by);
    if (i == 0) first = {seen.front(), plain.front()};
    if (!are_the_same(first, seen)) return;
  }
  if (!words.empty()) refuse(call, "value", words);
}

Scaling GateRun::drawn_scaling(const GateCall& call, const corpus::Observation& plain) {
  const auto exponent = [&] {
    return static_cast<int>(secret_.between(1, 12)) * (secret_.chance(50) ? -1 : 1);
  };
  Scaling by{exponent(), exponent(), exponent()};
  const auto dx = largest_exponent(call.test_case, OutputRole::GradInput, plain);
  const auto dw = largest_exponent(call.test_case, OutputRole::GradWeight, plain);
  if (secret_.chance(60)) {  // to the end of the range: what may overflow may be infinite, or right
    by.grad_output = 20;
    by.weight = dx ? 127 - by.grad_output - *dx : 0;
    by.input = dw ? 127 - by.grad_output - *dw : 0;
  }
  return by;
}

/// Long sums of balanced numbers, or of an input of one sign: errors add up as the square root of
/// the length where each addition rounds to FLOAT, and are far larger where operands were rounded
/// before.
void GateRun::ask_balanced() {
  constexpr std::size_t many = 2'000, some = 32;
  const double seconds = duration<double>(settings_.time).count();
  const double affordable = nanoseconds_a_mac_ > 0 ? seconds * 3e7 / nanoseconds_a_mac_ : 3e5;
  const auto macs = static_cast<std::int64_t>(std::clamp(affordable, 1e5, 3e6));
  GateCall call = drawn(macs);
  for (int i = 0; i < 20; ++i) {
    const bool is_large = elements_of(call.test_case, InputRole::GradOutput) >= many &&
                          elements_of(call.test_case, InputRole::Weight) >= some;
    if (is_large) break;
    call.test_case = calls_->draw(next_dtype(), "", macs, secret_);
  }
  call.operands = balanced_operands(call.test_case, secret_);
  if (secret_.chance(40)) {
    (secret_.chance(50) ? rectify : lift)(call.test_case, InputRole::Input, call.operands);
  }
  const Calls calls{std::move(call)};
  const Seen seen = asked(calls);
  if (!seen.empty()) check_precision(calls.front(), seen.front());
}

void GateRun::check_precision(const GateCall& call, const corpus::Observation& seen) {
  if (is_decided() || seen.phase_two != corpus::Status::Success) return;
  check_sums(call, seen);
  if (is_decided() || !settings_.typical_share) return;
  const auto given = spans_of(call.operands);
  for (const OutputRole role : corpus::output_roles) {
    if (!corpus::is_requested(call.test_case, role)) continue;
    // Of few products the bound is close.
    if (sum_lengths(call.test_case)[role] < least_products) continue;
    auto witness = findings::diagnosis::unseen(call.test_case, role, gate_judge_settings(), &given);
    if (!witness) continue;
    witness->observed.bits = seen.outputs[role].bits;
    const auto format = oracle::name_of(witness->arithmetics.front().operands);
    const auto share = settings_.typical_share(*witness, format, secret_.next(), judged_until());
    if (!share || *share <= most_typical_share) continue;
    return refuse(call, "value",
                  fmt::format("{}: errors are {:.0f} times those of right sums of such products: "
                              "operands or sums were rounded to less than the call asks for",
                              corpus::name_of(role), *share));
  }
}

/// Every element of long sums, in sums of elements.
void GateRun::check_sums(const GateCall& call, const corpus::Observation& seen) {
  for (const OutputRole role : corpus::output_roles) {
    if (!corpus::is_requested(call.test_case, role)) continue;
    if (sum_lengths(call.test_case)[role] < least_products) continue;
    const auto shares = checksum_shares(call, role, seen, secret_);
    if (!shares) continue;
    const auto names = classes_of_gate(call.test_case);
    const bool may_have_tiles =
        role == OutputRole::GradWeight && std::ranges::find(names, "3x3") != names.end();
    const double most_usual = may_have_tiles ? most_usual_of_tiles : most_usual_share;
    const bool is_usual = shares->sums < least_sums || shares->usual <= most_usual;
    if (shares->largest <= most_checksum_share && is_usual) continue;
    return refuse(
        call, "value",
        fmt::format("{}: sums of its elements differ from those of the products by {:.3g} "
                    "times what roundings to FLOAT leave, {:.3g} times in the mean: "
                    "elements are wrong, or less exact than the call asks for",
                    corpus::name_of(role), shares->largest, shares->usual));
  }
}

/// False where it takes the refused call with other data: that decided.
bool GateRun::refuses_whatever_the_data(const GateCall& call) {
  constexpr std::uint64_t first_ones = 40;
  if (dtypes_[call.test_case.input->dtype].all.refused > first_ones && !secret_.chance(10)) {
    return true;
  }
  GateCall exact{call.test_case, exact_operands(call.test_case, secret_)};
  GateCall balanced{call.test_case, balanced_operands(call.test_case, secret_)};
  const Calls calls{std::move(exact), std::move(balanced)};
  const auto reply = candidate_->ask(calls, end_);
  const bool takes_one = std::ranges::any_of(reply.seen, [](const corpus::Observation& seen) {
    return seen.phase_two == corpus::Status::Success;
  });
  if (!takes_one) return true;
  refuse(call, "refusal", "it refused this call, and not the same call with other data");
  return false;
}

void GateRun::ask_again() {
  // Hosts look at the results that they hold each 0.6 s at least.
  std::this_thread::sleep_for(std::min<Clock::duration>(milliseconds(610), settings_.time / 32));
  for (std::size_t at = 0; at < first_.size() && !is_decided(); at += most_calls) {
    const auto end = std::min(first_.size(), at + most_calls);
    asked(Calls(first_.begin() + static_cast<std::ptrdiff_t>(at),
                first_.begin() + static_cast<std::ptrdiff_t>(end)));
  }
}

}  // namespace gradproof::runs
