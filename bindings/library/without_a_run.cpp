#include "bindings/library/without_a_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "bindings/library/call_text.h"
#include "corpus/case_json.h"
#include "properties/advice/explain/explanation.h"
#include "properties/advice/tensors/judgement.h"
#include "properties/advice/tensors/limits.h"

namespace gradproof::library {
tl::expected<std::string, std::string> judged_tensors(
    std::string_view call, const std::array<std::span<const std::byte>, 6>& tensors) {
  auto problem = call_of_text(call);
  if (!problem) return tl::unexpected(problem.error());
  advice::GivenTensors given;
  given.test_case = std::move(*problem);
  std::vector<bool> mask;
  for (std::size_t i = 0; i < given.operands.size(); ++i) {
    given.operands.at(i).assign(tensors.at(i).begin(), tensors.at(i).end());
    const auto& result = tensors.at(i + given.operands.size());
    given.results.at(i).assign(result.begin(), result.end());
    mask.push_back(result.data() != nullptr);
  }
  given.test_case.output_mask = mask;
  if (auto wrong = advice::problem_with(given)) return tl::unexpected(*wrong);
  return advice::judgement_json(advice::judgement_of(given, {}));
}

std::optional<std::string> limits_of_result(
    std::string_view call, const std::array<std::span<const std::byte>, 3>& operands,
    corpus::OutputRole role, std::span<double> exact, std::span<double> allowed) {
  auto problem = call_of_text(call);
  if (!problem) return problem.error();
  advice::GivenTensors given;
  given.test_case = std::move(*problem);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    given.operands.at(i).assign(operands.at(i).begin(), operands.at(i).end());
  }
  const auto limits = advice::limits_of(given, role, {});
  if (!limits) return limits.error();
  if (limits->exact.size() != exact.size()) {
    return fmt::format("{} has {} elements, not {}", corpus::name_of(role), limits->exact.size(),
                       exact.size());
  }
  std::ranges::copy(limits->exact, exact.begin());
  std::ranges::copy(limits->allowed, allowed.begin());
  return std::nullopt;
}

tl::expected<std::string, std::string> case_line(std::string_view call) {
  return call_of_text(call).map(corpus::to_json_line);
}

tl::expected<std::string, std::string> explained(std::string_view call, bool as_json) {
  const auto problem = call_of_text(call);
  if (!problem) return tl::unexpected(problem.error());
  const auto explanation = advice::explanation_of(*problem, {});
  return as_json ? advice::explanation_json(explanation) : advice::explanation_text({explanation});
}

}  // namespace gradproof::library
