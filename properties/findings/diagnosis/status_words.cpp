#include "properties/findings/diagnosis/clues.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include "oracle/status/status_oracle.h"
#include "properties/cases/calls/case_convolution.h"

namespace gradproof::findings::diagnosis {
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

/// Names the rule that the status answers, where it is broken and another one's was due.
std::string answer_of(const std::vector<RuleFinding>& broken, Status got) {
  const auto same = [&](const RuleFinding& rule) { return rule.documented == got; };
  const auto its = std::ranges::find_if(broken, same);
  const auto first = std::ranges::find_if_not(broken, same);
  if (its == broken.end() || first == broken.end()) return {};
  return fmt::format("{} is the answer to rule {}; {} is that to rule {}, which has precedence",
                     corpus::words(got), its->id, corpus::words(first->documented), first->id);
}

/// One size or attribute of the call one larger.
std::vector<std::pair<std::string, corpus::Case>> one_larger(const corpus::Case& test_case) {
  std::vector<std::pair<std::string, corpus::Case>> larger;
  const auto sizes = cases::convolution_of(test_case);
  if (!sizes) return larger;
  std::vector<std::size_t> axes(sizes->axes.size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  const auto add = [&](std::string name, const cases::Convolution& next) {
    larger.emplace_back(std::move(name), cases::with_convolution(test_case, *sizes, next, axes));
  };
  struct Attribute {
    std::string_view name;
    std::int64_t cases::SpatialAxis::*value;
  };
  constexpr Attribute attributes[] = {{"kernel", &cases::SpatialAxis::kernel},
                                      {"stride", &cases::SpatialAxis::stride},
                                      {"dilation", &cases::SpatialAxis::dilation},
                                      {"padding", &cases::SpatialAxis::padding_begin}};
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    for (const Attribute& attribute : attributes) {
      cases::Convolution next = *sizes;
      ++(next.axes[axis].*attribute.value);
      if (attribute.value == &cases::SpatialAxis::padding_begin) ++next.axes[axis].padding_end;
      next.axes[axis].big += next.axes[axis].dilation + next.axes[axis].kernel;  // it still fits
      add(fmt::format("{}[{}]", attribute.name, axis), next);
    }
  }
  cases::Convolution next = *sizes;
  ++next.groups;
  add("groups", next);
  return larger;
}

/// A legal call that was refused: the rules at whose very bound it stands.
std::vector<std::string> bounds_met(const corpus::Case& test_case) {
  std::vector<std::string> sentences;
  for (const auto& [name, larger] : one_larger(test_case)) {
    for (const RuleFinding& rule : oracle::broken_rules(larger)) {
      if (sentences.size() == most_rules) return sentences;
      sentences.push_back(fmt::format("it stands at the bound of rule {}: with {} one larger, {}",
                                      rule.id, name, rule.words));
    }
  }
  return sentences;
}

/// A legal call that was refused: the permissions that an older text did not give.
std::vector<std::string> refused_permissions(const corpus::Case& test_case, Status got) {
  std::vector<std::string> sentences;
  for (const RuleFinding& permission : oracle::used_permissions(test_case)) {
    const bool may_differ = std::ranges::count(permission.tolerant, got) > 0 ||
                            std::ranges::count(permission.released, got) > 0;
    if (!may_differ || sentences.size() == most_rules) continue;
    sentences.push_back(fmt::format("{} is what a library that does not grant {} returns: {}",
                                    corpus::words(got), permission.id, permission.words));
  }
  return sentences;
}

}  // namespace

std::vector<std::string> status_words(const corpus::Case& test_case,
                                      const corpus::Verdict& verdict) {
  if (!verdict.status) return {};
  const Status got = *verdict.status;
  const auto broken = oracle::broken_rules(test_case);
  std::vector<std::string> sentences;
  const bool by_the_author = verdict.kind == corpus::DisagreementKind::Expectation;
  sentences.push_back(
      fmt::format("expected {}{}, got {}",
                  by_the_author && test_case.expect ? corpus::words(test_case.expect->status)
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
    for (auto& sentence : refused_permissions(test_case, got)) sentences.push_back(sentence);
    for (auto& sentence : bounds_met(test_case)) sentences.push_back(sentence);
  }
  return sentences;
}

}  // namespace gradproof::findings::diagnosis
