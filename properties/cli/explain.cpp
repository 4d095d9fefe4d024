#include <fmt/core.h>

#include <array>
#include <memory>

#include "corpus/product.h"
#include "properties/cli/case_input.h"
#include "properties/cli/commands.h"
#include "properties/cli/run_command.h"
#include "properties/explain/call_from_words.h"
#include "properties/explain/call_text.h"
#include "properties/explain/explanation.h"
#include "properties/explain/module_words.h"

namespace gradproof::properties::cli {
namespace {

using corpus::Case;
using corpus::Product;

/// Those without a convolution last.
constexpr std::array every_product{Product::Ascend910B, Product::Ascend910_93, Product::Ascend950,
                                   Product::Ascend310P, Product::Ascend910,    Product::Ascend310,
                                   Product::Ascend310B};

/// With modules of torch.nn among the operands made words of the call. Errors: a sentence.
tl::expected<Arguments, std::string> with_modules(Arguments arguments) {
  std::vector<std::string> files;
  for (const std::string& operand : arguments.operands) {
    if (!is_module(operand)) {
      files.push_back(operand);
    } else if (const auto problem = add_module(operand, arguments.call)) {
      return tl::unexpected(operand + ": " + *problem);
    }
  }
  arguments.operands = std::move(files);
  return arguments;
}

/// Errors: a sentence for the user.
tl::expected<std::vector<Case>, std::string> calls_of(const Arguments& arguments) {
  const bool typed = arguments.call.any();
  if (typed != arguments.operands.empty()) {
    return tl::unexpected(
        std::string("explain: give either a case file (- for the standard input) or a call, e.g. "
                    "--input 2,3,224,224 --weight 64,3,7,7 --stride 2"));
  }
  if (typed) {
    auto call = call_from_words(arguments.call);
    if (!call) return tl::unexpected(call.error());
    call->id = "call";
    return std::vector{std::move(*call)};
  }
  const auto stored = read_case_files(arguments.operands);
  if (!stored) return tl::unexpected(stored.error());
  std::vector<Case> calls;
  for (const StoredCase& kept : *stored) calls.push_back(kept.problem);
  return calls;
}

/// The call on each product asked for; a typed call names none, so all are.
std::vector<Case> on_products(const Case& problem, const Arguments& arguments,
                              const std::vector<Product>& chosen) {
  std::vector<Product> products = chosen;
  const bool everywhere = arguments.soc == "all" || (arguments.call.any() && !arguments.soc);
  if (everywhere) products.assign(every_product.begin(), every_product.end());
  if (products.empty()) return {problem};
  std::vector<Case> calls;
  for (const Product product : products) {
    calls.push_back(problem);
    calls.back().soc = corpus::name_of(product);
  }
  return calls;
}

void print(const std::vector<Explanation>& explanations, bool as_json) {
  if (as_json) {
    for (const Explanation& one : explanations) fmt::print("{}\n", explanation_json(one));
    return;
  }
  const Case& problem = explanations.front().problem;
  if (!problem.id.empty()) fmt::print("{}: ", problem.id);
  fmt::print("{}\nPython:\n{}\nC:\n{}", explanation_text(explanations), python_call(problem),
             c_call(problem));
}

}  // namespace

ExitCode explain(const Arguments& typed) {
  const auto understood = with_modules(typed);
  if (!understood) return fail(ExitCode::BadUsage, understood.error());
  const Arguments& arguments = *understood;
  Arguments others = arguments;
  if (arguments.soc == "all") others.soc.reset();
  const auto configuration = configuration_of(others);
  if (!configuration) return fail(ExitCode::BadUsage, configuration.error());
  const auto calls = calls_of(arguments);
  if (!calls) return fail(ExitCode::BadUsage, calls.error());
  const auto library = load_target(*configuration);
  std::unique_ptr<Target> simulated;
  if (library) simulated = (*library)->new_target();
  const ExplanationSettings settings{.judge = judge_settings(*configuration),
                                     .simulated = simulated.get()};
  for (const Case& problem : *calls) {
    std::vector<Explanation> explanations;
    for (const Case& call : on_products(problem, arguments, configuration->selection.products)) {
      explanations.push_back(explanation_of(call, settings));
    }
    print(explanations, arguments.json);
  }
  return ExitCode::NothingDisagreed;
}

}  // namespace gradproof::properties::cli
