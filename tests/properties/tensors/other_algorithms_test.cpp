// A result that is right for Winograd's algorithm and beyond the bound of added products: judge
// names the algorithm, and a wrong one has none.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "corpus/element_values.h"
#include "oracle/recipes/recipe_plan.h"
#include "properties/advice/explain/computation.h"
#include "properties/advice/tensors/judgement.h"
#include "properties/advice/tensors/suspects.h"
#include "tests/support/twins/winograd_twin.h"

namespace gradproof::advice {
namespace {

using corpus::Algorithm;
using corpus::OutputRole;
using oracle::observed_in_tiles;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

/// A sparse call and what Winograd's algorithm makes of it, tiles beginning `shift` before the map.
GivenTensors in_tiles(Algorithm algorithm, std::int64_t shift, std::uint64_t seed,
                      corpus::Case shape = oracle::twin_case(
                          {.channels = 6, .kernels = 6, .height = 10, .width = 10})) {
  const auto test_case =
      *oracle::with_recipe(shape, corpus::Distribution::SparseFullMantissa, seed);
  GivenTensors tensors{.test_case = test_case, .operands = {}, .results = {}};
  for (const auto role : corpus::input_roles)
    tensors.operands[role] = corpus::element_values(test_case, role);
  const auto seen = observed_in_tiles(test_case, {.algorithm = algorithm, .shift = shift}, {});
  for (const auto role : corpus::output_roles) tensors.results[role] = seen.outputs[role].bits;
  return tensors;
}

TEST(OtherAlgorithms, AreNamedForAResultWithinTheirBound) {
  const std::pair<Algorithm, const char*> forms[] = {
      {Algorithm::Winograd3x2, "Winograd F(3x3,2x2)"},
      {Algorithm::Winograd2x3, "Winograd F(2x2,3x3)"}};
  for (const auto& [algorithm, words] : forms) {
    const OutputRole role = oracle::role_of(algorithm);
    int wrong = 0;
    for (std::uint64_t seed = 1; seed <= 16; ++seed) {
      const GivenTensors tensors = in_tiles(algorithm, seed % 2 == 0 ? 0 : 1, seed);
      const Judgement judgement = judgement_of(tensors, JudgementSettings{});
      if (judgement.verdict.outputs[role].breaches == 0) continue;
      ++wrong;
      EXPECT_THAT(
          judgement.outputs[role].explanations,
          Contains(AllOf(HasSubstr(words), HasSubstr(std::string(corpus::name_of(algorithm))))))
          << seed;
    }
    EXPECT_GT(wrong, 8) << words;
    JudgementSettings declared;
    declared.judge.algorithms = {{.gradient = role, .algorithm = algorithm}};
    EXPECT_EQ(judgement_of(in_tiles(algorithm, 0, 2), declared).verdict.outputs[role].breaches, 0U);
  }
}

TEST(OtherAlgorithms, AreNotNamedForAWrongElementOrAnotherGradient) {
  GivenTensors tensors = in_tiles(Algorithm::Winograd3x2, 0, 3);
  EXPECT_FALSE(told_by_tiles(tensors, OutputRole::GradBias, {}));
  const float wrong = 0.25F;
  std::memcpy(tensors.results[OutputRole::GradWeight].data() + 8, &wrong, sizeof wrong);
  EXPECT_FALSE(told_by_tiles(tensors, OutputRole::GradWeight, {}));
}

/// Tiles of the released library need no declaration.
TEST(OtherAlgorithms, OfTheReleasedLibraryAreRightOnAscend950) {
  const auto layer =
      oracle::twin_case({.channels = 256, .kernels = 256, .height = 8, .width = 8}, "Ascend950");
  const Judgement judgement = judgement_of(in_tiles(Algorithm::Winograd3x2, 0, 2, layer), {});
  EXPECT_EQ(judgement.verdict.outputs[OutputRole::GradWeight].breaches, 0U);
  EXPECT_THAT(judgement_text(judgement), HasSubstr("(the released library of Ascend950"));
}

TEST(OtherAlgorithms, OfTheReleasedLibraryAreSaidWhereTheyAreNotAdmitted) {
  auto layer =
      oracle::twin_case({.channels = 256, .kernels = 256, .height = 28, .width = 28}, "Ascend950");
  const auto words_with = [&](oracle::Profile profile) {
    oracle::JudgeSettings settings;
    settings.profile = profile;
    return computation_of(layer, settings, nullptr)->gradients.at(1).bound_words();
  };
  EXPECT_THAT(words_with(oracle::Profile::Documented),
              HasSubstr("; --profile released admits Winograd F(3x3,2x2) too"));
  EXPECT_THAT(words_with(oracle::Profile::Released), HasSubstr("* S_w of Winograd F(3x3,2x2)"));
  layer.soc = "Ascend910B";
  EXPECT_THAT(words_with(oracle::Profile::Documented), testing::Not(HasSubstr("Winograd")));
}

}  // namespace
}  // namespace gradproof::advice
