// Which bits of the gradients may change with the schedule.

#include "kernel/operators/call/split.h"
#include "kernel/operators/convolution_backward.h"
#include "tests/kernel/operators/device_path_call.h"
#include "tests/kernel/operators/large_shapes.h"
#include "tests/support/drawn_call.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

namespace gradproof::kernel::operators {
namespace {

/// A reduction of four samples that many cores share, in FLOAT so that every order shows.
struct Shared {
  Random random{9};
  Example example;
  ConvolutionBackward call;

  explicit Shared(Product product, int cores, std::int64_t batch = 4)
      : example(example_of(
            {"", product, Format::Binary32, false, batch, 1, 9, 10, {axis(40, 3), axis(40, 3)}},
            random)),
        call(call_of(example, arithmetic_of({product, Format::Binary32, 0}, OverflowMode::InfNan),
                     {.path = OperatorPath::Device, .product = product, .cores = cores})) {
    fill(example, random, Data::Rounding);
  }

  Split split() const {
    return split_of(call.launch, {.pairs = call.problem.batch, .rows = 40, .columns = 40}, 0, 1);
  }
};

/// The distinct outputs over eight schedule seeds, 1, 2 and 4 host threads, and two calls of each.
struct Patterns {
  std::set<std::vector<std::uint32_t>> grad_input, grad_weight, grad_bias;

  explicit Patterns(Shared shared) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      for (const int threads : {1, 2, 4}) {
        for (std::uint64_t run = 0; run < 2; ++run) {
          shared.call.launch.schedule_seed = seed;
          shared.call.launch.host_threads = threads;
          shared.call.launch.run = run;
          Outputs outputs = outputs_of(shared.call, shared.example);
          grad_input.insert(std::move(outputs.grad_input));
          grad_weight.insert(std::move(outputs.grad_weight));
          grad_bias.insert(std::move(outputs.grad_bias));
        }
      }
    }
  }
};

TEST(Determinism, TheScheduleChangesGradWeightAloneByDefault) {
  for (const Product product : {Product::Ascend910, Product::Ascend910B, Product::Ascend910_93}) {
    Shared shared(product, 24);
    if (product == Product::Ascend910) {
      shared.call.arithmetic = arithmetic_of({product, Format::Half, 0}, OverflowMode::InfNan);
    }
    ASSERT_EQ(shared.split().combination, Combination::Arrival);
    const Patterns patterns(shared);
    EXPECT_GE(patterns.grad_weight.size(), 2U);
    EXPECT_LE(patterns.grad_weight.size(), 16U);  // seeds times calls: threads change nothing
    EXPECT_EQ(patterns.grad_input.size(), 1U);
    EXPECT_EQ(patterns.grad_bias.size(), 1U);
  }
}

TEST(Determinism, TheScheduleChangesNothingInDeterministicMode) {
  Shared shared(Product::Ascend910B, 24);
  shared.call.launch.deterministic = true;
  ASSERT_EQ(shared.split().combination, Combination::InOrder);
  const Patterns patterns(shared);
  EXPECT_EQ(patterns.grad_weight.size(), 1U);
  EXPECT_EQ(patterns.grad_input.size(), 1U);
  EXPECT_EQ(patterns.grad_bias.size(), 1U);
}

TEST(Determinism, TheScheduleChangesNothingOnAscend950) {
  for (const bool deterministic : {false, true}) {
    Shared shared(Product::Ascend950, 32);
    shared.call.launch.deterministic = deterministic;
    ASSERT_EQ(shared.split().combination, Combination::Tree);
    EXPECT_EQ(Patterns(shared).grad_weight.size(), 1U);
  }
}

TEST(Determinism, TheSameSeedAndCallGiveTheSameBitsOnAnyNumberOfThreads) {
  Shared shared(Product::Ascend910B, 24);
  shared.call.launch.schedule_seed = 5;
  shared.call.launch.run = 3;
  const Outputs once = outputs_of(shared.call, shared.example);
  for (const int threads : {1, 2, 3, 4}) {
    shared.call.launch.host_threads = threads;
    EXPECT_EQ(outputs_of(shared.call, shared.example), once);
  }
}

TEST(Determinism, OneCoreLeavesNothingToTheSchedule) {
  Shared shared(Product::Ascend910B, 1);
  EXPECT_EQ(Patterns(shared).grad_weight.size(), 1U);
}

/// dw of each sample by the plain loops: what a core that has one sample sums up.
std::vector<std::vector<float>> grad_weight_of_samples(Shared shared) {
  shared.call.launch.path = OperatorPath::Plain;
  std::vector<std::vector<float>> parts;
  const std::vector<float> saved = [&] {
    std::vector<float> values;
    shared.example.grad_output().for_each(
        [&](const Index& index) { values.push_back(shared.example.grad_output().at(index)); });
    return values;
  }();
  for (std::int64_t sample = 0; sample < shared.call.problem.batch; ++sample) {
    Stored& grad_output = shared.example.grad_output();
    std::size_t next = 0;
    grad_output.for_each([&](const Index& index) {
      const float value = saved[next++];
      Destination{grad_output.view(), grad_output.first()}.store(
          index, index[0] == sample ? value : 0.0F, OverflowMode::InfNan);
    });
    std::vector<float>& part = parts.emplace_back();
    for (const std::uint32_t bits : outputs_of(shared.call, shared.example).grad_weight) {
      part.push_back(std::bit_cast<float>(bits));
    }
  }
  return parts;
}

std::vector<std::uint32_t> bits_of(const std::vector<float>& values) {
  std::vector<std::uint32_t> bits;
  for (const float value : values) bits.push_back(std::bit_cast<std::uint32_t>(value));
  return bits;
}

std::vector<float> sum_of(std::vector<float> left, const std::vector<float>& right) {
  for (std::size_t i = 0; i < left.size(); ++i) left[i] += right[i];
  return left;
}

TEST(Determinism, DeterministicModeAddsTheCoresSumsFromTheFirstToTheLast) {
  Shared shared(Product::Ascend910B, 4);
  shared.call.launch.deterministic = true;
  ASSERT_EQ(shared.split().pair_shares, 4);
  ASSERT_EQ(shared.split().row_shares, 1);
  const auto parts = grad_weight_of_samples(shared);
  const auto expected = sum_of(sum_of(sum_of(parts[0], parts[1]), parts[2]), parts[3]);
  EXPECT_EQ(outputs_of(shared.call, shared.example).grad_weight, bits_of(expected));
}

TEST(Determinism, Ascend950AddsNeighboursFirst) {
  Shared shared(Product::Ascend950, 4);
  ASSERT_EQ(shared.split().pair_shares, 4);
  const auto parts = grad_weight_of_samples(shared);
  const auto pairwise = sum_of(sum_of(parts[0], parts[1]), sum_of(parts[2], parts[3]));
  const auto in_order = sum_of(sum_of(sum_of(parts[0], parts[1]), parts[2]), parts[3]);
  ASSERT_NE(bits_of(pairwise), bits_of(in_order));
  EXPECT_EQ(outputs_of(shared.call, shared.example).grad_weight, bits_of(pairwise));
}

TEST(Determinism, ByDefaultTheResultIsThatOfSomeOrderOfArrival) {
  Shared shared(Product::Ascend910B, 3, 3);
  ASSERT_EQ(shared.split().pair_shares, 3);
  const auto parts = grad_weight_of_samples(shared);
  std::set<std::vector<std::uint32_t>> admissible;
  std::array<std::size_t, 3> order{0, 1, 2};
  do {
    admissible.insert(bits_of(sum_of(sum_of(parts[order[0]], parts[order[1]]), parts[order[2]])));
  } while (std::next_permutation(order.begin(), order.end()));
  std::set<std::vector<std::uint32_t>> seen;
  for (shared.call.launch.run = 0; shared.call.launch.run < 40; ++shared.call.launch.run) {
    seen.insert(outputs_of(shared.call, shared.example).grad_weight);
  }
  EXPECT_EQ(seen, admissible);  // forty draws of three different sums
}

TEST(Determinism, RowsThatCoresShareStillAddUpWithinTheBound) {
  for (const bool deterministic : {false, true}) {
    for (const Product product : {Product::Ascend910B, Product::Ascend950}) {
      Shared shared(product, 24);
      shared.call.launch.deterministic = deterministic;
      ASSERT_GT(shared.split().row_shares, 1);
      const auto on_cores = outputs_of(shared.call, shared.example).grad_weight;
      shared.call.launch.path = OperatorPath::Plain;
      const auto plain = outputs_of(shared.call, shared.example).grad_weight;
      for (std::size_t i = 0; i < 3; ++i) {
        Stored& tensor = shared.example.tensors[i];
        tensor.for_each([&](const Index& index) {
          Destination{tensor.view(), tensor.first()}.store(index, std::fabs(tensor.at(index)),
                                                           OverflowMode::InfNan);
        });
      }
      const auto magnitudes = outputs_of(shared.call, shared.example).grad_weight;
      constexpr double products = 4 * 40 * 40;
      for (std::size_t i = 0; i < plain.size(); ++i) {
        const double difference = static_cast<double>(std::bit_cast<float>(on_cores[i])) -
                                  static_cast<double>(std::bit_cast<float>(plain[i]));
        const double sum = std::bit_cast<float>(magnitudes[i]);
        // Higham, Accuracy and Stability, (3.5), once for either order.
        ASSERT_LE(std::fabs(difference), 2.1 * products * 0x1p-24 * sum);
      }
    }
  }
}

}  // namespace
}  // namespace gradproof::kernel::operators
