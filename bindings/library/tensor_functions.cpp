#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <tl/expected.hpp>

#include "bindings/library/failure.h"
#include "corpus/case.h"
#include "corpus/case_json.h"
#include "corpus/words/words.h"
#include "gradproof/gradproof.h"
#include "properties/advice/explain/call_from_texts.h"
#include "properties/advice/explain/explanation.h"
#include "properties/advice/logs/found_call.h"
#include "properties/advice/tensors/judgement.h"
#include "properties/advice/tensors/limits.h"

namespace gradproof::library {
namespace {

// A `call` is a case's JSON line, or words as `gradproof explain` takes them.

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

/// The verdict on results that somebody computed, as JSON: `tensors` are the operands' and results'
/// elements, dense. Judged are the results that are there, whatever the call's mask says; one that
/// is not has no address. Errors: what is wrong with the call or with a tensor's size.
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

/// The exact value and the allowed error of each element of a result
/// (properties/advice/tensors/limits.h), of `tensors`' operands. Errors: as judged_tensors, that
/// the call does not ask for the result, or that it has not as many elements as `exact` and
/// `allowed`, which are as long.
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
  const auto limits = advice::limits_of(given, role, {.profile = advice::profile_of_given});
  if (!limits) return limits.error();
  if (limits->exact.size() != exact.size()) {
    return fmt::format("{} has {} elements, not {}", corpus::name_of(role), limits->exact.size(),
                       exact.size());
  }
  std::ranges::copy(limits->exact, exact.begin());
  std::ranges::copy(limits->allowed, allowed.begin());
  return std::nullopt;
}

/// The call as a case's JSON line. Errors: a sentence.
tl::expected<std::string, std::string> case_line(std::string_view call) {
  return call_of_text(call).map(corpus::to_json_line);
}

/// Describes why the call is refused, or how exact it is. Errors: what is wrong with the call.
tl::expected<std::string, std::string> explained(std::string_view call, bool as_json) {
  const auto problem = call_of_text(call);
  if (!problem) return tl::unexpected(problem.error());
  const auto explanation = advice::explanation_of(*problem, {});
  return as_json ? advice::explanation_json(explanation) : advice::explanation_text({explanation});
}

}  // namespace
}  // namespace gradproof::library

namespace {

using gradproof::library::failed;
using gradproof::library::guarded;

constexpr int first_result = GRADPROOF_GRAD_INPUT;

char* copy_of(const std::string& text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy != nullptr) std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

/// The text for the caller; null, with the error in words.
char* handed_over(const tl::expected<std::string, std::string>& text) {
  if (text) return copy_of(*text);
  failed(text.error());
  return nullptr;
}

/// The tensors' elements; empty where one is null.
template <std::size_t count>
std::array<std::span<const std::byte>, count> given(const void* const* data,
                                                    const std::size_t* sizes) {
  std::array<std::span<const std::byte>, count> tensors;
  for (std::size_t i = 0; i < count; ++i) {
    if (data[i] != nullptr) tensors.at(i) = {static_cast<const std::byte*>(data[i]), sizes[i]};
  }
  return tensors;
}

}  // namespace

extern "C" {

char* gradproof_judge(const char* call, const void* const data[6], const size_t sizes[6]) {
  return guarded<char*>(nullptr, [&]() -> char* {
    if (call == nullptr || data == nullptr || sizes == nullptr) {
      return failed("call, data or sizes is null"), nullptr;
    }
    return handed_over(gradproof::library::judged_tensors(call, given<6>(data, sizes)));
  });
}

int gradproof_limits(const char* call, const void* const data[3], const size_t sizes[3],
                     gradproof_tensor result, double* exact, double* allowed, size_t count) {
  return guarded(GRADPROOF_ERROR, [&] {
    if (call == nullptr || data == nullptr || sizes == nullptr) {
      return failed("call, data or sizes is null");
    }
    if (result < first_result || result > GRADPROOF_GRAD_BIAS) {
      return failed("not a result's tensor");
    }
    const auto role = static_cast<gradproof::corpus::OutputRole>(result - first_result);
    if (count > 0 && (exact == nullptr || allowed == nullptr)) {
      return failed("exact or allowed is null");
    }
    const auto problem = gradproof::library::limits_of_result(call, given<3>(data, sizes), role,
                                                              {exact, count}, {allowed, count});
    return problem ? failed(*problem) : GRADPROOF_OK;
  });
}

char* gradproof_case(const char* call) {
  return guarded<char*>(nullptr, [&]() -> char* {
    if (call == nullptr) return failed("call is null"), nullptr;
    return handed_over(gradproof::library::case_line(call));
  });
}

char* gradproof_explain(const char* call, int as_json) {
  return guarded<char*>(nullptr, [&]() -> char* {
    if (call == nullptr) return failed("call is null"), nullptr;
    return handed_over(gradproof::library::explained(call, as_json != 0));
  });
}

void gradproof_free(char* text) { std::free(text); }

}  // extern "C"
