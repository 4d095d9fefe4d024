#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "corpus/element_encoding.h"
#include "corpus/element_values.h"
#include "oracle/numbers/int128.h"
#include "properties/cases/calls/operator_convolution.h"
#include "properties/cases/laws/derived_call.h"
#include "properties/cases/laws/exact_data.h"
#include "properties/cases/laws/law_rows.h"
#include "properties/cases/laws/observed.h"

namespace gradproof::cases::laws_detail {
namespace {

using corpus::Case;
using corpus::InputRole;
using corpus::OutputRole;
using corpus::Verdict;
using oracle::Int128;

/// The elements of a tensor as integers times 2^unit.
struct Integers {
  std::vector<std::int64_t> values;
  int unit = 0;
};

/// Exponent of the lowest set bit of a finite value that is not zero.
int lowest_bit(double value) {
  int exponent = 0;
  const auto significand = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  return exponent - 53 + std::countr_zero(static_cast<std::uint64_t>(significand));
}

/// Integers of the elements; nullopt where an element is not finite.
std::optional<Integers> integers_of(const std::vector<std::byte>& bytes, corpus::DataType type) {
  std::vector<double> values;
  Integers result{{}, 1 << 20};
  for (std::size_t i = 0; i < bytes.size() / corpus::size_bytes(type); ++i) {
    const auto value = corpus::decode(type, bits_at(bytes, i, type));
    if (!value || !std::isfinite(*value)) return std::nullopt;
    if (*value != 0) result.unit = std::min(result.unit, lowest_bit(*value));
    values.push_back(*value);
  }
  for (const double value : values) {
    // Beyond this no law has exact sums, and an integer has no room.
    const double integer = value == 0 ? 0 : std::ldexp(value, -result.unit);
    if (std::abs(integer) >= 0x1p62) return std::nullopt;
    result.values.push_back(static_cast<std::int64_t>(integer));
  }
  return result;
}

/// An inner product, as an odd integer times 2^unit.
struct InnerProduct {
  Int128 sum = 0;
  int unit = 0;
  double value() const { return std::ldexp(static_cast<double>(sum), unit); }
  friend bool operator==(const InnerProduct&, const InnerProduct&) = default;
};

InnerProduct inner_product(const Integers& left, const Integers& right) {
  InnerProduct product{0, left.unit + right.unit};
  for (std::size_t i = 0; i < left.values.size(); ++i) {
    product.sum += Int128{left.values[i]} * right.values[i];
  }
  if (product.sum == 0) return {};
  while (product.sum % 2 == 0) {
    product.sum /= 2;
    ++product.unit;
  }
  return product;
}

/// Output of one call with the input of another, or of the same.
std::optional<InnerProduct> paired(const Case& test_case, const corpus::Observation& seen,
                                   OutputRole output, const Case& other, InputRole input) {
  const auto gradient =
      integers_of(seen.outputs.at(to_size(output)).bits, corpus::tensor(test_case, output)->dtype);
  const auto data =
      integers_of(corpus::element_values(other, input), corpus::tensor(other, input)->dtype);
  if (!gradient || !data || gradient->values.size() != data->values.size()) return std::nullopt;
  return inner_product(*gradient, *data);
}

/// The forward call, without a bias, whose gradients a call with listed data asks for.
Case forward_of(Case listed) {
  listed.bias_sizes.reset();
  Case call = forward_call(std::move(listed), corpus::Api::Convolution);
  for (auto* map : {&call.grad_output, &call.weight, &call.grad_input}) {
    (*map)->format = corpus::plain_format((*map)->shape.size());  // ND is none of its formats
  }
  return call;
}

/// A gradient, and the input that it is the gradient of.
struct Gradient {
  OutputRole role;
  InputRole of;
};
constexpr Gradient gradients_of_products[] = {{OutputRole::GradInput, InputRole::Input},
                                              {OutputRole::GradWeight, InputRole::Weight}};

/// Compares the inner products of the call's exact gradients with that of the forward output;
/// nullopt: they are equal.
std::optional<Verdict> contradiction(const Case& test_case, const corpus::Observation& seen,
                                     const corpus::PerOutput<Exactness>& known,
                                     const InnerProduct& forward) {
  for (const auto& [role, of] : gradients_of_products) {
    if (!corpus::is_requested(test_case, role) || !known[role].exact) continue;
    const auto backward = paired(test_case, seen, role, test_case, of);
    if (backward == forward) continue;
    return law_broken(
        role, fmt::format("aclnnConvolution and aclnnConvolutionBackward contradict each other: "
                          "the inner product of output and gradOutput is {}, that of {} and {} {}",
                          forward.value(), corpus::name_of(role), corpus::name_of(of),
                          backward ? fmt::format("is {}", backward->value()) : "has none"));
  }
  return std::nullopt;
}

}  // namespace

Verdict adjoint(targets::Target& target, const Case& test_case, const CheckSettings& settings) {
  if (!whole_convolution(test_case)) return law_skipped(std::move(no_whole_convolution().value()));
  const auto known = exactness_of(test_case, settings.judge);
  if (!known[0].exact || !known[1].exact) {
    return law_skipped("the data are not such that the law is exact");
  }
  Observed observed = observe(target, test_case, settings, "the call itself");
  if (observed.ended) return std::move(*observed.ended);
  const auto input =
      paired(test_case, observed.seen, OutputRole::GradInput, test_case, InputRole::Input);
  if (!input) return law_broken(OutputRole::GradInput, "gradInput has elements beyond any sum");
  const auto weight =
      paired(test_case, observed.seen, OutputRole::GradWeight, test_case, InputRole::Weight);
  if (!weight) return law_broken(OutputRole::GradWeight, "gradWeight has elements beyond any sum");
  if (*input != *weight) {
    return law_broken(OutputRole::GradWeight,
                      fmt::format("the inner product of gradInput and input is {}, that of "
                                  "gradWeight and weight is {}",
                                  input->value(), weight->value()));
  }
  Verdict verdict;
  verdict.outcome = input->sum == 0 ? corpus::Outcome::Vacuous : corpus::Outcome::Agree;
  verdict.reason = fmt::format("both inner products are {}", input->value());
  verdict.milliseconds = observed.seen.milliseconds;
  return verdict;
}

bool asks_for_a_product(const Case& test_case) {
  return corpus::is_requested(test_case, OutputRole::GradInput) ||
         corpus::is_requested(test_case, OutputRole::GradWeight);
}

Verdict forward_adjoint(targets::Target& target, const Case& test_case,
                        const CheckSettings& settings) {
  const auto apis = target.library().apis();
  if (std::ranges::find(apis, corpus::Api::Convolution) == apis.end()) {
    return law_skipped("the target has no aclnnConvolution");
  }
  if (!whole_convolution(test_case)) return law_skipped(std::move(no_whole_convolution().value()));
  const Case call = forward_of(with_listed_data(test_case));
  if (!is_legal(call, settings.judge.profile)) {
    return law_skipped("the rules do not let aclnnConvolution take the call");
  }
  const auto known = exactness_of(test_case, settings.judge);
  const bool is_exact = std::ranges::any_of(gradients_of_products, [&](const Gradient& gradient) {
    return corpus::is_requested(test_case, gradient.role) && known[gradient.role].exact;
  });
  if (!is_exact || !exactness_of(call, settings.judge)[OutputRole::GradInput].exact) {
    return law_skipped("the data are not such that the law is exact");
  }
  const Observed forward = observe(target, call, settings, "aclnnConvolution");
  if (forward.ended) return *forward.ended;
  const Observed backward = observe(target, test_case, settings, "the call itself");
  if (backward.ended) return *backward.ended;
  const auto product =
      paired(call, forward.seen, OutputRole::GradInput, test_case, InputRole::GradOutput);
  if (!product) return law_broken(OutputRole::GradInput, "output has elements beyond any sum");
  if (auto broken = contradiction(test_case, backward.seen, known, *product)) return *broken;
  Verdict verdict = agreed(fmt::format("all inner products are {}", product->value()));
  if (product->sum == 0) verdict.outcome = corpus::Outcome::Vacuous;
  verdict.milliseconds = forward.seen.milliseconds + backward.seen.milliseconds;
  return verdict;
}

}  // namespace gradproof::cases::laws_detail
