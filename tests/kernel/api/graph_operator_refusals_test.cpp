// Any arguments at all: a graph operator that refuses says why.

#include "tests/support/operator_arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>

#include "tests/kernel/api/graph_operator_rules.h"

namespace gradproof::kernel {
namespace {

/// A number that sizes, strides and the like should not be, or are at an edge with.
std::int64_t odd_number(std::mt19937_64& random) {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  constexpr std::array<std::int64_t, 16> numbers = {-largest - 1,
                                                    -(std::int64_t{1} << 31),
                                                    -1,
                                                    0,
                                                    1,
                                                    2,
                                                    3,
                                                    63,
                                                    64,
                                                    255,
                                                    256,
                                                    511,
                                                    65536,
                                                    2147483646,
                                                    2147483648,
                                                    largest};
  return numbers[random() % numbers.size()];
}

void disturb(std::optional<Ints>& values, std::mt19937_64& random) {
  const auto kind = random() % 8;
  if (kind == 0) {
    values.reset();
  } else if (!values || kind == 1) {
    values = Ints(random() % 8, odd_number(random));
  } else if (!values->empty()) {
    values->at(random() % values->size()) = odd_number(random);
  }
}

void disturb(TensorText& tensor, std::mt19937_64& random) {
  std::optional<Ints> shape = tensor.shape;
  switch (random() % 8) {
    case 0:
      tensor.is_null = true;
      break;
    case 1:
      tensor.is_destroyed = true;
      break;
    case 2:
      tensor.type = static_cast<aclDataType>(static_cast<int>(random() % 45) - 1);
      break;
    case 3:
      tensor.format = static_cast<aclFormat>(static_cast<int>(random() % 60) - 1);
      break;
    case 4:
      tensor.offset = odd_number(random);
      break;
    case 5:
      tensor.strides = row_major(tensor.shape);
      for (std::int64_t& stride : *tensor.strides) {
        if (random() % 3 == 0) stride = odd_number(random);
      }
      break;
    default:
      disturb(shape, random);
      tensor.shape = shape.value_or(Ints{});
      tensor.strides.reset();
  }
}

void disturb(Arguments& arguments, std::mt19937_64& random) {
  switch (random() % 10) {
    case 0:
      return disturb(arguments.size, random);
    case 1:
      return disturb(arguments.strides, random);
    case 2:
      return disturb(arguments.pads, random);
    case 3:
      return disturb(arguments.dilations, random);
    case 4:
      return disturb(arguments.feature, random);
    case 5:
      return disturb(arguments.filter, random);
    case 6:
      return disturb(arguments.out_backprop, random);
    case 7:
      arguments.groups = odd_number(random);
      return;
    case 8:
      arguments.data_format = std::string(random() % 7, 'N');
      return;
    default:
      arguments.enable_hf32 = !arguments.enable_hf32;
  }
}

TEST_F(GraphOperatorRules, SayWhyWheneverTheyRefuse) {
  std::mt19937_64 random(1);
  int accepted_count = 0;
  for (int turn = 0; turn < 20'000; ++turn) {
    Arguments arguments = Convolution{.kind = turn % 2 == 0 ? input_v2 : filter_v2}.arguments();
    for (auto changes = 1 + random() % 3; changes > 0; --changes) disturb(arguments, random);
    use(static_cast<Device>(random() % DeviceCount));
    const PhaseOne result = asked(arguments);
    ASSERT_THAT(result.status, testing::AnyOf(accepted, missing, refused)) << "turn " << turn;
    if (result.status == accepted) {
      ASSERT_NE(result.workspace_size, untouched_size) << "turn " << turn;
      ++accepted_count;
    } else {
      ASSERT_EQ(result.workspace_size, untouched_size) << "turn " << turn;
      ASSERT_THAT(rules_in(result.text), testing::Not(testing::IsEmpty())) << "turn " << turn;
    }
  }
  EXPECT_GT(accepted_count, 100);
}

}  // namespace
}  // namespace gradproof::kernel
