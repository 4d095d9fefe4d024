#include "oracle/recipes/recipe_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "corpus/case_json.h"
#include "corpus/element_values.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/gradients/fast_gradients.h"
#include "oracle/operands/operands.h"
#include "tests/support/random_case.h"

namespace gradproof::oracle {
namespace {

using corpus::DataType;
using corpus::Distribution;
using corpus::InputRole;
using corpus::OutputRole;
using testing::HasSubstr;

Dense<Number> raw(const corpus::Case& test_case, const Geometry& geometry, InputRole role) {
  return decoded(*format_of(tensor(test_case, role)->dtype),
                 corpus::element_values(test_case, role), geometry.shape(role));
}

struct Seen {
  std::size_t elements = 0, zeros = 0, exact = 0, overflows = 0;
  std::size_t lost = 0;  ///< not zero, but it becomes zero or loses bits as a subnormal number
  double terms = 0;
};

/// What the data of a case lead to in one gradient.
Seen seen(const corpus::Case& test_case, OutputRole role) {
  const Geometry geometry = *geometry_of(test_case);
  const Arithmetic way = arithmetics(test_case, role, {}).front();
  const auto operand = [&](InputRole input) {
    return converted(raw(test_case, geometry, input), way.operands, way.operand_rounding);
  };
  const auto grad_output = operand(InputRole::GradOutput);
  const auto other = operand(role == OutputRole::GradInput ? InputRole::Weight : InputRole::Input);
  const FastGradient exact = role == OutputRole::GradBias
                                 ? FastGradient(geometry, grad_output)
                                 : FastGradient(geometry, role, grad_output, other);
  const int unit = exact.extent_of_grad_output().unit + exact.extent_of_other().unit;
  const auto sums = exact.sums();
  const auto magnitudes = exact.magnitudes();
  const auto terms = exact.terms();
  Seen result{.elements = sums.size()};
  for (std::size_t i = 0; i < sums.size(); ++i) {
    result.zeros += sums.is_zero(i) ? 1 : 0;
    result.exact += magnitudes.approximate(i) <= std::ldexp(1.0, 24 + unit) ? 1 : 0;
    result.overflows += rounded_through(way, sums.truncated(i)).is_finite() ? 0 : 1;
    const double rounded = std::fabs(to_double(rounded_through(way, sums.truncated(i))));
    const NumberFormat narrow = way.roundings.empty() ? way.output : way.roundings.front();
    const double least = std::ldexp(1.0, smallest_exponent(narrow) + precision(narrow) - 1);
    result.lost += !sums.is_zero(i) && rounded < least ? 1 : 0;
    result.terms += terms[i];
  }
  return result;
}

corpus::Case planned(const corpus::Case& test_case, Distribution distribution, std::uint64_t seed) {
  const auto result = with_recipe(test_case, distribution, seed);
  EXPECT_TRUE(result.has_value()) << result.error();
  return *result;
}

TEST(ExactGridPlan, MakesEveryPartialSumExactAndEveryResultFinite) {
  Random random(1);
  std::size_t zeros = 0;
  std::size_t elements = 0;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const corpus::Case test_case =
        planned(random_case(random, random_mode(random)), Distribution::ExactGrid, i);
    for (const OutputRole role : corpus::output_roles) {
      if (!is_requested(test_case, role)) continue;
      const Seen result = seen(test_case, role);
      ASSERT_EQ(result.exact, result.elements) << to_json_line(test_case);
      ASSERT_EQ(result.overflows, 0U) << to_json_line(test_case);
      zeros += result.zeros;
      elements += result.elements;
    }
  }
  EXPECT_LT(zeros, elements * 2 / 3);  // positions that nothing reaches
}

TEST(ExactGridPlan, StaysExactInLongReductions) {
  for (const DataType type : {DataType::Float, DataType::Float16, DataType::BFloat16}) {
    const corpus::Case test_case =
        planned(square_case({"Ascend910B", type, type, type, 1}, 4, 64, 64, 28, 3),
                Distribution::ExactGrid, 5);
    for (const OutputRole role : corpus::output_roles) {
      const Seen result = seen(test_case, role);
      EXPECT_EQ(result.exact, result.elements) << name_of(type) << ' ' << name_of(role);
      EXPECT_LT(result.zeros, result.elements / 20);
    }
  }
}

TEST(ExactGridPlan, SurvivesTheConversionOfItsOperands) {
  Random random(2);
  for (std::uint64_t i = 0; i < 500; ++i) {
    const corpus::Case test_case =
        planned(random_case(random, random_mode(random)), Distribution::ExactGrid, i);
    const Geometry geometry = *geometry_of(test_case);
    const Arithmetic way = arithmetics(test_case, OutputRole::GradInput, {}).front();
    for (const InputRole role : corpus::input_roles) {
      const auto numbers = raw(test_case, geometry, role);
      for (const Number& number : numbers.elements()) {
        ASSERT_TRUE(is_representable(way.operands, number)) << to_json_line(test_case);
      }
    }
  }
}

TEST(ExactGridPlan, UsesMoreBitsThanANarrowerFormatKeepsWhereTheSumsAllowIt) {
  const auto magnitude = [](const Mode& mode) {
    const corpus::Case test_case =
        planned(square_case(mode, 1, 2, 2, 6, 3), Distribution::ExactGrid, 1);
    return (*test_case.data->fills)[0].magnitude;
  };
  // FLOAT: beyond the 12 bits that HF32 keeps; FLOAT16: all 11; BFLOAT16: all 8.
  EXPECT_GT(magnitude({}), 4096);
  EXPECT_EQ(magnitude({"Ascend910B", DataType::Float16, DataType::Float16, DataType::Float16, 0}),
            2047);
  EXPECT_EQ(magnitude({"Ascend910B", DataType::BFloat16, DataType::BFloat16, DataType::BFloat16}),
            255);
}

TEST(SparsePlan, KeepsAFewProductsPerReductionAndSomeInEveryGradient) {
  for (const auto& [channels, length] : {std::pair{64, 28}, std::pair{256, 7}, std::pair{2, 56}}) {
    const corpus::Case test_case = planned(square_case({}, 2, channels, channels, length, 3),
                                           Distribution::SparseFullMantissa, 3);
    for (const OutputRole role : {OutputRole::GradInput, OutputRole::GradWeight}) {
      const Seen result = seen(test_case, role);
      const double terms = result.terms / static_cast<double>(result.elements);
      EXPECT_GT(terms, 2.5) << name_of(role) << ' ' << channels;
      EXPECT_LT(terms, 6) << name_of(role) << ' ' << channels;
      EXPECT_LT(result.zeros, result.elements / 5);
    }
  }
}

TEST(SparsePlan, NeverOverflows) {
  Random random(4);
  for (std::uint64_t i = 0; i < 1500; ++i) {
    const corpus::Case test_case =
        planned(random_case(random, random_mode(random)), Distribution::SparseFullMantissa, i);
    for (const OutputRole role : corpus::output_roles) {
      if (!is_requested(test_case, role)) continue;
      ASSERT_EQ(seen(test_case, role).overflows, 0U) << to_json_line(test_case);
    }
  }
}

TEST(SparsePlan, FillsSignificandsToTheLastBit) {
  const corpus::Case test_case =
      planned(square_case({}, 2, 16, 16, 12, 3), Distribution::SparseFullMantissa, 3);
  const auto numbers = raw(test_case, *geometry_of(test_case), InputRole::GradOutput);
  const auto odd = std::ranges::count_if(numbers.elements(), [](const Number& number) {
    return number.significand >> 23 != 0;  // normalised, so 24 bits only if the last one is set
  });
  const auto drawn = std::ranges::count_if(
      numbers.elements(), [](const Number& number) { return number.significand != 0; });
  EXPECT_GT(odd, drawn / 3);
}

struct EdgeSeen {
  std::size_t overflows = 0, lost = 0, ordinary = 0;
};

EdgeSeen seen_at_edge(const Mode& mode, Distribution edge) {
  EdgeSeen total;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const corpus::Case test_case = planned(square_case(mode, 2, 8, 8, 6, 3), edge, seed);
    for (const OutputRole role : corpus::output_roles) {
      const Seen result = seen(test_case, role);
      total.overflows += result.overflows;
      total.lost += result.lost;
      total.ordinary += result.elements - result.zeros - result.overflows - result.lost;
    }
  }
  return total;
}

TEST(EdgePlan, BringsResultsToBothSidesOfTheEdgeInEveryFormat) {
  const auto mode = [](const char* soc, DataType type, int cube_math_type = 0) {
    return Mode{soc, type, type, type, cube_math_type};
  };
  for (const Mode& way :
       {mode("Ascend910B", DataType::Float), mode("Ascend910B", DataType::Float, 1),
        mode("Ascend910B", DataType::Float, 2), mode("Ascend910B", DataType::Float16),
        mode("Ascend910B", DataType::BFloat16), mode("Ascend950", DataType::HiFloat8),
        mode("Ascend950", DataType::Float8E4M3FN)}) {
    const EdgeSeen over = seen_at_edge(way, Distribution::NearOverflow);
    EXPECT_GT(over.overflows, 300U) << name_of(way.input) << way.cube_math_type;
    EXPECT_GT(over.ordinary, 300U) << name_of(way.input) << way.cube_math_type;
    const EdgeSeen under = seen_at_edge(way, Distribution::NearUnderflow);
    EXPECT_GT(under.lost, 300U) << name_of(way.input) << way.cube_math_type;
    EXPECT_GT(under.ordinary, 300U) << name_of(way.input) << way.cube_math_type;
  }
}

/// Sums in tiles are exact up to 2^22, and their magnitudes at most 16 times those of the products.
TEST(RecipePlan, ShowsMuchOfGradientsInTiles) {
  const auto layer = [](const char* soc) { return square_case({.soc = soc}, 1, 256, 256, 8, 3); };
  const auto fill = [](const corpus::Case& test_case, InputRole role) {
    return test_case.data->fills->at(static_cast<std::size_t>(role));
  };
  const auto largest_sum = [&](const char* soc) {
    const auto grid = planned(layer(soc), Distribution::ExactGrid, 1);
    const auto of_output = fill(grid, InputRole::GradOutput),
               of_input = fill(grid, InputRole::Input);
    EXPECT_EQ(of_output.density, 65'536U);
    return static_cast<double>(64 * of_output.magnitude * of_input.magnitude);
  };
  EXPECT_LE(16 * largest_sum("Ascend950"), 0x1p22);
  EXPECT_GT(16 * largest_sum("Ascend910B"), 0x1p22) << "no tiles there";
  for (const InputRole role : {InputRole::GradOutput, InputRole::Input}) {
    const auto sparse = planned(layer("Ascend950"), Distribution::SparseFullMantissa, 1);
    EXPECT_EQ(fill(sparse, role).exponent_high - fill(sparse, role).exponent_low, 1);
  }
}

TEST(RecipePlan, IsAPureFunctionOfItsArguments) {
  const corpus::Case test_case = square_case({}, 1, 4, 4, 8, 3);
  EXPECT_EQ(planned(test_case, Distribution::ExactGrid, 9),
            planned(test_case, Distribution::ExactGrid, 9));
  EXPECT_EQ(planned(test_case, Distribution::Uniform, 9).data->fills, std::nullopt);
}

TEST(RecipePlan, PlansForEmptyProblems) {
  corpus::Case test_case = square_case({}, 1, 4, 4, 8, 3);
  test_case.input->shape[0] = 0;
  test_case.grad_output->shape[0] = 7;
  EXPECT_TRUE(planned(test_case, Distribution::ExactGrid, 1).data->fills.has_value());
}

TEST(RecipePlan, SaysWhyItCannotPlan) {
  corpus::Case test_case = square_case({}, 1, 4, 4, 8, 3);
  test_case.weight->shape[0] = 5;
  const auto misfit = with_recipe(test_case, Distribution::ExactGrid, 1);
  ASSERT_FALSE(misfit.has_value());
  EXPECT_THAT(misfit.error(), HasSubstr("5 kernels for 4 channels"));
  test_case = square_case({}, 1, 4, 4, 8, 3);
  test_case.input->dtype = DataType::Int32;
  EXPECT_THAT(with_recipe(test_case, Distribution::ExactGrid, 1).error(), HasSubstr("dtype INT32"));
  test_case.input.reset();
  EXPECT_EQ(with_recipe(test_case, Distribution::ExactGrid, 1).error(), "input is null");
}

}  // namespace
}  // namespace gradproof::oracle
