// Diagnosis of gradients that are computed by Winograd's algorithm with one mistake.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "oracle/recipes/recipe_plan.h"
#include "properties/findings/diagnosis/diagnosis.h"
#include "properties/findings/hypotheses/transform_fault.h"
#include "properties/findings/hypotheses/witness.h"
#include "tests/oracle/judge/correct_kernel.h"
#include "tests/properties/false_alarms/numeric_variant.h"
#include "tests/support/twins/winograd_twin.h"

namespace gradproof::findings {
namespace {

using corpus::Algorithm;
using corpus::Case;
using corpus::OutputRole;
using diagnosis::Transform;
using diagnosis::TransformFault;
using oracle::SignedForm;
using testing::Contains;
using testing::HasSubstr;

cases::CheckSettings declared() {
  cases::CheckSettings settings;
  settings.judge.algorithms = {
      {.gradient = OutputRole::GradWeight, .algorithm = Algorithm::Winograd3x2}};
  return settings;
}

Case call_of(bool transposed) {
  Case test_case = oracle::twin_case(
      {.batch = 2, .channels = 3, .kernels = 2, .height = 6, .width = 5, .transposed = transposed});
  test_case.output_mask = std::vector<bool>{false, true, false};
  return test_case;
}

std::shared_ptr<const targets::Library> computing_by(const SignedForm& form) {
  return runs::numeric_variant("tiles", [&](const Case& test_case) {
    const auto& kernel = test_case.weight->shape;
    const bool fits = kernel == std::vector<std::int64_t>{kernel[0], kernel[1], 3, 3} &&
                      test_case.stride == std::vector<std::int64_t>{1, 1} &&
                      test_case.dilation == std::vector<std::int64_t>{1, 1};
    if (!fits) return oracle::observed(test_case, {}, declared().judge);
    return oracle::observed_in_tiles(
        test_case, {.algorithm = Algorithm::Winograd3x2, .form = &form}, declared().judge);
  });
}

/// One with right matrices is named by no fault, and the fault of each wrong matrix by itself.
TEST(TransformFault, AgreesWithTheMatricesThatHaveIt) {
  const SignedForm right = oracle::signed_form(Algorithm::Winograd3x2);
  struct Wrong {
    std::vector<std::vector<float>> SignedForm::*matrix;
    Transform transform;
  };
  for (const Wrong wrong : {Wrong{&SignedForm::larger, Transform::Larger},
                            Wrong{&SignedForm::smaller, Transform::Smaller},
                            Wrong{&SignedForm::results, Transform::Inverse}}) {
    for (std::size_t row = 0; row < (right.*wrong.matrix).size(); ++row) {
      for (std::size_t entry = 0; entry < (right.*wrong.matrix)[row].size(); ++entry) {
        SignedForm form = right;
        float& changed = (form.*wrong.matrix)[row][entry];
        if (changed == 0) continue;
        changed = -changed;
        const auto target = computing_by(form)->new_target();
        const auto run =
            oracle::with_recipe(call_of(row % 2 == 1), corpus::Distribution::Uniform, 7);
        const auto seen = diagnosis::observe(*target, *run, OutputRole::GradWeight, declared());
        ASSERT_TRUE(seen && seen->tiles);
        const TransformFault fault{wrong.transform, row, entry, -1};
        EXPECT_TRUE(agrees_in_tiles(*seen, fault)) << row << ' ' << entry;
        EXPECT_FALSE(agrees_in_tiles(*seen, {wrong.transform, row, entry, 1}));
        EXPECT_FALSE(agrees_in_tiles(*seen, {wrong.transform, row, entry, 2}));
      }
    }
  }
}

std::vector<std::string> diagnosis_by(const SignedForm& form) {
  const auto target = computing_by(form)->new_target();
  const auto run = oracle::with_recipe(call_of(false), corpus::Distribution::ExactGrid, 3);
  const auto verdict = cases::check(*target, *run, declared());
  EXPECT_EQ(verdict.outcome, corpus::Outcome::Disagree) << verdict.reason;
  DiagnosisSettings settings{.check = declared(), .time = std::chrono::minutes(5)};
  return diagnosis_of(*target, *run, *run, verdict, settings);
}

TEST(TransformFault, IsNamed) {
  SignedForm form = oracle::signed_form(Algorithm::Winograd3x2);
  form.smaller[3][1] = 1;
  EXPECT_THAT(diagnosis_by(form), Contains(HasSubstr("row 4 of 4 of the transform of gradOutput")));
  form = oracle::signed_form(Algorithm::Winograd3x2);
  form.results[1][2] = -1;
  EXPECT_THAT(diagnosis_by(form),
              Contains(HasSubstr("with a factor of 2 before term 3 of row 2 of 3 of the inverse")));
}

/// A kernel that computes in tiles where nothing admits it.
TEST(AlgorithmWords, SayThatResultsAreAsThoseOfWinograd) {
  const SignedForm right = oracle::signed_form(Algorithm::Winograd3x2);
  const auto target = computing_by(right)->new_target();
  Case test_case = call_of(false);
  corpus::DataRecipe data;
  data.distribution = corpus::Distribution::Listed;
  // The page's example: an element without a product is not zero.
  data.listed[corpus::InputRole::Input] = {{{0, 0, 0, 0}, 0x3F9E0651}, {{0, 0, 1, 0}, 0x3C4A4588}};
  data.listed[corpus::InputRole::GradOutput] = {{{0, 0, 0, 0}, 0x3FE1F9AE}};
  test_case.data = data;
  const auto verdict = cases::check(*target, test_case, {});
  ASSERT_EQ(verdict.outcome, corpus::Outcome::Disagree) << verdict.reason;
  EXPECT_THAT(diagnosis_of(*target, test_case, test_case, verdict, {}),
              Contains(HasSubstr("within the bound of Winograd F(3x3,2x2), which nothing admits")));
}

}  // namespace
}  // namespace gradproof::findings
