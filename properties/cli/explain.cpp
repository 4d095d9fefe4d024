#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>

#include "corpus/product.h"
#include "corpus/words/words.h"
#include "properties/cli/case_input.h"
#include "properties/cli/commands.h"
#include "properties/cli/run_command.h"
#include "properties/explain/call_from_words.h"
#include "properties/explain/call_text.h"
#include "properties/explain/explanation.h"
#include "properties/explain/module_words.h"
#include "properties/explain/term.h"

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

/// The largest magnitude of a range such as "-1,1". Errors: a sentence.
tl::expected<std::optional<double>, std::string> largest_magnitude(const Arguments& arguments) {
  if (!arguments.range) return std::nullopt;
  const auto wrong = [&] {
    return tl::unexpected(
        fmt::format("--range: \"{}\" is no range of numbers such as -1,1", *arguments.range));
  };
  double largest = 0;
  const auto ends = corpus::words_of_list(*arguments.range);
  for (const std::string& text : ends) {
    double end = 0;
    const char* last = text.data() + text.size();
    const auto read = std::from_chars(text.data(), last, end);
    if (read.ec != std::errc{} || read.ptr != last || !std::isfinite(end)) return wrong();
    largest = std::max(largest, std::abs(end));
  }
  if (ends.size() != 2 || largest == 0) return wrong();
  return largest;
}

ExitCode explain_terms(const Arguments& arguments) {
  for (const std::string& word : arguments.operands) {
    const auto text = term_text(word);
    if (!text) return fail(ExitCode::BadUsage, text.error());
    fmt::print("{}", *text);
  }
  return ExitCode::NothingDisagreed;
}

/// A word that is no file's name.
bool asks_about_terms(const Arguments& arguments) {
  return !arguments.operands.empty() &&
         std::ranges::all_of(arguments.operands, [](const std::string& word) {
           return is_term(word) && !std::filesystem::exists(word);
         });
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

void print(const std::vector<Explanation>& explanations, const Arguments& arguments) {
  if (arguments.json) {
    for (const Explanation& one : explanations) fmt::print("{}\n", explanation_json(one));
    return;
  }
  const Case& problem = explanations.front().problem;
  if (!problem.id.empty()) fmt::print("{}: ", problem.id);
  fmt::print("{}", explanation_text(explanations));
  if (arguments.brief) return;
  const auto legal = std::ranges::find_if(explanations, &Explanation::is_legal);
  if (legal != explanations.end()) fmt::print("{}", if_it_still_fails(*legal));
  fmt::print("\nPython:\n{}\nC:\n{}", python_call(problem), c_call(problem));
}

}  // namespace

ExitCode explain(const Arguments& typed) {
  const auto understood = with_modules(typed);
  if (!understood) return fail(ExitCode::BadUsage, understood.error());
  const Arguments& arguments = *understood;
  if (asks_about_terms(arguments)) return explain_terms(arguments);
  const auto largest = largest_magnitude(arguments);
  if (!largest) return fail(ExitCode::BadUsage, largest.error());
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
                                     .simulated = simulated.get(),
                                     .compares_profiles = !arguments.profile,
                                     .largest = *largest};
  for (const Case& problem : *calls) {
    std::vector<Explanation> explanations;
    for (const Case& call : on_products(problem, arguments, configuration->selection.products)) {
      explanations.push_back(explanation_of(call, settings));
    }
    print(explanations, arguments);
  }
  return ExitCode::NothingDisagreed;
}

}  // namespace gradproof::properties::cli
