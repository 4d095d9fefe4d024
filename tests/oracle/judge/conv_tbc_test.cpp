#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "corpus/case_json.h"
#include "corpus/element_values.h"
#include "oracle/judge/comparison.h"
#include "oracle/judge/judge.h"
#include "oracle/recipes/recipe_plan.h"
#include "tests/oracle/judge/float_values.h"

// aclnnConvTbcBackward by the formulas of its document, element by element, against the judge,
// which reads the call as another operator's.

namespace gradproof::oracle {
namespace {

using corpus::Case;
using corpus::InputRole;
using corpus::Observation;
using corpus::Outcome;
using corpus::OutputRole;

struct Sizes {
  std::int64_t length, batch, in, out, kernel, pad;
  std::int64_t positions() const { return length + 2 * pad - kernel + 1; }
};

corpus::TensorCase float_tensor(std::vector<std::int64_t> shape) {
  corpus::TensorCase tensor;
  tensor.format = corpus::Format::Nd;
  tensor.shape = std::move(shape);
  return tensor;
}

Case call_of(const Sizes& sizes) {
  Case test_case;
  test_case.api = corpus::Api::ConvTbcBackward;
  test_case.grad_output = float_tensor({sizes.positions(), sizes.batch, sizes.out});
  test_case.input = test_case.grad_input = float_tensor({sizes.length, sizes.batch, sizes.in});
  test_case.weight = test_case.grad_weight = float_tensor({sizes.kernel, sizes.in, sizes.out});
  test_case.bias = test_case.grad_bias = float_tensor({sizes.out});
  test_case.padding = std::vector{sizes.pad};
  return *with_recipe(test_case, corpus::Distribution::ExactGrid, 7);
}

/// The three gradients: sums of few small integers times powers of two, exact in FLOAT.
std::array<std::vector<float>, 3> gradients(const Case& test_case, const Sizes& sizes) {
  const auto self = values(test_case, InputRole::GradOutput),
             input = values(test_case, InputRole::Input),
             weight = values(test_case, InputRole::Weight);
  std::array<std::vector<float>, 3> result{std::vector<float>(input.size()),
                                           std::vector<float>(weight.size()),
                                           std::vector<float>(to_size(sizes.out))};
  const auto at = [](auto i, auto j, auto k, auto second, auto third) {
    return to_size((i * second + j) * third + k);
  };
  for (std::int64_t t = 0; t < sizes.positions(); ++t) {
    for (std::int64_t b = 0; b < sizes.batch; ++b) {
      for (std::int64_t c0 = 0; c0 < sizes.out; ++c0) {
        const float dy = self[at(t, b, c0, sizes.batch, sizes.out)];
        result[2][to_size(c0)] += dy;
        for (std::int64_t k = 0; k < sizes.kernel; ++k) {
          const std::int64_t h = t + k - sizes.pad;
          if (h < 0 || h >= sizes.length) continue;
          for (std::int64_t c1 = 0; c1 < sizes.in; ++c1) {
            const auto x = at(h, b, c1, sizes.batch, sizes.in),
                       w = at(k, c1, c0, sizes.in, sizes.out);
            result[0][x] += dy * weight[w];
            result[1][w] += dy * input[x];
          }
        }
      }
    }
  }
  return result;
}

Observation observed_gradients(const Case& test_case, const Sizes& sizes) {
  Observation seen;
  seen.phase_one = seen.phase_two = seen.synchronise = corpus::Status::Success;
  const auto computed = gradients(test_case, sizes);
  for (std::size_t i = 0; i < computed.size(); ++i) {
    const auto bytes = std::as_bytes(std::span(computed[i]));
    seen.outputs[i].bits.assign(bytes.begin(), bytes.end());
    seen.outputs[i].before.assign(bytes.size(), std::byte{0xA5});
  }
  return seen;
}

constexpr Sizes all_sizes[] = {{5, 2, 4, 3, 3, 1}, {3, 1, 1, 2, 3, 0}, {2, 3, 2, 1, 4, 3},
                               {1, 2, 3, 2, 1, 2}, {4, 2, 0, 3, 2, 0}, {6, 1, 2, 5, 6, 0}};

TEST(ConvTbc, AgreesWithTheFormulasOfItsDocument) {
  for (const Sizes& sizes : all_sizes) {
    const Case test_case = call_of(sizes);
    const auto verdict =
        judge({test_case, Profile::Documented}, observed_gradients(test_case, sizes), {});
    EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason << corpus::to_json_line(test_case);
    for (const auto& output : verdict.outputs) EXPECT_EQ(output.compared_elements, output.elements);
    EXPECT_EQ(verdict.outputs[2].elements, static_cast<std::uint64_t>(sizes.out));
  }
}

TEST(ConvTbc, NamesEachWrongElementByItsPlaceInTheTensor) {
  const Sizes sizes{5, 2, 4, 3, 3, 1};
  const Case test_case = call_of(sizes);
  const auto right = observed_gradients(test_case, sizes);
  for (const OutputRole role : corpus::output_roles) {
    const auto index = to_size(role);
    const auto& shape = corpus::tensor(test_case, role)->shape;
    for (std::size_t i = 0; i * sizeof(float) < right.outputs[index].bits.size(); ++i) {
      auto wrong = right;
      wrong.outputs[index].bits[sizeof(float) * i + 3] ^= std::byte{0x40};
      const auto verdict = judge({test_case, Profile::Documented}, wrong, {});
      ASSERT_EQ(verdict.outcome, Outcome::Disagree) << name_of(role) << ' ' << i;
      ASSERT_EQ(verdict.culprit, role);
      ASSERT_EQ(verdict.outputs[index].worst->at, coordinate(i, shape));
    }
  }
}

TEST(ConvTbc, TellsOfABiasThatChanged) {
  const Sizes sizes{5, 2, 4, 3, 3, 1};
  const Case test_case = call_of(sizes);
  auto seen = observed_gradients(test_case, sizes);
  seen.bias_changed_byte = 3;
  EXPECT_EQ(judge({test_case, Profile::Documented}, seen, {}).reason,
            "byte 3 of bias's memory changed");
}

}  // namespace
}  // namespace gradproof::oracle
