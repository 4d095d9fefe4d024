#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "corpus/element_values.h"
#include "properties/cases/calls/operator_convolution.h"
#include "properties/cases/laws/derived_call.h"
#include "properties/cases/laws/exact_data.h"
#include "properties/cases/laws/inner_product.h"
#include "properties/cases/laws/law_rows.h"
#include "properties/cases/laws/observed.h"

namespace gradproof::cases::laws_detail {
namespace {

using corpus::Case;
using corpus::InputRole;
using corpus::OutputRole;
using corpus::Verdict;

/// Output of one call with the input of another, or of the same.
std::optional<InnerProduct> paired(const Case& test_case, const corpus::Observation& seen,
                                   OutputRole output, const Case& other, InputRole input) {
  return inner_product(
      values_of(seen.outputs.at(to_size(output)).bits, corpus::tensor(test_case, output)->dtype),
      values_of(corpus::element_values(other, input), corpus::tensor(other, input)->dtype));
}

/// Functions whose gradients aclnnConvolutionBackward computes.
constexpr corpus::Api forward_apis[] = {corpus::Api::Convolution, corpus::Api::ConvDepthwise2d};

/// The forward call, without a bias, whose gradients a call with listed data asks for.
Case forward_of(Case listed, corpus::Api api) {
  listed.bias_sizes.reset();
  Case call = forward_call(std::move(listed), api);
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

/// A call of aclnnConvolutionBackward and what it gave.
struct Backward {
  const Case& test_case;
  const corpus::Observation& seen;
  corpus::PerOutput<Exactness> known;
};

/// Compares the inner product of the forward output with those of the exact gradients.
Verdict comparison(const Backward& backward, const Case& forward, const corpus::Observation& seen) {
  const auto product =
      paired(forward, seen, OutputRole::GradInput, backward.test_case, InputRole::GradOutput);
  if (!product) return law_broken(OutputRole::GradInput, "output has elements beyond any sum");
  for (const auto& [role, of] : gradients_of_products) {
    if (!corpus::is_requested(backward.test_case, role) || !backward.known[role].exact) continue;
    const auto other = paired(backward.test_case, backward.seen, role, backward.test_case, of);
    if (other == product) continue;
    return law_broken(
        role, fmt::format("{} and aclnnConvolutionBackward contradict each other: the inner "
                          "product of output and gradOutput is {}, that of {} and {} {}",
                          corpus::name_of(forward.api), product->value(), corpus::name_of(role),
                          corpus::name_of(of),
                          other ? fmt::format("is {}", other->value()) : "has none"));
  }
  Verdict verdict = agreed(fmt::format("all inner products are {}", product->value()));
  if (product->sum == 0) verdict.outcome = corpus::Outcome::Vacuous;
  verdict.milliseconds = backward.seen.milliseconds + seen.milliseconds;
  return verdict;
}

/// The forward calls that the library has, the rules admit and the data make exact; or why there
/// are none.
tl::expected<std::vector<Case>, std::string> forward_calls(const targets::Target& target,
                                                           const Case& listed,
                                                           const oracle::JudgeSettings& judge) {
  std::string why = "the target has no aclnnConvolution";
  std::vector<Case> calls;
  for (const corpus::Api api : forward_apis) {
    const auto apis = target.library().apis();
    if (std::ranges::find(apis, api) == apis.end()) continue;
    if (api == corpus::Api::ConvDepthwise2d && listed.transposed) continue;
    if (calls.empty()) why = "the rules do not let aclnnConvolution take the call";
    Case call = forward_of(listed, api);
    if (!is_legal(call, judge.profile)) continue;
    if (calls.empty()) why = "the data are not such that the law is exact";
    if (exactness_of(call, judge)[OutputRole::GradInput].exact) calls.push_back(std::move(call));
  }
  if (calls.empty()) return tl::unexpected(std::move(why));
  return calls;
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
  if (!whole_convolution(test_case)) return law_skipped(std::move(no_whole_convolution().value()));
  const auto calls = forward_calls(target, with_listed_data(test_case), settings.judge);
  if (!calls) return law_skipped(calls.error());
  const auto known = exactness_of(test_case, settings.judge);
  const bool is_exact = std::ranges::any_of(gradients_of_products, [&](const Gradient& gradient) {
    return corpus::is_requested(test_case, gradient.role) && known[gradient.role].exact;
  });
  if (!is_exact) return law_skipped("the data are not such that the law is exact");
  const Observed backward = observe(target, test_case, settings, "the call itself");
  if (backward.ended) return *backward.ended;
  Verdict verdict;
  for (const Case& call : *calls) {
    const Observed forward = observe(target, call, settings, std::string(name_of(call.api)));
    if (forward.ended) return *forward.ended;
    verdict = comparison({test_case, backward.seen, known}, call, forward.seen);
    if (verdict.outcome == corpus::Outcome::Disagree) return verdict;
  }
  return verdict;
}

}  // namespace gradproof::cases::laws_detail
