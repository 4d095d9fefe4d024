#include "properties/diagnosis/status_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "oracle/status_oracle.h"

namespace gradproof::properties::diagnosis {
namespace {

using corpus::Status;
using oracle::RuleFinding;

constexpr std::size_t most_rules = 4;

std::string in_words(const std::vector<Status>& statuses) {
  std::vector<std::string> texts;
  texts.reserve(statuses.size());
  for (const Status status : statuses) texts.push_back(corpus::words(status));
  return fmt::format("{}", fmt::join(texts, " or "));
}

std::string in_words(const RuleFinding& rule) {
  return fmt::format("rule {} ({}): {}; alone it leads to {}", rule.id, rule.source, rule.words,
                     corpus::words(rule.documented));
}

/// Whose answer the status is, where it is a broken rule's.
std::string answer_of(const std::vector<RuleFinding>& broken, Status got) {
  const auto same = [&](const RuleFinding& rule) { return rule.documented == got; };
  const auto its = std::ranges::find_if(broken, same);
  const auto first = std::ranges::find_if_not(broken, same);
  if (its == broken.end() || first == broken.end()) return {};
  return fmt::format("{} is the answer to rule {}; rule {} is the first that differs",
                     corpus::words(got), its->id, first->id);
}

/// A legal call that was refused: the permissions that an older text did not give.
std::vector<std::string> refused_permissions(const corpus::Case& problem, Status got) {
  std::vector<std::string> sentences;
  for (const RuleFinding& permission : oracle::used_permissions(problem)) {
    const bool may_differ = std::ranges::count(permission.tolerant, got) > 0 ||
                            std::ranges::count(permission.released, got) > 0;
    if (!may_differ || sentences.size() == most_rules) continue;
    sentences.push_back(fmt::format("{} is what a library that does not grant {} returns: {}",
                                    corpus::words(got), permission.id, permission.words));
  }
  return sentences;
}

}  // namespace

std::vector<std::string> status_words(const corpus::Case& problem, const corpus::Verdict& verdict) {
  if (!verdict.status) return {};
  const Status got = *verdict.status;
  const auto broken = oracle::broken_rules(problem);
  std::vector<std::string> sentences;
  const bool by_the_author = verdict.kind == corpus::DisagreementKind::Expectation;
  sentences.push_back(
      fmt::format("expected {}{}, got {}",
                  by_the_author && problem.expect ? corpus::words(problem.expect->status)
                                                  : in_words(verdict.admitted),
                  by_the_author ? " (the case's own expectation)" : "", corpus::words(got)));
  for (std::size_t i = 0; i < std::min(broken.size(), most_rules); ++i) {
    sentences.push_back(in_words(broken[i]));
  }
  if (broken.empty()) sentences.emplace_back("the call breaks no rule");
  if (auto sentence = answer_of(broken, got); !sentence.empty()) sentences.push_back(sentence);
  const bool is_accepted = got == Status::Success && !broken.empty();
  if (is_accepted) sentences.push_back(fmt::format("rule {} is not enforced", broken[0].id));
  if (broken.empty()) {
    for (auto& sentence : refused_permissions(problem, got)) sentences.push_back(sentence);
  }
  return sentences;
}

}  // namespace gradproof::properties::diagnosis
