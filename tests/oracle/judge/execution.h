#pragma once

// A correct execution of a case, to be made wrong in one thing.

#include "oracle/judge/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "oracle/recipes/recipe_plan.h"
#include "tests/oracle/judge/correct_kernel.h"
#include "tests/support/random_case.h"

namespace gradproof::oracle {

using corpus::Case;
using corpus::DisagreementKind;
using corpus::Distribution;
using corpus::Observation;
using corpus::Outcome;
using corpus::OutputRole;
using corpus::Verdict;
using testing::HasSubstr;

inline Case small_case(const Mode& mode = {}, Distribution distribution = Distribution::ExactGrid) {
  return *with_recipe(square_case(mode, 1, 2, 3, 4, 3), distribution, 7);
}

/// A case and what a correct kernel does with it, which tests then falsify.
struct Execution {
  Case test_case = small_case();
  JudgeSettings settings;
  Observation observation = observed(test_case, {}, settings);

  Execution() = default;
  explicit Execution(Case given, JudgeSettings how = {})
      : test_case(std::move(given)),
        settings(how),
        observation(observed(test_case, {}, settings)) {}

  corpus::OutputObservation& output(OutputRole role) { return observation.outputs[role]; }
  Verdict verdict() const { return judge({test_case, settings.profile}, observation, settings); }
};

inline void expect(const Verdict& verdict, Outcome outcome, DisagreementKind kind,
                   const std::string& words) {
  EXPECT_EQ(name_of(verdict.outcome), name_of(outcome)) << verdict.reason;
  EXPECT_EQ(name_of(verdict.kind), name_of(kind));
  EXPECT_THAT(verdict.reason, HasSubstr(words));
}

inline void expect_disagreement(const Verdict& verdict, DisagreementKind kind,
                                const std::string& words) {
  expect(verdict, Outcome::Disagree, kind, words);
}

inline float as_float(const corpus::OutputObservation& output, std::size_t index) {
  float value = 0;
  std::memcpy(&value, output.bits.data() + index * sizeof value, sizeof value);
  return value;
}

inline void set_float(corpus::OutputObservation& output, std::size_t index, float value) {
  std::memcpy(output.bits.data() + index * sizeof value, &value, sizeof value);
}

}  // namespace gradproof::oracle
