#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>
#include <utility>

#include "properties/advice/explain/explanation.h"
#include "properties/advice/explain/typical_error.h"

namespace gradproof::advice {
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

/// "factors converted to FLOAT16, each by up to 0.00049 of itself; up to 9 products added in
/// FLOAT".
std::string sum_words(const GradientComputation& gradient) {
  if (gradient.role == OutputRole::GradBias) {
    return fmt::format("up to {} terms of gradOutput added in FLOAT", gradient.longest_sum);
  }
  const std::string factors =
      gradient.operand_rounding > 0
          ? fmt::format("factors converted to {}, each by up to {:.2g} of itself",
                        gradient.operands, gradient.operand_rounding)
          : fmt::format("multiplied in {}", gradient.operands);
  return fmt::format("{}; up to {} products added in FLOAT", factors, gradient.longest_sum);
}

void append(std::string& text, const GradientComputation& gradient) {
  const bool is_bias = gradient.role == OutputRole::GradBias;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "  {} {}: {}", name_of(gradient.role), gradient.shape, sum_words(gradient));
  if (!gradient.roundings.empty()) {
    fmt::format_to(out, ", rounded to {}", fmt::join(gradient.roundings, ", then "));
  }
  fmt::format_to(out, "\n    error at most {}; {} {}\n", gradient.bound_words(),
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
  return text;
}

/// A rule or several: what is wrong, where that is written, and, where the whole call's status is
/// another one, what this rule alone leads to.
std::string rules_text(const Explanation& explanation) {
  constexpr std::size_t most = 8;
  const auto& broken = explanation.broken;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, broken.size()); ++i) {
    const std::string alone = corpus::words(broken[i].documented);
    const bool is_plain = alone == explanation.statuses_in_words();
    text += fmt::format("  {}: {} ({}){}\n", broken[i].id, broken[i].words, broken[i].source,
                        is_plain ? "" : "; alone: " + alone);
  }
  if (broken.size() > most) {
    text += fmt::format("  and {} more rules; --json has all\n", broken.size() - most);
  }
  return text;
}

/// Returns the text after the line with the answer; not its size, which differs between products
/// that say the same.
std::string details(const Explanation& explanation) {
  std::string text;
  auto out = std::back_inserter(text);
  if (!explanation.released.empty()) {
    fmt::format_to(out, "  released libraries return {}; --profile released explains that\n",
                   explanation.released_in_words());
  }
  text += rules_text(explanation);
  for (const ChangedCall& remedy : explanation.remedies) {
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
  const bool is_aclnn = explanation.test_case.api == corpus::Api::ConvolutionBackward;
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

/// Products that say the same.
struct SharedAnswer {
  std::string status, details;
  std::vector<const Explanation*> of;

  std::string names() const {
    std::vector<std::string_view> socs;
    for (const Explanation* one : of) socs.push_back(one->test_case.soc);
    return fmt::format("{}", fmt::join(socs, ", "));
  }
};

std::vector<SharedAnswer> answers_of(const std::vector<Explanation>& explanations) {
  std::vector<SharedAnswer> answers;
  for (const Explanation& one : explanations) {
    const std::string status = one.statuses_in_words();
    std::string text = without_name(details(one), one.test_case.soc);
    const auto same = std::ranges::find_if(answers, [&](const SharedAnswer& answer) {
      return answer.status == status && answer.details == text;
    });
    if (same != answers.end()) {
      same->of.push_back(&one);
    } else {
      answers.push_back({status, std::move(text), {&one}});
    }
  }
  return answers;
}

/// "workspace 12.4 MiB on Ascend910B and Ascend910_93, 8.49 MiB on Ascend950": as phase one of the
/// simulated backend asks for; empty where it was not asked.
std::string workspace_words(const SharedAnswer& answer) {
  std::vector<std::pair<std::string, std::string>> sizes;  // with their products
  for (const Explanation* one : answer.of) {
    if (!one->computation->workspace_bytes) continue;
    const std::string words = bytes_in_words(*one->computation->workspace_bytes);
    const auto same = std::ranges::find(sizes, words, [](const auto& size) { return size.first; });
    if (same == sizes.end()) {
      sizes.emplace_back(words, one->test_case.soc);
    } else {
      same->second += " and " + one->test_case.soc;
    }
  }
  std::string text;
  for (const auto& [words, products] : sizes) {
    text += fmt::format("{}{}{}", text.empty() ? "workspace " : ", ", words,
                        sizes.size() > 1 ? " on " + products : "");
  }
  return text;
}

std::string size_text(const SharedAnswer& answer) {
  const Explanation& first = *answer.of.front();
  if (!first.computation) return {};
  const std::string workspace = workspace_words(answer);
  return fmt::format("  tensors {}{}\n", bytes_in_words(first.computation->tensor_bytes),
                     workspace.empty() ? "" : fmt::format(", {} (simulated backend)", workspace));
}

std::string whole_text(const SharedAnswer& answer) {
  // One product stands for all in sentences, which speak of one.
  return fmt::format("{} on {}\n{}{}", answer.status, answer.names(),
                     with_name(answer.details, answer.of.front()->test_case.soc),
                     size_text(answer));
}

/// Describes an answer in one line, where there is no room for more.
std::string short_text(const SharedAnswer& answer) {
  const Explanation& first = *answer.of.front();
  std::vector<std::string_view> rules;
  for (const oracle::BrokenRule& rule : first.broken) rules.push_back(rule.id);
  return fmt::format("{} on {}{}; --soc {} says more\n", answer.status, answer.names(),
                     rules.empty() ? "" : fmt::format(": {}", fmt::join(rules, ", ")),
                     first.test_case.soc);
}

}  // namespace

std::string explanation_text(const std::vector<Explanation>& explanations, std::size_t most_lines) {
  const std::vector<SharedAnswer> answers = answers_of(explanations);
  std::string text;
  std::size_t lines = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    std::string next = whole_text(answers[i]);
    const auto size = to_size(std::ranges::count(next, '\n'));
    const std::size_t others = answers.size() - i - 1;  // a line each
    const bool fits = i == 0 || lines + size + others <= most_lines;
    if (!fits) next = short_text(answers[i]);
    lines += fits ? size : 1;
    text += next;
  }
  return text;
}

}  // namespace gradproof::advice
