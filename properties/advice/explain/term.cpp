#include "properties/advice/explain/term.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <vector>

#include "corpus/words/spelling.h"
#include "oracle/rules/status_rules.h"
#include "oracle/status/status_oracle.h"
#include "properties/advice/explain/code_rows.h"
#include "properties/advice/explain/parameter_words.h"
#include "properties/cases/generators/random_case.h"

namespace gradproof::advice {
namespace {

using corpus::Language;
using oracle::StatusRule;

/// Ruling on a case that breaks the rule alone; nullopt where no generated call breaks it.
std::optional<oracle::BrokenRule> ruling_of_example(const StatusRule& rule) {
  cases::Selection selection;
  selection.apis = cases::generated_apis;
  selection.kind = cases::Kind::Invalid;
  selection.rules = {std::string(rule.id)};
  const auto source = cases::CaseSource::of(selection);
  if (!source) return std::nullopt;
  constexpr std::uint64_t seed = 1, most_tries = 4;
  for (std::uint64_t i = 0; i < most_tries; ++i) {
    const auto broken = oracle::broken_rules((*source)(seed, i));
    const auto found = std::ranges::find(broken, rule.id, &oracle::BrokenRule::id);
    if (found != broken.end()) return *found;
  }
  return std::nullopt;
}

bool leads_to(const oracle::BrokenRule& ruling, std::string_view statuses) {
  const auto is_one = [&](corpus::Status status) {
    return status != corpus::Status::Success &&
           statuses.find(std::to_string(corpus::code(status))) != std::string_view::npos;
  };
  return is_one(ruling.documented) || std::ranges::any_of(ruling.released, is_one);
}

/// Rules that lead to one of the statuses where they alone are broken, by the documents or in the
/// released library, in the specification's order: as seen on a generated call that breaks each.
/// `statuses`: numbers, blanks between.
std::vector<const StatusRule*> rules_leading_to(std::string_view statuses) {
  std::vector<const StatusRule*> found;
  for (const StatusRule& rule : oracle::all_status_rules()) {
    const auto ruling = ruling_of_example(rule);
    if (ruling && leads_to(*ruling, statuses)) found.push_back(&rule);
  }
  return found;
}

/// "LEN-01 to LEN-04, GRP-01": neighbours of the table in one.
std::string names_in_words(const std::vector<const StatusRule*>& rules, corpus::Language language) {
  const bool chinese = language == corpus::Language::Chinese;
  const auto group_of = [](const StatusRule* rule) {
    return rule->id.substr(0, rule->id.find('-'));
  };
  std::vector<std::string> words;
  for (std::size_t i = 0; i < rules.size();) {
    std::size_t last = i;
    while (last + 1 < rules.size() && rules[last + 1] == rules[last] + 1 &&
           group_of(rules[last + 1]) == group_of(rules[i])) {
      ++last;
    }
    if (last == i + 1) last = i;  // of two, both are named
    words.push_back(last == i ? std::string(rules[i]->id)
                              : fmt::format("{}{}{}", rules[i]->id, chinese ? " 至 " : " to ",
                                            rules[last]->id));
    i = last + 1;
  }
  return fmt::format("{}", fmt::join(words, chinese ? "、" : ", "));
}

std::string upper(std::string_view word) {
  std::string result(word);
  for (char& letter : result) {
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  }
  return result;
}

bool is_digit(char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; }

/// True for letters, a hyphen and digits, letters after them or not: RANGE-03, CUBE-05b.
bool is_rule_name(std::string_view word) {
  const std::size_t hyphen = word.find('-');
  if (hyphen == std::string_view::npos || hyphen == 0 || hyphen + 1 == word.size()) return false;
  return std::isalpha(static_cast<unsigned char>(word[0])) != 0 && is_digit(word[hyphen + 1]) &&
         word.find_first_of("./ ") == std::string_view::npos;
}

/// "EZ1001" of CANN, "ERR00100" of torch_npu.
bool is_message_code(std::string_view word) {
  const bool is_cann =
      word.size() == 6 && word[0] == 'E' && std::ranges::all_of(word.substr(2), is_digit);
  return is_cann || (word.size() == 8 && word.starts_with("ERR") &&
                     std::ranges::all_of(word.substr(3), is_digit));
}

std::string products_in_words(const oracle::StatusRule& rule) {
  using oracle::ProductClass;
  std::vector<std::string> names;
  for (const auto products :
       {ProductClass::A1, ProductClass::A23, ProductClass::A5, ProductClass::Unsupported}) {
    if (rule.products.contains(products)) names.push_back(oracle::names_of_products(products));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string rule_text(const oracle::StatusRule& rule, Language language) {
  const bool chinese = language == Language::Chinese;
  const auto line = [](std::string_view what, std::string_view said) {
    return fmt::format("  {}{}\n", what, said);
  };
  std::string text =
      fmt::format("{}{}{}\n", rule.id, chinese ? "：" : ": ", rule.demand.in(language));
  text += line(chinese ? "出处：" : "written in: ", rule.source);
  text += line(chinese ? "适用产品：" : "applies to: ", products_in_words(rule));
  if (!rule.never_decides.empty()) {
    return text + line(chinese ? "不决定状态码：" : "decides no status: ", rule.never_decides);
  }
  return text +
         line(chinese ? "怎么办：" : "look at: ",
              fmt::format(
                  fmt::runtime(chinese
                                   ? "gradproof list cases --cases 1 --rule {0} "
                                     "给出一个违反它的调用；gradproof explain "
                                     "加上您的调用，可知是否违反"
                                   : "gradproof list cases --cases 1 --rule {0} shows a call that "
                                     "breaks it; gradproof explain with your call says whether "
                                     "it does"),
                  rule.id));
}

/// "ACLNN_ERR_PARAM_INVALID", "a message about a parameter", or both.
std::string name_and_meaning(const CodeRow& row, Language language) {
  const std::string_view meaning = row.meaning.in(language);
  if (row.name.empty() || meaning.empty())
    return std::string(row.name.empty() ? meaning : row.name);
  return fmt::format("{}{}{}", row.name, language == Language::Chinese ? "，" : ": ", meaning);
}

std::string code_text(const CodeRow& row, Language language) {
  const bool chinese = language == Language::Chinese;
  std::string text =
      fmt::format("{}{}{}\n", row.code, chinese ? "：" : ": ", name_and_meaning(row, language));
  text += fmt::format("  {}{}\n", chinese ? "原因：" : "causes: ", row.causes.in(language));
  text += fmt::format("  {}{}\n", chinese ? "怎么办：" : "look at: ", row.look_at.in(language));
  if (row.statuses.empty()) return text;
  return text + fmt::format("  {}{}\n", chinese ? "规则：" : "rules: ",
                            names_in_words(rules_leading_to(row.statuses), language));
}

/// The rules about a word, a line each as far as a screen holds them.
std::string list_text(std::string_view word, const std::vector<const oracle::StatusRule*>& rules,
                      Language language) {
  constexpr std::size_t most = 18;
  const bool chinese = language == Language::Chinese;
  std::string text = fmt::format("{}{}{}{}\n", word, chinese ? "：" : ": ", rules.size(),
                                 chinese             ? " 条规则"
                                 : rules.size() == 1 ? " rule"
                                                     : " rules");
  for (std::size_t i = 0; i < std::min(most, rules.size()); ++i) {
    text += fmt::format("  {:<9} {}\n", rules[i]->id, rules[i]->demand.in(language));
  }
  if (rules.size() <= most) return text;
  const std::vector others(rules.begin() + most, rules.end());
  return text +
         fmt::format("  {}{}\n", chinese ? "还有：" : "and ", names_in_words(others, language));
}

/// Finds a code by number or name: 161002, EZ1001, ACLNN_ERR_PARAM_INVALID, PARAM_INVALID.
std::optional<CodeRow> code_called(const std::string& name) {
  const auto is_it = [&](const CodeRow& row) {
    return row.name == name ||
           (name.find('_') != std::string::npos && row.name.ends_with("_" + name));
  };
  const auto rows = code_rows();
  const auto row = std::ranges::find_if(rows, is_it);
  return row == rows.end() || name.empty() ? code_row(name) : std::optional(*row);
}

std::string unknown_code(std::string_view word) {
  std::vector<std::string> codes;
  for (const CodeRow& row : code_rows()) {
    if (row.code.find('?') == std::string::npos) codes.emplace_back(row.code);
  }
  return corpus::unknown_word(word, "code that is known here", codes);
}

std::string unknown_rule(std::string_view word) {
  std::vector<std::string> ids;
  for (const auto& rule : oracle::all_status_rules()) ids.emplace_back(rule.id);
  return corpus::unknown_word(word, "rule", ids, "gradproof list rules");
}

}  // namespace

bool is_term(std::string_view word) {
  const std::string name = upper(word);
  const bool is_status = !name.empty() && std::ranges::all_of(name, is_digit);
  return is_status || is_message_code(name) || is_rule_name(name);
}

bool is_known_word(std::string_view word) {
  return is_term(word) || code_called(upper(word)) || !rules_about(word).empty();
}

std::optional<std::string> name_of_code(std::string_view code) {
  const auto row = code_row(upper(code));
  return row ? std::optional(name_and_meaning(*row, Language::English)) : std::nullopt;
}

tl::expected<std::string, std::string> term_text(std::string_view word, Language language) {
  const bool is_chinese_word =
      std::ranges::any_of(word, [](char letter) { return static_cast<signed char>(letter) < 0; });
  if (is_chinese_word) language = Language::Chinese;
  const std::string name = upper(word);
  if (const auto row = code_called(name)) return code_text(*row, language);
  for (const auto& rule : oracle::all_status_rules()) {
    if (upper(rule.id) == name) return rule_text(rule, language);
  }
  if (is_rule_name(name)) return tl::unexpected(unknown_rule(word));
  if (is_term(word)) return tl::unexpected(unknown_code(word));
  const auto rules = rules_about(word);
  if (!rules.empty()) return list_text(word, rules, language);
  return tl::unexpected(fmt::format("\"{}\" is no code, rule or parameter", word));
}

}  // namespace gradproof::advice
