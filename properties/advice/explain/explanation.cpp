#include "properties/advice/explain/explanation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "corpus/product.h"
#include "properties/advice/explain/typical_error.h"
#include "properties/cases/generators/frame.h"

namespace gradproof::properties {
namespace {

using corpus::Case;

std::vector<std::string> products_where_legal(const Case& problem, oracle::Profile profile) {
  std::vector<std::string> names;
  for (const corpus::Product product : supported_products) {
    Case there = problem;
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
  const auto released = oracle::admissible_statuses(documented.problem, oracle::Profile::Released);
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

Explanation explanation_of(const Case& problem, const ExplanationSettings& settings) {
  Explanation result;
  result.problem = problem;
  result.profile = settings.judge.profile;
  result.admitted = oracle::admissible_statuses(problem, result.profile);
  result.data = settings.data;
  if (result.admitted.not_judged) return result;
  const bool compares = settings.compares_profiles && result.profile == oracle::Profile::Documented;
  if (compares) result.released = other_released_answer(result);
  result.broken = oracle::broken_rules(problem);
  result.permissions = oracle::used_permissions(problem);
  // How it is computed and what would make it legal is worked out for aclnnConvolutionBackward.
  if (problem.api != corpus::Api::ConvolutionBackward) return result;
  if (result.is_legal()) {
    result.computation = computation_of(problem, settings.judge, settings.simulated);
    if (!result.computation || !settings.data) return result;
    for (GradientComputation& gradient : result.computation->gradients) {
      gradient.typical = typical_error(problem, gradient, settings.judge, *settings.data);
    }
    return result;
  }
  result.remedies = remedies(problem, result.profile);
  result.legal_elsewhere = products_where_legal(problem, result.profile);
  return result;
}

}  // namespace gradproof::properties
