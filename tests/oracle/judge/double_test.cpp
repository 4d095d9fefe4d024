// DOUBLE, which functions of tensors compute in: right sums agree, roundings to FLOAT do not.

#include <gtest/gtest.h>

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
  Case test_case;
  const auto tensor = [](std::vector<std::int64_t> shape) {
    corpus::TensorCase described;
    described.shape = std::move(shape);
    described.dtype = corpus::DataType::Double;
    return described;
  };
  test_case.transposed = transposed;
  test_case.input = test_case.grad_input = tensor({2, 3, 7, 6});
  test_case.weight = test_case.grad_weight =
      transposed ? tensor({3, 4, 3, 2}) : tensor({4, 3, 3, 2});
  test_case.grad_output = transposed ? tensor({2, 4, 13, 7}) : tensor({2, 4, 4, 6});
  test_case.grad_bias = tensor({4});
  test_case.bias_sizes = {4};
  test_case.stride = {2, 1};
  test_case.padding = {1, 1};
  test_case.dilation = {1, 2};
  test_case.output_padding = {0, 1};
  test_case.output_mask = {true, true, true};
  return test_case;
}

std::vector<double> elements(const Case& test_case, InputRole role) {
  const auto bytes = corpus::element_values(test_case, role);
  std::vector<double> values(bytes.size() / sizeof(double));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

using Product = std::function<double(double, double)>;

/// What a loop over the contributions gives, in double but for `product`.
corpus::Observation computed(const Case& test_case, const Geometry& geometry,
                             const Product& product) {
  corpus::Observation seen;
  seen.phase_one = seen.phase_two = seen.synchronise = corpus::Status::Success;
  const auto dy = elements(test_case, InputRole::GradOutput);
  for (const OutputRole role : corpus::output_roles) {
    const InputRole other = role == OutputRole::GradInput ? InputRole::Weight : InputRole::Input;
    const auto factors = elements(test_case, other);
    const Shape shape = geometry.shape(role);
    std::vector<double> sums(to_size(element_count(shape)));
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
    auto& bits = seen.outputs[role].bits;
    bits.resize(sums.size() * sizeof(double));
    std::memcpy(bits.data(), sums.data(), bits.size());
  }
  return seen;
}

corpus::Verdict judged(const Case& test_case, const Product& product) {
  const auto geometry = geometry_of(test_case);
  EXPECT_TRUE(geometry) << geometry.error();
  JudgeSettings settings;
  settings.profile = Profile::Unruled;
  return judge({test_case, settings.profile}, computed(test_case, *geometry, product), settings);
}

constexpr Distribution recipes[] = {
    Distribution::Uniform,      Distribution::ExactGrid,    Distribution::SparseFullMantissa,
    Distribution::Cancellation, Distribution::NearOverflow, Distribution::NearUnderflow};

TEST(Double, RightSumsAgreeUnderEveryRecipe) {
  for (const bool transposed : {false, true}) {
    for (const Distribution recipe : recipes) {
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto test_case = with_recipe(case_in_double(transposed), recipe, seed);
        ASSERT_TRUE(test_case) << test_case.error();
        const auto verdict = judged(*test_case, std::multiplies<>());
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
    const auto test_case = with_recipe(case_in_double(false), recipe, 1);
    ASSERT_TRUE(test_case) << test_case.error();
    const auto verdict = judged(*test_case, [](double left, double right) {
      return static_cast<double>(static_cast<float>(left * right));
    });
    EXPECT_EQ(verdict.outcome, corpus::Outcome::Disagree) << corpus::name_of(recipe);
  }
}

/// The least that rounding in double can explain, and twice that.
TEST(Double, AnErrorIsToldFromARounding) {
  const auto test_case = with_recipe(case_in_double(false), Distribution::Uniform, 2);
  ASSERT_TRUE(test_case) << test_case.error();
  const auto verdict =
      judged(*test_case, [](double left, double right) { return left * right * (1 + 0x1p-40); });
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
