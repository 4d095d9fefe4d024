#include "properties/generators/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "corpus/operators/operator_row.h"
#include "properties/generators/questions.h"

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

namespace {

struct DomainRow {
  Domain domain;
  std::string_view name;
};
constexpr DomainRow domains[] = {
    {Domain::Cann, "cann"}, {Domain::PyTorch, "pytorch"}, {Domain::Any, "any"}};

}  // namespace

std::string_view name_of(Domain domain) {
  return std::ranges::find(domains, domain, &DomainRow::domain)->name;
}

corpus::Meaning<Domain> domain_from_words(std::string_view words) {
  const auto* row = std::ranges::find(domains, words, &DomainRow::name);
  if (row != std::end(domains)) return row->domain;
  return tl::unexpected(fmt::format("\"{}\" is no domain; there are cann, pytorch and any", words));
}

corpus::Meaning<int> rank_from_words(std::string_view words) {
  if (words == "3" || words == "4" || words == "5") return words[0] - '0';
  return tl::unexpected(fmt::format("\"{}\" is no rank; ranks are 3, 4 and 5", words));
}

std::vector<std::string> not_asked(const Selection& selection, bool repeats) {
  std::vector<std::string> left_out;
  if (!selection.views) left_out.emplace_back("views");
  if (!repeats) left_out.emplace_back("repetition");
  if (!selection.specials) left_out.emplace_back("special values");
  if (selection.domain == Domain::Cann) left_out.emplace_back("calls beyond CANN's domain");
  return left_out;
}

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
  return admits_types(selection, problem) && why_not_of_tensors(selection, problem) == nullptr;
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
  if (selection.domain != standard.domain) {
    text += fmt::format(" --domain {}", name_of(selection.domain));
  }
  if (selection.call) text += " " + selection.call->word;
  return text;
}

}  // namespace gradproof::properties
