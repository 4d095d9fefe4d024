#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <iterator>
#include <map>

#include "properties/explain/call_text.h"
#include "properties/explain/explanation.h"
#include "properties/explain/typical_error.h"

namespace gradproof::properties {
namespace {

using corpus::OutputRole;

std::string bytes_in_words(std::uint64_t bytes) {
  if (bytes < 10'000) return fmt::format("{} bytes", bytes);
  const double mebibytes = static_cast<double>(bytes) / (1 << 20);
  return fmt::format("{:.3g} MiB", mebibytes);
}

std::string count_in_words(std::uint64_t count) {
  return count < 1'000'000 ? fmt::format("{}", count)
                           : fmt::format("{:.3g}", static_cast<double>(count));
}

void append_tolerance(std::string& text, const GradientComputation& gradient, const DataLaw& data) {
  const auto [relative, absolute] = gradient.tolerance(data.largest);
  fmt::format_to(std::back_inserter(text), "    data {}: rtol {:.2g}, atol {:.2g} at worst; {}\n",
                 data.words, relative, absolute, typical_words(gradient.typical));
}

void append(std::string& text, const GradientComputation& gradient) {
  const bool is_bias = gradient.role == OutputRole::GradBias;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "  {} {}\n", name_of(gradient.role), gradient.shape);
  if (is_bias) {
    fmt::format_to(out, "    adds gradOutput, up to {} terms in FLOAT", gradient.longest_sum);
  } else {
    if (gradient.operand_rounding > 0) {
      fmt::format_to(out, "    converts the factors to {}, each by up to {:.2g} of itself,\n",
                     gradient.operands, gradient.operand_rounding);
    }
    fmt::format_to(out, "    multiplies in {}, adds up to {} products in FLOAT", gradient.operands,
                   gradient.longest_sum);
  }
  if (gradient.roundings.empty()) {
    text += ", and leaves the sum as it is\n";
  } else {
    fmt::format_to(out, ", and rounds the sum to {}\n", fmt::join(gradient.roundings, ", then "));
  }
  fmt::format_to(out, "    error at most {}; {} {}\n", gradient.bound_words(),
                 count_in_words(gradient.multiply_accumulates),
                 is_bias ? "additions" : "multiply-accumulates");
}

std::string computation_text(const Computation& computation, const std::optional<DataLaw>& data) {
  std::string text;
  for (const GradientComputation& gradient : computation.gradients) {
    append(text, gradient);
    if (data) append_tolerance(text, gradient, *data);
  }
  if (!computation.gradients.empty()) {
    text += "  S is the element's sum of |a||b|, the error that of the sum of these products\n";
  }
  text += fmt::format("  tensors {}", bytes_in_words(computation.tensor_bytes));
  if (computation.workspace_bytes) {
    text += fmt::format(", workspace {} (simulated backend)",
                        bytes_in_words(*computation.workspace_bytes));
  }
  return text + "\n";
}

/// What follows the line with the answer.
std::string details(const Explanation& explanation) {
  std::string text;
  auto out = std::back_inserter(text);
  if (!explanation.released.empty()) {
    fmt::format_to(out, "  released libraries return {}; --profile released explains that\n",
                   explanation.released_in_words());
  }
  for (const oracle::BrokenRule& rule : explanation.broken) {
    fmt::format_to(out, "  {}: {} ({}); alone: {}\n", rule.id, rule.words, rule.source,
                   corpus::words(rule.documented));
  }
  for (const Change& remedy : explanation.remedies) {
    fmt::format_to(out, "  {}: {}\n",
                   remedy.is_pair ? "two changes make it legal" : "one change makes it legal",
                   remedy.words);
  }
  const bool is_refused = !explanation.is_legal() && !explanation.admitted.not_judged;
  if (is_refused && explanation.remedies.empty()) {
    text += "  no change of one or two parameters that was tried makes it legal\n";
  }
  if (is_refused && !explanation.legal_elsewhere.empty()) {
    fmt::format_to(out, "  the same call is legal on {}\n",
                   fmt::join(explanation.legal_elsewhere, ", "));
  }
  if (explanation.computation) text += computation_text(*explanation.computation, explanation.data);
  const bool is_aclnn = explanation.problem.api == corpus::Api::ConvolutionBackward;
  if (is_aclnn && explanation.is_legal() && !explanation.computation) {
    text += "  nothing is multiplied: the problem is empty\n";
  }
  return text;
}

/// Stands for the product's name while answers are compared.
constexpr char product_mark = '\x01';

std::string without_name(std::string text, const std::string& soc) {
  const auto is_letter = [&](std::size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (std::size_t at = 0; (at = text.find(soc, at)) != std::string::npos;) {
    const bool is_whole = !is_letter(at + soc.size());  // Ascend910 begins other names
    if (is_whole) text.replace(at, soc.size(), 1, product_mark);
    at += is_whole ? 1 : soc.size();
  }
  return text;
}

std::string with_name(const std::string& text, const std::string& names) {
  std::string named;
  for (const char letter : text) {
    if (letter == product_mark) named += names;
    if (letter != product_mark) named += letter;
  }
  return named;
}

}  // namespace

std::string explanation_text(const std::vector<Explanation>& explanations) {
  std::vector<std::pair<std::string, std::string>> answers;  // status, details
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> products;
  for (const Explanation& explanation : explanations) {
    const std::pair answer{explanation.statuses_in_words(),
                           without_name(details(explanation), explanation.problem.soc)};
    auto& names = products[answer];
    if (names.empty()) answers.push_back(answer);
    names.push_back(explanation.problem.soc);
  }
  std::string text;
  for (const auto& answer : answers) {
    const std::string names = fmt::format("{}", fmt::join(products[answer], ", "));
    text += fmt::format("{} on {}\n{}", answer.first, names, with_name(answer.second, names));
  }
  return text;
}

}  // namespace gradproof::properties
