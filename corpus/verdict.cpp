#include "corpus/verdict.h"

#include <fmt/core.h>

namespace gradproof::corpus {
namespace {

constexpr std::array outcomes{"agree",          "disagree", "refused",
                              "not_comparable", "skipped",  "vacuous"};
constexpr std::array kinds{"",
                           "status",
                           "expectation",
                           "value",
                           "nan",
                           "untouched",
                           "overwritten",
                           "input_changed",
                           "nondeterministic",
                           "leak",
                           "crash",
                           "timeout",
                           "law"};

}  // namespace

std::string_view name_of(Outcome outcome) { return outcomes.at(to_size(outcome)); }

std::string_view name_of(DisagreementKind kind) { return kinds.at(to_size(kind)); }

std::string Verdict::signature() const {
  std::string text{name_of(outcome)};
  if (kind != DisagreementKind::None) text += fmt::format("-{}", name_of(kind));
  if (!law.empty()) text += fmt::format("-{}", law);
  if (culprit) text += fmt::format("-{}", name_of(*culprit));
  const bool about_status =
      kind == DisagreementKind::Status || kind == DisagreementKind::Expectation;
  if (about_status && status) text += fmt::format("-{}", code(*status));
  return text;
}

}  // namespace gradproof::corpus
