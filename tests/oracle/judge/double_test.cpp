// DOUBLE, which functions of tensors compute in: right sums agree, roundings to FLOAT do not.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

#include "corpus/element_values.h"
#include "oracle/gradients/contributions.h"
#include "oracle/judge/judge.h"
#include "oracle/recipes/recipe_plan.h"

namespace gradproof::oracle {
namespace {

using corpus::Case;
using corpus::Distribution;
using corpus::InputRole;
using corpus::OutputRole;

Case case_in_double(bool transposed) {
  Case problem;
  const auto tensor = [](std::vector<std::int64_t> shape) {
    corpus::TensorCase described;
    described.shape = std::move(shape);
    described.dtype = corpus::DataType::Double;
    return described;
  };
  problem.transposed = transposed;
  problem.input = problem.grad_input = tensor({2, 3, 7, 6});
  problem.weight = problem.grad_weight = transposed ? tensor({3, 4, 3, 2}) : tensor({4, 3, 3, 2});
  problem.grad_output = transposed ? tensor({2, 4, 13, 7}) : tensor({2, 4, 4, 6});
  problem.grad_bias = tensor({4});
  problem.bias_sizes = {4};
  problem.stride = {2, 1};
  problem.padding = {1, 1};
  problem.dilation = {1, 2};
  problem.output_padding = {0, 1};
  problem.output_mask = {true, true, true};
  return problem;
}

std::vector<double> elements(const Case& problem, InputRole role) {
  const auto bytes = corpus::element_values(problem, role);
  std::vector<double> values(bytes.size() / sizeof(double));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

using Product = std::function<double(double, double)>;

/// What a loop over the contributions gives, in double but for `product`.
corpus::Observation computed(const Case& problem, const Geometry& geometry,
                             const Product& product) {
  corpus::Observation seen;
  seen.phase_one = seen.phase_two = seen.synchronise = corpus::Status::Success;
  const auto dy = elements(problem, InputRole::GradOutput);
  for (const OutputRole role : corpus::output_roles) {
    const InputRole other = role == OutputRole::GradInput ? InputRole::Weight : InputRole::Input;
    const auto factors = elements(problem, other);
    const Shape shape = geometry.shape(role);
    std::vector<double> sums(static_cast<std::size_t>(element_count(shape)));
    for (std::size_t i = 0; i < sums.size(); ++i) {
      for_each_contribution(
          geometry, role, coordinate_of(shape, i), [&](const Shape& in_dy, const Shape& in_other) {
            const double left = dy[offset_of(geometry.shape(InputRole::GradOutput), in_dy)];
            sums[i] += role == OutputRole::GradBias
                           ? left
                           : product(left, factors[offset_of(geometry.shape(other), in_other)]);
            return true;
          });
    }
    auto& bits = seen.outputs.at(static_cast<std::size_t>(role)).bits;
    bits.resize(sums.size() * sizeof(double));
    std::memcpy(bits.data(), sums.data(), bits.size());
  }
  return seen;
}

corpus::Verdict judged(const Case& problem, const Product& product) {
  const auto geometry = geometry_of(problem);
  EXPECT_TRUE(geometry) << geometry.error();
  JudgeSettings settings;
  settings.profile = Profile::Unruled;
  return judge({problem, settings.profile}, computed(problem, *geometry, product), settings);
}

constexpr Distribution recipes[] = {
    Distribution::Uniform,      Distribution::ExactGrid,    Distribution::SparseFullMantissa,
    Distribution::Cancellation, Distribution::NearOverflow, Distribution::NearUnderflow};

TEST(Double, RightSumsAgreeUnderEveryRecipe) {
  for (const bool transposed : {false, true}) {
    for (const Distribution recipe : recipes) {
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto problem = with_recipe(case_in_double(transposed), recipe, seed);
        ASSERT_TRUE(problem) << problem.error();
        const auto verdict = judged(*problem, std::multiplies<>());
        EXPECT_NE(verdict.outcome, corpus::Outcome::Disagree)
            << corpus::name_of(recipe) << " " << seed << ": " << verdict.reason;
        const bool may_overflow = recipe == Distribution::NearOverflow;
        EXPECT_TRUE(may_overflow || verdict.outcome == corpus::Outcome::Agree) << verdict.reason;
      }
    }
  }
}

TEST(Double, ProductsThatWereRoundedToFloatDisagree) {
  for (const Distribution recipe :
       {Distribution::Uniform, Distribution::ExactGrid, Distribution::SparseFullMantissa}) {
    const auto problem = with_recipe(case_in_double(false), recipe, 1);
    ASSERT_TRUE(problem) << problem.error();
    const auto verdict = judged(*problem, [](double left, double right) {
      return static_cast<double>(static_cast<float>(left * right));
    });
    EXPECT_EQ(verdict.outcome, corpus::Outcome::Disagree) << corpus::name_of(recipe);
  }
}

/// The least that rounding in double can explain, and twice that.
TEST(Double, AnErrorIsToldFromARounding) {
  const auto problem = with_recipe(case_in_double(false), Distribution::Uniform, 2);
  ASSERT_TRUE(problem) << problem.error();
  const auto verdict =
      judged(*problem, [](double left, double right) { return left * right * (1 + 0x1p-40); });
  EXPECT_EQ(verdict.outcome, corpus::Outcome::Disagree);
}

/// Under the rules of CANN the same call is refused.
TEST(Double, IsNoTypeOfCann) {
  const auto admissible = admissible_statuses(case_in_double(false), Profile::Documented);
  EXPECT_EQ(admissible.statuses, std::vector{corpus::Status::ParamInvalid});
  EXPECT_FALSE(admissible.broken_rules.empty());
}

}  // namespace
}  // namespace gradproof::oracle
