#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "oracle/arithmetic/judge_settings.h"
#include "oracle/status/status_oracle.h"
#include "properties/advice/explain/change.h"
#include "properties/advice/explain/computation.h"
#include "properties/advice/explain/typical_error.h"

namespace gradproof::advice {

/// Everything that there is to say about one call on one product.
struct Explanation {
  corpus::Case test_case;
  oracle::Profile profile = oracle::Profile::Documented;
  oracle::AdmissibleStatuses admitted;
  std::vector<oracle::BrokenRule> broken;        ///< in the specification's order
  std::vector<oracle::RuleFinding> permissions;  ///< what the call makes use of
  std::vector<ChangedCall> remedies;             ///< single changes that make it legal
  std::optional<Computation> computation;        ///< of a legal call that computes something
  /// Codes that released libraries return, where the profile is Documented and they return
  /// something else.
  std::vector<corpus::Status> released;
  std::optional<DataLaw> data;               ///< of the operands, where one was given
  std::vector<std::string> legal_elsewhere;  ///< products on which the same call is legal

  bool is_legal() const;
  /// "161002 (ACLNN_ERR_PARAM_INVALID)" or several with "or"; or why the call is not judged.
  std::string statuses_in_words() const;
  /// Describes `released` as statuses_in_words does.
  std::string released_in_words() const;
};

/// Under whose rules a call is explained.
struct ExplanationSettings {
  oracle::JudgeSettings judge = {};
  targets::Target* simulated = nullptr;  ///< asked for the workspace; null: not asked
  bool compares_profiles = false;        ///< whether Documented is compared with Released
  std::optional<DataLaw> data = {};      ///< of the operands, for tolerances
};

Explanation explanation_of(const corpus::Case& test_case, const ExplanationSettings& settings);

/// Describes where to look if a legal call fails or differs all the same, for a person.
std::string if_it_still_fails(const Explanation& explanation);

/// Lines of an answer, at most: a terminal shows more at once.
inline constexpr std::size_t most_answer_lines = 20;

/// Explanations of one call on several products, as text for a person: those that say the same are
/// said once, those after the first in one line where `most_lines` have no room for more.
std::string explanation_text(const std::vector<Explanation>& explanations,
                             std::size_t most_lines = most_answer_lines);

/// One object, with stable keys (docs/explain.md).
std::string explanation_json(const Explanation& explanation);

/// Explains as explanation_text does, in Chinese: a broken rule as its Chinese clause and the
/// values of the parameters that the clause names, a remedy as the parameters that it changes.
std::string explanation_in_chinese(const std::vector<Explanation>& explanations,
                                   std::size_t most_lines = most_answer_lines);

/// Advises as if_it_still_fails does, in Chinese.
std::string if_it_still_fails_in_chinese(const Explanation& explanation);

}  // namespace gradproof::advice
