#include "properties/generators/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "corpus/operators/operator_row.h"

namespace gradproof::properties {
namespace {

bool admits_types(const Selection& selection, const corpus::Case& problem) {
  return std::ranges::all_of(corpus::input_roles, [&](corpus::InputRole role) {
    const auto& tensor = corpus::tensor(problem, role);
    if (!corpus::is_operand(problem, role)) return true;
    return !tensor || admits(selection.dtypes, tensor->dtype);
  });
}

template <typename T, typename Name>
std::string option(std::string_view name, const std::vector<T>& values, Name&& name_of_value) {
  if (values.empty()) return {};
  std::vector<std::string> names;
  std::ranges::transform(values, std::back_inserter(names), [&](const T& value) {
    return fmt::format("{}", std::invoke(name_of_value, value));
  });
  return fmt::format(" --{} {}", name, fmt::join(names, ","));
}

}  // namespace

const std::vector<corpus::Api> generated_apis = [] {
  std::vector<corpus::Api> all;
  for (const corpus::OperatorRow& row : corpus::operator_rows()) all.push_back(row.api);
  return all;
}();

bool admits(const Selection& selection, const corpus::Case& problem) {
  const auto product = corpus::product_of(problem);
  if (!selection.products.empty() && (!product || !admits(selection.products, *product))) {
    return false;
  }
  const auto& apis = selection.apis;
  if (std::ranges::find(apis, problem.api) == apis.end()) return false;
  if (selection.transposed && problem.transposed != *selection.transposed) return false;
  const bool is_aclnn = problem.api == corpus::Api::ConvolutionBackward;
  const auto& ranked = is_aclnn ? problem.input : problem.grad_output;
  if (ranked && !admits(selection.ranks, static_cast<int>(ranked->shape.size()))) return false;
  return admits_types(selection, problem);
}

std::string options_of(const Selection& selection) {
  const Selection standard;
  std::string text;
  if (!std::ranges::is_permutation(selection.apis, generated_apis)) {
    text += option("api", selection.apis, [](auto api) { return corpus::name_of(api); });
  }
  text += option("soc", selection.products, [](auto product) { return corpus::name_of(product); });
  text += option("dtype", selection.dtypes, [](auto type) { return corpus::name_of(type); });
  text += option("rank", selection.ranks, std::identity{});
  if (selection.transposed)
    text += *selection.transposed ? " --transposed yes" : " --transposed no";
  if (selection.kind == Kind::Valid) text += " --kind valid";
  if (selection.kind == Kind::Invalid) text += " --kind invalid";
  text += option("rule", selection.rules, std::identity{});
  text += option("law", selection.laws, std::identity{});
  text += option("recipe", selection.recipes, [](auto recipe) { return corpus::name_of(recipe); });
  if (selection.max_macs != standard.max_macs) {
    text += fmt::format(" --max-macs {}", selection.max_macs);
  }
  if (selection.call) text += " " + selection.call->word;
  return text;
}

}  // namespace gradproof::properties
