#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "corpus/case_json.h"
#include "oracle/arithmetic/algorithm_scope.h"
#include "oracle/gradients/fast_gradients.h"
#include "oracle/judge/judge.h"
#include "oracle/judge/operand_store.h"
#include "oracle/judge/tile_bounds.h"
#include "oracle/recipes/recipe_plan.h"
#include "tests/support/random_case.h"
#include "tests/support/twins/winograd_twin.h"

// The judge on right kernels that compute in tiles (tests/support/twins/winograd_twin.h).

namespace gradproof::oracle {
namespace {

using corpus::Algorithm;
using corpus::Distribution;
using corpus::Outcome;
using corpus::OutputRole;

JudgeSettings admitting(Algorithm algorithm, bool anywhere = false) {
  JudgeSettings settings;
  settings.algorithms = {
      {.gradient = role_of(algorithm), .algorithm = algorithm, .tiles_anywhere = anywhere}};
  return settings;
}

corpus::Case random_shape(Random& random) {
  TwinShape shape{.batch = random.in(1, 2),
                  .channels = random.in(1, 3),
                  .kernels = random.in(1, 3),
                  .height = random.in(3, 9),
                  .width = random.in(3, 9),
                  .padding_high = random.in(0, 2),
                  .padding_wide = random.in(0, 2),
                  .transposed = random.one_in(4)};
  if (random.one_in(4)) {
    shape.groups = 2;
    shape.channels = 2 * random.in(1, 2);
    shape.kernels = 2 * random.in(1, 2);
  }
  const bool is_high = random.one_in(8), is_wide = !is_high && random.one_in(8);
  if (is_wide) shape.taps_high = 1, shape.padding_high = 0;
  if (is_high) shape.taps_wide = 1, shape.padding_wide = 0;
  return twin_case(shape);
}

corpus::Case with_data(Random& random, const corpus::Case& test_case) {
  static constexpr std::array recipes{
      Distribution::Uniform,      Distribution::ExactGrid,     Distribution::SparseFullMantissa,
      Distribution::NearOverflow, Distribution::NearUnderflow, Distribution::Specials,
      Distribution::Cancellation};
  const auto which = static_cast<std::size_t>(random.in(0, recipes.size()));
  if (which < recipes.size()) return *with_recipe(test_case, recipes.at(which), random.bits());
  corpus::Case result = test_case;
  result.data = random_bits(random, test_case);
  return result;
}

WinogradTwin random_twin(Random& random) {
  static constexpr std::array algorithms{Algorithm::Winograd3x2, Algorithm::Winograd2x3,
                                         Algorithm::Winograd4x3, Algorithm::Winograd3x4};
  WinogradTwin twin{.algorithm = algorithms.at(static_cast<std::size_t>(random.in(0, 3)))};
  twin.fused = random.one_in(2);
  twin.sum = static_cast<WinogradTwin::Sum>(random.in(0, 2));
  twin.skips_zero_tiles = random.one_in(3);
  const bool is_map = role_of(twin.algorithm) == OutputRole::GradInput;
  twin.borders_directly = is_map && random.one_in(3);
  twin.shift = random.one_in(4) ? random.in(0, 1) : 0;
  return twin;
}

/// The largest share of their bounds that finite results in tiles come to.
double largest_share(const corpus::Case& test_case, const corpus::Observation& seen,
                     const JudgeSettings& settings, OutputRole role) {
  const Geometry geometry = *geometry_of(test_case);
  const auto ways = arithmetics(test_case, role, settings);
  OperandStore store(test_case, geometry);
  const auto grad_output = store.measured(corpus::InputRole::GradOutput, ways.front());
  const auto other = store.measured(
      role == OutputRole::GradInput ? corpus::InputRole::Weight : corpus::InputRole::Input,
      ways.front());
  const auto form = tiles_admitted(settings, test_case, geometry, role, ways.front());
  if (!form) return 0;
  TileBounds bounds(*form, ways.front(), Adder::Ieee, geometry, role, grad_output, other);
  const FastGradient gradient(geometry, role, grad_output, other);
  const ExactTensor sums = gradient.sums();
  const auto specials = gradient.specials();
  const auto& bits = seen.outputs.at(static_cast<std::size_t>(role)).bits;
  double largest = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    float computed = 0;
    std::memcpy(&computed, bits.data() + i * sizeof computed, sizeof computed);
    if (!std::isfinite(computed) || (!specials.empty() && specials[i].any_product())) continue;
    const double error = std::fabs(computed - sums.approximate(i));
    if (error > 0) largest = std::max(largest, error / bounds.at(i).bound);
  }
  return largest;
}

/// GRADPROOF_WINOGRAD_ELEMENTS=1000000 for the long run.
std::uint64_t elements_to_judge() {
  const char* text = std::getenv("GRADPROOF_WINOGRAD_ELEMENTS");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 100'000;
}

struct Figures {
  std::uint64_t elements = 0, in_tiles = 0, calls = 0, flagged_without = 0;
  double share = 0;
};

TEST(Winograd, OfARightKernelIsNeverCalledWrongWhereItIsAdmitted) {
  std::map<std::string, Figures> by_kind;
  std::uint64_t elements = 0;
  for (std::uint64_t seed = 1; elements < elements_to_judge(); ++seed) {
    Random random(seed);
    const WinogradTwin twin = random_twin(random);
    const auto test_case = with_data(random, random_shape(random));
    const OutputRole role = role_of(twin.algorithm);
    const JudgeSettings settings = admitting(twin.algorithm, twin.shift != 0);
    const auto seen = observed_in_tiles(test_case, twin, settings);
    const auto verdict = judge({test_case, settings.profile}, seen, settings);
    ASSERT_NE(verdict.outcome, Outcome::Disagree)
        << "seed " << seed << ", " << name_of(twin.algorithm) << ": " << verdict.reason << '\n'
        << to_json_line(test_case);
    const auto direct = judge({test_case, settings.profile}, seen, {});
    const auto& evidence = verdict.outputs.at(static_cast<std::size_t>(role));
    for (const std::string& kind : {std::string(name_of(twin.algorithm)),
                                    std::string(name_of(test_case.data->distribution))}) {
      Figures& figures = by_kind[kind];
      figures.elements += evidence.compared_elements;
      figures.in_tiles += evidence.in_tiles;
      ++figures.calls;
      figures.flagged_without += direct.outcome == Outcome::Disagree ? 1 : 0;
      figures.share = std::max(figures.share, largest_share(test_case, seen, settings, role));
      ASSERT_LE(figures.share, 1) << "seed " << seed;
    }
    elements += evidence.compared_elements;
  }
  fmt::print("{:20} {:>9} {:>9} {:>7} {:>16} {:>8}\n", "", "elements", "in tiles", "calls",
             "flagged without", "largest");
  for (const auto& [kind, figures] : by_kind) {
    fmt::print("{:20} {:9} {:9} {:7} {:16} {:8.3f}\n", kind, figures.elements, figures.in_tiles,
               figures.calls, figures.flagged_without, figures.share);
    EXPECT_GT(figures.flagged_without, 0U) << kind;
  }
}

/// Matrices of the bound are those of the kernels, and those are Winograd's: A^T ((G g) (B^T d)) is
/// the correlation, here of unit vectors.
TEST(Winograd, HasTheMatricesOfAnExactIdentity) {
  for (const Algorithm algorithm : {Algorithm::Winograd3x2, Algorithm::Winograd3x4,
                                    Algorithm::Winograd2x3, Algorithm::Winograd4x3}) {
    const SignedForm& form = signed_form(algorithm);
    const AxisForm& magnitudes = axis_form(algorithm);
    const auto expect_same = [&](const auto& matrix, const Magnitudes& without_signs) {
      ASSERT_EQ(matrix.size(), without_signs.rows);
      for (std::size_t i = 0; i < matrix.size(); ++i) {
        ASSERT_EQ(matrix[i].size(), without_signs.columns);
        for (std::size_t j = 0; j < matrix[i].size(); ++j) {
          EXPECT_FLOAT_EQ(std::fabs(matrix[i][j]), static_cast<float>(without_signs.at(i, j)))
              << name_of(algorithm) << ' ' << i << ' ' << j;
        }
      }
    };
    expect_same(form.larger, magnitudes.larger);
    expect_same(form.smaller, magnitudes.smaller);
    expect_same(form.results, magnitudes.results);
    for (std::size_t j = 0; j < form.results.size(); ++j)
      for (std::size_t g = 0; g < form.smaller.front().size(); ++g)
        for (std::size_t d = 0; d < form.larger.size(); ++d) {
          double sum = 0;
          for (std::size_t i = 0; i < form.larger.size(); ++i) {
            sum += double{form.results[j][i]} * form.smaller[i][g] * form.larger[i][d];
          }
          EXPECT_NEAR(sum, d == j + g ? 1 : 0, 1e-6) << name_of(algorithm);
        }
  }
}

TEST(Winograd, CountsTheRoundingsOfItsTransforms) {
  const auto roundings = [](Algorithm algorithm) {
    const AxisForm& form = axis_form(algorithm);
    return std::array{form.larger.roundings(), form.smaller.roundings(), form.results.roundings()};
  };
  EXPECT_EQ(roundings(Algorithm::Winograd3x2), (std::array<std::uint64_t, 3>{1, 1, 2}));
  EXPECT_EQ(roundings(Algorithm::Winograd2x3), (std::array<std::uint64_t, 3>{1, 2, 2}));
  EXPECT_EQ(roundings(Algorithm::Winograd4x3), (std::array<std::uint64_t, 3>{3, 4, 4}));
  EXPECT_EQ(roundings(Algorithm::Winograd3x4), (std::array<std::uint64_t, 3>{3, 5, 4}));
}

corpus::ListedElement element(std::vector<std::int64_t> at, float value) {
  return {std::move(at), std::bit_cast<std::uint32_t>(value)};
}

/// One tile of 4x4: d11, d21 and g00 alone are not 0.
corpus::Case worked_example() {
  corpus::Case test_case = twin_case({.padding_high = 0, .padding_wide = 0});
  corpus::DataRecipe& data = test_case.data.emplace();
  data.distribution = Distribution::Listed;
  data.listed[0] = {element({0, 0, 0, 0}, 0x1.c3f35cp+0F)};
  data.listed[1] = {element({0, 0, 1, 1}, 0x1.3c0ca2p+0F), element({0, 0, 2, 1}, 0x1.948b10p-7F)};
  data.listed[2] = {element({0, 0, 0, 0}, 1)};
  return test_case;
}

TEST(Winograd, HasTheBoundOfTheWorkedExample) {
  const auto test_case = worked_example();
  const JudgeSettings settings = admitting(Algorithm::Winograd3x2);
  const Geometry geometry = *geometry_of(test_case);
  const auto way = arithmetics(test_case, OutputRole::GradWeight, settings).front();
  OperandStore store(test_case, geometry);
  const auto form = tiles_admitted(settings, test_case, geometry, OutputRole::GradWeight, way);
  TileBounds bounds(*form, way, Adder::Ieee, geometry, OutputRole::GradWeight,
                    store.measured(corpus::InputRole::GradOutput, way),
                    store.measured(corpus::InputRole::Input, way));
  EXPECT_EQ(bounds.at(0).terms, 1U);
  constexpr double roundings = 9;
  for (const auto& [place, magnitude] :
       {std::pair{1U, 2.2231365}, {4U, 2.201341}, {7U, 2.201341}}) {
    const TileTerms terms = bounds.at(place);
    EXPECT_NEAR(terms.magnitude, magnitude, 5e-6) << place;
    EXPECT_NEAR(terms.bound, roundings * 0x1p-24 * magnitude, 1e-11) << place;
  }
  const auto seen = observed_in_tiles(test_case, {}, settings);
  EXPECT_EQ(name_of(judge({test_case, {}}, seen, settings).outcome), "agree");
  const auto direct = judge({test_case, {}}, seen, {});
  EXPECT_EQ(name_of(direct.outcome), "disagree");
  EXPECT_THAT(direct.reason, testing::HasSubstr("gradWeight[0,0,0,1]")) << direct.reason;
}

/// Sums of small integers are exact in F(3x3,2x2), so equality stays due; in F(4x4,3x3) never.
TEST(Winograd, IsHeldToEqualityWhereItRoundsNothing) {
  const auto test_case =
      *with_recipe(twin_case({.channels = 2, .kernels = 2}), Distribution::ExactGrid, 3);
  corpus::Case small = test_case;
  small.data->fills->at(0).magnitude = small.data->fills->at(1).magnitude = 7;
  small.data->fills->at(2).magnitude = 7;
  const auto changed = [](std::vector<float>& elements) {
    elements[3] = std::nextafter(elements[3] == 0 ? 1e-6F : elements[3], 1e9F);
  };
  for (const Algorithm algorithm : {Algorithm::Winograd3x2, Algorithm::Winograd2x3}) {
    const auto settings = admitting(algorithm);
    const auto right = observed_in_tiles(small, {.algorithm = algorithm}, settings);
    EXPECT_EQ(name_of(judge({small, {}}, right, settings).outcome), "agree");
    const auto wrong = observed_in_tiles(small, {.algorithm = algorithm}, settings, changed);
    EXPECT_EQ(name_of(judge({small, {}}, wrong, settings).outcome), "disagree");
  }
  const auto settings = admitting(Algorithm::Winograd4x3);
  const auto seen = observed_in_tiles(small, {.algorithm = Algorithm::Winograd4x3}, settings);
  EXPECT_EQ(name_of(judge({small, {}}, seen, settings).outcome), "agree");
}

}  // namespace
}  // namespace gradproof::oracle
