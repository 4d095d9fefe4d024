#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "properties/runs/gate/gate_run.h"
#include "properties/runs/gate/sum_lengths.h"

namespace gradproof::runs {
namespace {

using corpus::DataType;
using std::chrono::duration;

constexpr std::int64_t middle_macs = 60'000, large_macs = 2'000'000;
constexpr std::int64_t large_weight = 1'200'000;  // elements
constexpr std::array<double, 3> odd_numbers{HUGE_VAL, -HUGE_VAL, NAN};

}  // namespace

DataType GateRun::next_dtype() {
  const auto& all = calls_->dtypes();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const DataType dtype = all[turn_++ % all.size()];
    const GateCount& so_far = dtypes_[dtype].all;
    // One that it never takes is asked no more; the verdict says so.
    if (so_far.compared > 0 || so_far.refused < 16) return dtype;
  }
  return all.front();
}

std::string_view GateRun::least_asked(bool among_layers) {
  std::string_view least;
  std::uint64_t fewest = ~std::uint64_t{0};
  for (const std::string_view name : gate_classes) {
    if (name == "layer" || !calls_->is_asked(name)) continue;
    const std::uint64_t asked = among_layers ? layers_drawn_[name] : counted(name).asked;
    if (asked < fewest) least = name, fewest = asked;
  }
  return least;
}

/// Without gradBias mostly, as in networks, and at times without another result.
void GateRun::ask_for_some(corpus::Case& test_case) {
  std::vector<bool> mask;
  for (const auto role : corpus::output_roles) {
    const bool is_left_out = secret_.chance(role == corpus::OutputRole::GradBias ? 60 : 30);
    mask.push_back(corpus::is_requested(test_case, role) && !is_left_out);
  }
  if (std::ranges::find(mask, true) != mask.end()) test_case.output_mask = std::move(mask);
}

/// One of the two gradients that are sums of products, where it is asked for; gradBias costs
/// little.
void GateRun::ask_for_one(corpus::Case& test_case) {
  const bool is_first = secret_.chance(50);
  const auto role = is_first ? corpus::OutputRole::GradInput : corpus::OutputRole::GradWeight;
  if (corpus::is_requested(test_case, role)) {
    const bool has_bias =
        corpus::is_requested(test_case, corpus::OutputRole::GradBias) && secret_.chance(50);
    test_case.output_mask = std::vector<bool>{is_first, !is_first, has_bias};
  }
}

GateCall GateRun::drawn(std::int64_t macs) {
  GateCall call;
  const std::string_view wanted = secret_.chance(60) ? least_asked(false) : "";
  call.test_case = calls_->draw(next_dtype(), wanted, macs, secret_);
  if (secret_.chance(30)) ask_for_some(call.test_case);
  call.operands = exact_operands(call.test_case, secret_);
  return call;
}

bool GateRun::lacks_layers_of_a_class() { return layers_drawn_[least_asked(true)] < 2; }

/// A fifth of the time; twice that while there are classes without some.
bool GateRun::owes_layer() {
  if (!calls_->is_asked("layer")) return false;
  return counted("layer").compared < least_layers ||
         layer_seconds_ < spent() / (lacks_layers_of_a_class() ? 2.5 : 5);
}

void GateRun::ask_drawn() {
  Calls calls;
  std::array<bool, batch> has_usual_errors{};  // those of numbers that were drawn independently
  for (std::size_t i = 0; i < batch; ++i) {
    const bool is_fast = nanoseconds_a_mac_ < 100;
    const bool is_large = secret_.chance(2) && is_fast, is_middle = secret_.chance(15);
    calls.push_back(drawn(is_large ? large_macs : is_middle ? middle_macs : small_macs));
    auto& [test_case, operands] = calls.back();
    const bool is_dense = secret_.chance(50), is_odd = secret_.chance(30);
    // Of some: what errors are usual takes longer to say than the call.
    const bool is_long = is_dense && !is_odd && secret_.chance(25);
    has_usual_errors.at(i) = is_long;
    const auto dtype = test_case.input->dtype;
    for (int tries = 0; is_long && tries < 30 && std::ranges::max(sum_lengths(test_case)) < 300;
         ++tries) {
      // Where less precision shows.
      test_case = calls_->draw(dtype, "", is_fast && secret_.chance(20) ? middle_macs : small_macs,
                               secret_);
    }
    if (is_dense) operands = dense_operands(test_case, secret_);
    if (secret_.chance(20)) scale_channels(test_case, secret_, operands);
    if (is_odd) make_odd(calls.back());
  }
  const Seen seen = asked(calls);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (has_usual_errors.at(i)) check_precision(calls[i], seen[i]);
  }
  if (secret_.chance(40)) ask_edge();
}

/// Special values at some places of the operands, or one operand made regular.
void GateRun::make_odd(GateCall& call) {
  const auto role_drawn = [&] { return corpus::input_roles[to_size(secret_.between(0, 2))]; };
  if (secret_.chance(70)) {
    make_regular(call.test_case, role_drawn(), secret_, call.operands);
    return;
  }
  for (auto left = secret_.between(1, 3); left > 0; --left) {
    const auto role = role_drawn();
    const auto last = static_cast<std::int64_t>(elements_of(call.test_case, role)) - 1;
    set_element(corpus::tensor(call.test_case, role)->dtype,
                call.operands.at(static_cast<std::size_t>(role)), to_size(secret_.between(0, last)),
                odd_numbers.at(to_size(secret_.between(0, 2))));
  }
}

/// Draws a layer of the class that was drawn least: small calls of a class say nothing of how its
/// large ones are computed.
corpus::Case GateRun::layer_of_rare_class(DataType dtype, double most) {
  const std::string_view wanted = least_asked(true);
  constexpr double least = 2 * double(large_macs);
  const double share = std::pow(secret_.uniform(), 2);  // small ones mostly: more of them
  const double macs = least * std::pow(most / least, share);
  corpus::Case found = calls_->layer(dtype, wanted, static_cast<std::int64_t>(macs), secret_);
  std::vector<std::string_view> names;
  if (found.input) names = classes_of_gate(found);
  if (std::ranges::find(names, wanted) == names.end()) ++layers_drawn_[wanted];  // there is none
  return found;
}

/// As large as a twelfth of the time allows, by the slowest so far; at least one that is large for
/// a test. Once there are enough, those of each class, those with large weights and those between
/// tests and layers, too.
corpus::Case GateRun::drawn_layer() {
  constexpr std::int64_t least = least_layer_macs, most = most_layer_macs;
  const double share = duration<double>(settings_.time).count() / 12 * 1e9;
  const double affordable =
      nanoseconds_of_layers_ > 0 ? share / nanoseconds_of_layers_ : double(least);
  const auto end = std::clamp<std::int64_t>(static_cast<std::int64_t>(affordable), least, most);
  const DataType dtype = next_dtype();
  if (counted("layer").compared < least_layers) {
    return calls_->layer(dtype, "", secret_.between(least, end), secret_);
  }
  corpus::Case found;
  if (secret_.chance(lacks_layers_of_a_class() ? 80 : 50)) {
    found = layer_of_rare_class(dtype, double(end));
  } else if (secret_.chance(50)) {
    found = calls_->published_layer(dtype, end, secret_, large_weight);
  } else if (secret_.chance(50)) {
    found = calls_->layer(dtype, "", secret_.between(least, end), secret_);
  }
  return found.input ? found : calls_->published_layer(dtype, end, secret_);
}

void GateRun::ask_layer() {
  GateCall call{drawn_layer(), {}};
  if (!call.test_case.input) return;
  bool is_exact = secret_.chance(60);  // each class has one that is, and one that is not
  const auto names = classes_of_gate(call.test_case);
  for (const auto name : names) is_exact &= layers_rounded_[name] > 0 || layers_drawn_[name] == 0;
  for (const auto name : names) ++layers_drawn_[name], layers_rounded_[name] += is_exact ? 0 : 1;
  // A slow kernel has time for one gradient of each layer.
  const double seconds = 3e-9 * nanoseconds_a_mac_ * double(least_layer_macs);
  const bool is_slow = seconds > duration<double>(settings_.time).count() / 10;
  if (is_slow) ask_for_one(call.test_case);
  if (!is_slow && secret_.chance(60)) ask_for_some(call.test_case);
  // Exact sums are judged whole; less precision shows where they round.
  const bool is_thin = is_exact && secret_.chance(30);
  call.operands = is_thin    ? thinned_operands(call.test_case, secret_)
                  : is_exact ? exact_operands(call.test_case, secret_)
                             : balanced_operands(call.test_case, secret_);
  if (!is_exact && secret_.chance(30)) scale_channels(call.test_case, secret_, call.operands);
  bool has_usual_errors = !is_exact;
  for (const auto role : corpus::input_roles) {
    if (role == corpus::InputRole::Input && secret_.chance(50)) {
      (secret_.chance(75) ? rectify : lift)(call.test_case, role, call.operands);
    } else if (secret_.chance(30) && !(is_thin && role == corpus::InputRole::GradOutput)) {
      has_usual_errors &= make_regular(call.test_case, role, secret_, call.operands);
    }
  }
  const Calls calls{std::move(call)};
  const auto before = Clock::now();
  const Seen seen = asked(calls, Kind::Layer);
  if (seen.empty()) return;
  if (has_usual_errors) check_precision(calls.front(), seen.front());
  // A slow kernel has time for the layers that it must compute, and for no more of the same.
  const auto now = Clock::now();
  const bool is_fast = 4 * (now - before) < end_ - now && 20 * (now - before) < settings_.time;
  if (!is_fast || is_decided()) return;
  if (is_exact && secret_.chance(30)) ask_changed(calls.front());
  if (secret_.chance(20)) ask_with_special(calls.front());
}

/// Asks for a layer again with one element changed, of one operand or of each: what was kept of it
/// shows.
void GateRun::ask_changed(GateCall call) {
  const auto one = secret_.chance(50) ? secret_.between(0, 2) : -1;
  for (const auto role : corpus::input_roles) {
    const auto last = static_cast<std::int64_t>(elements_of(call.test_case, role)) - 1;
    if (one >= 0 && corpus::input_roles[to_size(one)] != role) continue;
    change_element(call.test_case, role, to_size(secret_.between(0, last)), ElementChange::Sign,
                   call.operands);
  }
  asked({std::move(call)}, Kind::Layer);
}

/// Asks what may be refused, and not be answered wrongly: no samples, or leave to be less precise.
void GateRun::ask_edge() {
  GateCall call = drawn(small_macs);
  auto& test_case = call.test_case;
  if (secret_.chance(60)) {
    test_case.cube_math_type = static_cast<std::int8_t>(secret_.between(1, 3));
  } else {
    test_case.grad_output->shape[0] = test_case.input->shape[0] = 0;
    if (test_case.grad_input) test_case.grad_input->shape[0] = 0;
    call.operands[0].clear();
    call.operands[1].clear();
  }
  asked({std::move(call)}, Kind::Edge);
}

}  // namespace gradproof::runs
