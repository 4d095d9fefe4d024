#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "corpus/case_json.h"
#include "oracle/gradients/contributions.h"
#include "oracle/gradients/gradients.h"
#include "oracle/recipes/recipe_plan.h"
#include "properties/findings/picture/finding_picture.h"
#include "properties/findings/picture/picture_json.h"
#include "properties/findings/picture/tensor_box.h"
#include "tests/support/fake_cann.h"

namespace gradproof::findings {
namespace {

using corpus::Case;
using corpus::OutputRole;
using oracle::Number;
using oracle::Shape;
using testing::Each;
using testing::ElementsAre;
using testing::SizeIs;

// ---- Contributions

oracle::Geometry random_geometry(std::mt19937& random) {
  const auto upto = [&](std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(1, most)(random);
  };
  oracle::Geometry geometry;
  geometry.transposed = upto(2) == 2;
  geometry.batch = upto(2);
  geometry.groups = upto(2);
  geometry.big_channels = upto(2);
  geometry.small_channels = upto(2);
  for (oracle::Axis& axis : geometry.axes) {
    axis = {.small = upto(3), .kernel = upto(3), .stride = upto(2), .dilation = upto(2)};
    const std::int64_t reach = (axis.small - 1) * axis.stride + (axis.kernel - 1) * axis.dilation;
    axis.padding_begin = upto(2) - 1;
    axis.big = std::max<std::int64_t>(1, reach + 1 - axis.padding_begin);
  }
  return geometry;
}

/// Every element another integer, so that a product tells which two were multiplied.
oracle::Dense<Number> numbered(const Shape& shape, std::uint32_t first) {
  oracle::Dense<Number> numbers(shape);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i].significand = first + static_cast<std::uint32_t>(i);
  }
  return numbers;
}

struct Sum {
  std::int64_t value = 0;
  std::uint64_t terms = 0;
};

Sum sum_of_contributions(const oracle::Geometry& geometry, OutputRole role,
                         const oracle::Dense<Number>& grad_output,
                         const oracle::Dense<Number>& other, const Shape& at) {
  Sum sum;
  oracle::for_each_contribution(geometry, role, at, [&](const Shape& one, const Shape& two) {
    const auto factor = role == OutputRole::GradBias ? 1 : other.at(two).significand;
    sum.value += static_cast<std::int64_t>(grad_output.at(one).significand * factor);
    ++sum.terms;
    return true;
  });
  return sum;
}

TEST(Contributions, AreThoseOfTheFormulas) {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    const auto geometry = random_geometry(random);
    const auto grad_output = numbered(geometry.shape(corpus::InputRole::GradOutput), 1);
    for (const OutputRole role : corpus::output_roles) {
      const auto other_role =
          role == OutputRole::GradWeight ? corpus::InputRole::Input : corpus::InputRole::Weight;
      const auto other = numbered(geometry.shape(other_role), 7);
      const Shape shape = geometry.shape(role);
      for (std::int64_t i = 0; i < oracle::element_count(shape); ++i) {
        const Shape at = oracle::coordinate_of(shape, static_cast<std::uint64_t>(i));
        const auto exact = oracle::plain_element(geometry, role, grad_output, other, at);
        const Sum sum = sum_of_contributions(geometry, role, grad_output, other, at);
        ASSERT_EQ(sum.terms, exact.terms) << round;
        ASSERT_EQ(
            static_cast<double>(sum.value),
            oracle::to_double(oracle::round_to(oracle::NumberFormat::Float, exact.sum.truncated(),
                                               oracle::Rounding::NearestEven)));
      }
    }
  }
}

TEST(Contributions, EndWhenTheyAreTold) {
  std::mt19937 random(1);
  const auto geometry = random_geometry(random);
  int looks = 0;
  oracle::for_each_contribution(geometry, OutputRole::GradBias, {},
                                [&](const Shape&, const Shape&) {
                                  ++looks;
                                  return false;
                                });
  EXPECT_EQ(looks, 1);
}

// ---- Boxes

TEST(Box, OfASmallTensorIsTheTensor) {
  const Box box = box_around({1, 2, 1, 5, 6}, {0, 1, 0, 4, 5});
  EXPECT_EQ(box.from, Shape{});
  EXPECT_EQ(box.size, (Shape{1, 2, 1, 5, 6}));
}

TEST(Box, OfALargeTensorHoldsItsCentreAndFewElements) {
  for (const Shape& shape : {Shape{1, 1, 1, 1, 2'000'000'000}, Shape{300, 400, 5, 60, 70}}) {
    for (const bool is_last : {false, true}) {
      Shape centre{};
      if (is_last) {
        for (std::size_t axis = 0; axis < 5; ++axis) centre.at(axis) = shape.at(axis) - 1;
      }
      const Box box = box_around(shape, centre);
      EXPECT_LE(oracle::element_count(box.size), Box::most_cells);
      EXPECT_GE(oracle::element_count(box.size), Box::most_cells / 2);
      EXPECT_TRUE(box.holds(centre));
      box.for_each([&](const Shape& at) {
        for (std::size_t axis = 0; axis < 5; ++axis) ASSERT_LT(at.at(axis), shape.at(axis));
      });
    }
  }
}

// ---- Pictures

/// A 2D call for gradInput: one channel, a kernel of 2 x 2 over a map of `rows` x `columns`.
Case call_of(int rows, int columns) {
  const auto tensor = [](int height, int width) {
    return fmt::format(R"({{"shape":[1,1,{},{}],"dtype":"FLOAT","format":"NCHW"}})", height, width);
  };
  const auto text = fmt::format(
      R"({{"id":"made","source":"generated","api":"aclnnConvolutionBackward","soc":"Ascend910B",)"
      R"("gradOutput":{},"input":{},"weight":{},"biasSizes":[1],"stride":[1,1],"padding":[0,0],)"
      R"("dilation":[1,1],"transposed":false,"outputPadding":[0,0],"groups":1,)"
      R"("outputMask":[true,false,false],"cubeMathType":0,"gradInput":{},"gradWeight":{},)"
      R"("gradBias":null,"deterministic":false}})",
      tensor(rows - 1, columns - 1), tensor(rows, columns), tensor(2, 2), tensor(rows, columns),
      tensor(2, 2));
  const auto problem = corpus::parse_case(text);
  EXPECT_TRUE(problem) << text;
  return *oracle::with_recipe(*problem, corpus::Distribution::ExactGrid, 3);
}

std::optional<Picture> picture_under(targets::Misbehaviour misbehaviour, const Case& smallest,
                                     const Case& first) {
  const auto target = targets::fake_library(misbehaviour)->new_target();
  return picture_of(*target, smallest, first, OutputRole::GradInput, {});
}

TEST(Picture, ShowsWhatWasComputedWhatIsExactAndTheProductsBetween) {
  const auto picture =
      picture_under(targets::Misbehaviour::DoubleGradients, call_of(3, 4), call_of(3, 4));
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->output, "gradInput");
  EXPECT_THAT(picture->computed.axes, ElementsAre("N", "C", "H", "W"));
  EXPECT_THAT(picture->computed.size, ElementsAre(1, 1, 3, 4));
  ASSERT_THAT(picture->operands, SizeIs(2));
  EXPECT_EQ(picture->operands[0].name, "gradOutput");
  EXPECT_THAT(picture->operands[1].size, ElementsAre(1, 1, 2, 2));
  for (std::size_t i = 0; i < picture->exact.size(); ++i) {
    const double exact = std::stod(picture->exact[i]);
    EXPECT_EQ(std::stod(picture->computed.values[i]), 2 * exact);
    EXPECT_EQ(picture->states[i], exact == 0 ? 'r' : 'w');
    EXPECT_EQ(picture->bound[i], "0") << "the grid is exact";
  }
  double sum = 0;
  for (const DrawnProduct& product : picture->products) sum += std::stod(product.value);
  const auto worst = to_size(picture->element[2] * 4 + picture->element[3]);
  EXPECT_EQ(sum, std::stod(picture->exact[worst]));
  EXPECT_EQ(picture->product_count, picture->products.size());
}

TEST(Picture, MapsWhereTheFirstCaseIsWrong) {
  const auto picture =
      picture_under(targets::Misbehaviour::LoseLastColumn, call_of(3, 4), call_of(10, 70));
  ASSERT_TRUE(picture);
  ASSERT_TRUE(picture->map) << picture->why_no_map;
  const WrongMap& map = *picture->map;
  EXPECT_THAT(map.shape, ElementsAre(1, 1, 10, 70));
  EXPECT_EQ(map.row_axis, 2U);
  EXPECT_EQ(map.column_axis, 3U);
  ASSERT_THAT(map.counts, SizeIs(10 * 32));
  EXPECT_GT(map.wrong, 0U);
  EXPECT_EQ(std::accumulate(map.counts.begin(), map.counts.end(), std::uint64_t{0}), map.wrong);
  EXPECT_EQ(map.per_axis[3].back(), map.wrong) << "all of it in the last columns";
  EXPECT_EQ(map.per_axis[0].front(), map.wrong);
  EXPECT_THAT(std::vector(map.per_axis[3].begin(), map.per_axis[3].end() - 1), Each(0U));
}

TEST(Picture, SaysWhyThereIsNoMap) {
  const auto picture =
      picture_under(targets::Misbehaviour::DoubleGradients, call_of(3, 4), call_of(900, 900));
  ASSERT_TRUE(picture);
  EXPECT_FALSE(picture->map);
  EXPECT_THAT(picture->why_no_map, testing::HasSubstr("too large"));
}

TEST(Picture, IsNoneWhereEveryElementIsRight) {
  EXPECT_FALSE(picture_under(targets::Misbehaviour::None, call_of(3, 4), call_of(3, 4)));
}

TEST(Picture, IsReadBackAsItWasWritten) {
  const auto picture =
      picture_under(targets::Misbehaviour::DoubleGradients, call_of(3, 4), call_of(5, 40));
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture_from_json(picture_json(*picture)), *picture);
}

/// A file that someone else has changed must not reach the page.
TEST(Picture, IsNotReadWhereItContradictsItself) {
  const auto picture =
      picture_under(targets::Misbehaviour::DoubleGradients, call_of(3, 4), call_of(5, 40));
  ASSERT_TRUE(picture);
  const auto whole = picture_json(*picture);
  for (const auto& [key, value] : whole.items()) {
    auto damaged = whole;
    damaged.erase(key);
    EXPECT_FALSE(picture_from_json(damaged)) << "without " << key;
    if (key == "product_count") continue;
    damaged[key] = 7.5;
    EXPECT_FALSE(picture_from_json(damaged)) << "a number as " << key;
  }
  auto shorter = whole;
  shorter["states"] = "w";
  EXPECT_FALSE(picture_from_json(shorter));
  shorter = whole;
  shorter["computed"]["size"][3] = 1'000'000'000'000;
  EXPECT_FALSE(picture_from_json(shorter));
  shorter = whole;
  shorter["map"]["counts"].erase(0);
  EXPECT_FALSE(picture_from_json(shorter));
  EXPECT_FALSE(picture_from_json(nullptr));
}

}  // namespace
}  // namespace gradproof::findings
