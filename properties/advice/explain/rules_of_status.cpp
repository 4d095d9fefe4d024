#include "properties/advice/explain/rules_of_status.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "oracle/status/status_oracle.h"
#include "properties/cases/generators/random_case.h"

namespace gradproof::advice {
namespace {

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

}  // namespace

std::vector<const StatusRule*> rules_leading_to(std::string_view statuses) {
  std::vector<const StatusRule*> found;
  for (const StatusRule& rule : oracle::all_status_rules()) {
    const auto ruling = ruling_of_example(rule);
    if (ruling && leads_to(*ruling, statuses)) found.push_back(&rule);
  }
  return found;
}

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

}  // namespace gradproof::advice
