#include "bindings/library/without_a_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "corpus/case_json.h"
#include "corpus/words/words.h"
#include "properties/advice/explain/call_from_texts.h"
#include "properties/advice/explain/explanation.h"
#include "properties/advice/logs/found_call.h"
#include "properties/advice/tensors/judgement.h"
#include "properties/advice/tensors/limits.h"

namespace gradproof::library {
namespace {

bool is_blank(char letter) { return std::isspace(static_cast<unsigned char>(letter)) != 0; }

/// Words as a shell splits them; brackets hold a word together as well.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  char quote = '\0';
  int depth = 0;
  for (const char letter : text) {
    if (letter == quote) {
      quote = '\0';
    } else if (quote == '\0' && (letter == '"' || letter == '\'')) {
      quote = letter;
    } else if (quote == '\0' && depth <= 0 && is_blank(letter)) {
      words.emplace_back();
    } else {
      depth += letter == '(' || letter == '[' ? 1 : 0;
      depth -= letter == ')' || letter == ']' ? 1 : 0;
      words.back() += letter;
    }
  }
  std::erase_if(words, [](const std::string& word) { return word.empty(); });
  return words;
}

/// "--stride=2" and "--stride" as "stride:2" and "stride:"; a part of `key:value` as it is;
/// nullopt: a word that belongs to the part before it.
std::optional<std::string> part_begun_by(const std::string& word) {
  if (!word.starts_with("--")) {
    return advice::is_call_line(word) ? std::optional(word) : std::nullopt;
  }
  std::string part = word.substr(2);
  const std::size_t sign = part.find('=');
  if (sign == std::string::npos) return part + ':';
  part[sign] = ':';
  return part;
}

/// Words of a call, and the product.
struct Words {
  advice::CallTexts call;
  std::optional<std::string> soc;

  /// Errors: a sentence.
  std::optional<std::string> add(const std::string& part) {
    const bool is_flag = part == "transposed:" || part == "bias:";
    return advice::add_call_line(is_flag ? part + "yes" : part, call, soc);
  }
};

tl::expected<Words, std::string> read(const std::vector<std::string>& typed) {
  Words words;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < typed.size(); ++i) {
    const std::string& word = typed[i];
    const bool is_command = i < 2 && (word == "gradproof" || word == "explain");
    if (is_command) continue;
    if (advice::is_written_call(word)) {
      if (auto problem = advice::add_written_call(word, words.call))
        return tl::unexpected(*problem);
    } else if (auto part = part_begun_by(word)) {
      parts.push_back(std::move(*part));
    } else if (parts.empty()) {
      return tl::unexpected(fmt::format(
          "\"{}\" is no call, e.g. \"--input 2,3,8,8 --weight 4,3,3,3 --stride 2\"", word));
    } else {
      parts.back() += (parts.back().ends_with(':') ? "" : " ") + word;
    }
  }
  for (const std::string& part : parts) {
    if (auto problem = words.add(part)) return tl::unexpected(*problem);
  }
  return words;
}

/// The call that a text says: a case's JSON line, or the words of `gradproof explain`, as options
/// ("--input 2,3,8,8 --weight 4,3,3,3 --stride 2"), as keys ("input:2,3,8,8 weight:4,3,3,3") or
/// with a module ("Conv2d(3, 4, 3) --input 2,3,8,8"). Errors: a sentence.
tl::expected<corpus::Case, std::string> call_of_text(std::string_view text) {
  const std::vector<std::string> typed = words_of(text);
  if (!typed.empty() && typed.front().starts_with('{')) {
    auto problem = corpus::parse_case(text);
    if (!problem) return tl::unexpected(problem.error().text());
    return std::move(*problem);
  }
  const auto words = read(typed);
  if (!words) return tl::unexpected(words.error());
  auto call = advice::call_from_texts(words->call);
  if (!call) return call;
  call->id = "call";
  if (!words->soc) return call;
  const auto product = corpus::product_from_words(*words->soc);
  if (!product) return tl::unexpected("soc: " + product.error());
  call->soc = corpus::name_of(*product);
  return call;
}

}  // namespace
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
  if (given.test_case.api == corpus::Api::ConvolutionBackward) given.test_case.output_mask = mask;
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
