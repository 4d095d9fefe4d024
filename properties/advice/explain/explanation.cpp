#include "properties/advice/explain/explanation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "corpus/product.h"
#include "properties/advice/explain/typical_error.h"
#include "properties/cases/generators/frame.h"

namespace gradproof::advice {
namespace {

using corpus::Case;

std::vector<std::string> products_where_legal(const Case& test_case, oracle::Profile profile) {
  std::vector<std::string> names;
  for (const corpus::Product product : cases::supported_products) {
    Case there = test_case;
    there.soc = corpus::name_of(product);
    if (is_certainly_legal(there, profile)) names.push_back(there.soc);
  }
  return names;
}

std::string in_words(const std::vector<corpus::Status>& statuses) {
  std::vector<std::string> texts;
  texts.reserve(statuses.size());
  for (const corpus::Status status : statuses) texts.push_back(corpus::words(status));
  return fmt::format("{}", fmt::join(texts, " or "));
}

std::vector<corpus::Status> other_released_answer(const Explanation& documented) {
  const auto released =
      oracle::admissible_statuses(documented.test_case, oracle::Profile::Released);
  const bool differs = !released.not_judged && released.statuses != documented.admitted.statuses;
  return differs ? released.statuses : std::vector<corpus::Status>{};
}

}  // namespace

bool Explanation::is_legal() const {
  return std::ranges::find(admitted.statuses, corpus::Status::Success) != admitted.statuses.end() &&
         !admitted.values_ill_defined;
}

std::string Explanation::statuses_in_words() const {
  if (admitted.not_judged) return fmt::format("not judged: {}", *admitted.not_judged);
  return in_words(admitted.statuses);
}

std::string Explanation::released_in_words() const { return in_words(released); }

Explanation explanation_of(const Case& test_case, const ExplanationSettings& settings) {
  Explanation result;
  result.test_case = test_case;
  result.profile = settings.judge.profile;
  result.admitted = oracle::admissible_statuses(test_case, result.profile);
  result.data = settings.data;
  if (result.admitted.not_judged) return result;
  const bool compares = settings.compares_profiles && result.profile == oracle::Profile::Documented;
  if (compares) result.released = other_released_answer(result);
  result.broken = oracle::broken_rules(test_case);
  result.permissions = oracle::used_permissions(test_case);
  // How it is computed and what would make it legal is worked out for aclnnConvolutionBackward.
  if (test_case.api != corpus::Api::ConvolutionBackward) return result;
  if (result.is_legal()) {
    result.computation = computation_of(test_case, settings.judge, settings.simulated);
    if (!result.computation || !settings.data) return result;
    for (GradientComputation& gradient : result.computation->gradients) {
      gradient.typical = typical_error(test_case, gradient, settings.judge, *settings.data);
    }
    return result;
  }
  result.remedies = remedies(test_case, result.profile);
  result.legal_elsewhere = products_where_legal(test_case, result.profile);
  return result;
}

}  // namespace gradproof::advice
