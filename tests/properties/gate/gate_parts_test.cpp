// What a gate is made of: secret draws, exact numbers, the scaling law, the test of the judge.

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "oracle/geometry/workload.h"
#include "properties/runs/gate/gate_calls.h"
#include "properties/runs/gate/gate_judge.h"
#include "properties/targets/session/unwritten.h"

namespace gradproof::tests {
namespace {

using corpus::DataType;
using corpus::InputRole;
using corpus::OutputRole;
using namespace runs;

/// A call with one product: gradInput is gradOutput times weight.
GateCall one_product(double grad_output, double weight) {
  GateCall call;
  corpus::TensorCase tensor;
  tensor.shape = {1, 1, 1};
  call.test_case.grad_output = call.test_case.input = call.test_case.weight = tensor;
  call.test_case.grad_input = tensor;
  call.test_case.stride = call.test_case.dilation = {1};
  call.test_case.padding = {0};
  call.test_case.output_mask = {true, false, false};
  for (auto& operand : call.operands) operand.resize(4);
  set_element(DataType::Float, call.operands[0], 0, grad_output);
  set_element(DataType::Float, call.operands[2], 0, weight);
  return call;
}

corpus::Observation answer(const GateCall& call, double grad_input) {
  corpus::Observation seen = targets::nothing_written(call.test_case);
  seen.phase_one = seen.phase_two = seen.synchronise = corpus::Status::Success;
  set_element(DataType::Float, seen.outputs[OutputRole::GradInput].bits, 0, grad_input);
  return seen;
}

TEST(Secrets, AreNeverTheSame) {
  Secret one, other;
  std::set<std::uint64_t> drawn;
  for (int i = 0; i < 1'000; ++i) drawn.insert({one.next(), other.next()});
  EXPECT_EQ(drawn.size(), 2'000U);
}

TEST(GateOperands, ExactOnesHaveExactSumsAndManyExponents) {
  Secret secret;
  const auto calls = GateCalls::of({DataType::Float}, {});
  ASSERT_TRUE(calls);
  std::set<int> exponents;
  for (int i = 0; i < 30; ++i) {
    GateCall call{calls->draw(DataType::Float, "1x1", 3'000, secret), {}};
    call.operands = exact_operands(call.test_case, secret);
    corpus::Observation seen = targets::nothing_written(call.test_case);
    // Nothing was written: the verdict says what a right element is.
    const auto verdict = judged_values(call, seen);
    EXPECT_TRUE(verdict.outcome != corpus::Outcome::Disagree ||
                verdict.reason.find("the exact sum") != std::string::npos)
        << verdict.reason;
    for (std::size_t at = 0; at < call.operands[0].size() / 4; ++at) {
      const double value = element(DataType::Float, call.operands[0], at);
      if (value != 0) exponents.insert(std::ilogb(value));
    }
  }
  EXPECT_GE(exponents.size(), 12U);
}

TEST(GateOperands, ThinnedOnesHaveWiderElementsWhoseSumsAreExact) {
  Secret secret;
  constexpr std::int64_t places = 60'000;
  GateCall call = one_product(1, 1);
  call.test_case.grad_output->shape = call.test_case.input->shape = {1, 1, places};
  // Magnitudes in units of their least: the largest, and the sum.
  const auto magnitudes = [&](InputRole role) {
    double most = 0, all = 0, least = HUGE_VAL;
    for (std::size_t at = 0; at < elements_of(call.test_case, role); ++at) {
      const auto& bytes = call.operands.at(static_cast<std::size_t>(role));
      const double value = std::abs(element(DataType::Float, bytes, at));
      most = std::max(most, value), all += value;
      if (value != 0) least = std::min(least, value);
    }
    return std::pair{most / least, all / least};
  };
  double widest = 0, widest_of_all = 0;
  for (int i = 0; i < 40; ++i) {
    call.operands = thinned_operands(call.test_case, secret);
    const auto [most, sum] = magnitudes(InputRole::GradOutput);
    EXPECT_LE(sum * magnitudes(InputRole::Input).first, 0x1p24);
    widest = std::max(widest, most);
    call.operands = exact_operands(call.test_case, secret);
    widest_of_all = std::max(widest_of_all, magnitudes(InputRole::GradOutput).first);
  }
  EXPECT_GT(widest, 4 * widest_of_all);
}

TEST(GateCallsDrawn, AreOfTheClassThatIsWantedAndNoneThatIsExcluded) {
  Secret secret;
  const auto calls = GateCalls::of({DataType::Float}, {"transposed", "3d"});
  ASSERT_TRUE(calls);
  for (const std::string_view wanted : {"1d", "depthwise", "dilated", "3x3"}) {
    const auto names = classes_of_gate(calls->draw(DataType::Float, wanted, 3'000, secret));
    EXPECT_EQ(std::ranges::count(names, wanted), 1) << wanted;
    EXPECT_EQ(std::ranges::count(names, "transposed"), 0);
  }
  for (const std::string_view wanted : {"1d", "depthwise", "dilated", "strided"}) {
    const auto layer = calls->layer(DataType::Float, wanted, 3'000'000, secret);
    ASSERT_TRUE(layer.input);
    EXPECT_FALSE(layer.transposed);
    EXPECT_EQ(std::ranges::count(classes_of_gate(layer), wanted), 1) << wanted;
  }
  EXPECT_FALSE(GateCalls::of({DataType::Float}, {"sideways"}));
}

TEST(Canaries, ASpoiledAnswerIsFoundAndANaNIsNone) {
  Secret secret;
  const GateCall call = one_product(3, 5);
  const auto right = answer(call, 15);
  EXPECT_EQ(finds_a_canary(call, right, judged_values(call, right), secret), true);
  corpus::Verdict says_nothing = judged_values(call, right);
  says_nothing.outputs[OutputRole::GradInput].sums_are_exact = false;
  EXPECT_EQ(finds_a_canary(call, right, says_nothing, secret), std::nullopt);
}

TEST(ScalingLaw, NamesAnElementThatIsNotItsPowerOfTwo) {
  const GateCall call = one_product(3, 5);
  const Scaling by{2, 9, -1};
  EXPECT_EQ(breaks_scaling(call.test_case, answer(call, 15), answer(call, 30), by), "");
  EXPECT_NE(breaks_scaling(call.test_case, answer(call, 15), answer(call, 30.5), by), "");
  EXPECT_EQ(breaks_scaling(call.test_case, answer(call, 15), answer(call, HUGE_VAL), by), "");
}

TEST(GateOperands, AStepIsTheLeastBitAndASwapKeepsTheNumbers) {
  GateCall call = one_product(3, 5);
  call.test_case.weight->shape = {3, 1, 1};
  call.operands[2].resize(12);
  const auto weights = [&] {
    std::vector<double> all;
    for (std::size_t i = 0; i < 3; ++i)
      all.push_back(element(DataType::Float, call.operands[2], i));
    return all;
  };
  for (std::size_t i = 0; i < 3; ++i)
    set_element(DataType::Float, call.operands[2], i, 6 + 1.5 * static_cast<double>(i));
  EXPECT_TRUE(
      change_element(call.test_case, InputRole::Weight, 0, ElementChange::Step, call.operands));
  EXPECT_EQ(weights(), (std::vector<double>{4, 7.5, 9}));
  EXPECT_TRUE(
      change_element(call.test_case, InputRole::Weight, 2, ElementChange::Swap, call.operands));
  EXPECT_EQ(weights(), (std::vector<double>{4, 9, 7.5}));
}

TEST(GateOperands, ChannelsHaveScalesOfTheirOwnAndSumsStayExact) {
  Secret secret;
  const auto calls = GateCalls::of({DataType::Float}, {});
  ASSERT_TRUE(calls);
  std::set<std::string_view> changed;
  for (const std::string_view wanted : {"grouped", "transposed", "2d", "depthwise"}) {
    for (int i = 0; i < 10; ++i) {
      GateCall call{calls->draw(DataType::Float, wanted, 3'000, secret), {}};
      call.operands = exact_operands(call.test_case, secret);
      const auto before = call.operands;
      scale_channels(call.test_case, secret, call.operands);
      if (call.operands[0] != before[0] && call.operands[1] != before[1] &&
          call.operands[2] != before[2]) {
        changed.insert(wanted);
      }
      // Nothing was written: the verdict says what a right element is.
      const auto verdict = judged_values(call, targets::nothing_written(call.test_case));
      EXPECT_EQ(verdict.reason.find(" rounded to "), std::string::npos) << verdict.reason;
    }
  }
  EXPECT_EQ(changed.size(), 4U);
}

TEST(GateCallsDrawn, TheLargestIsLargerThanALayerAndNoMoreThanIsAffordable) {
  Secret secret;
  const auto calls = GateCalls::of({DataType::Float}, {"depthwise"});
  ASSERT_TRUE(calls);
  for (const std::int64_t macs : {100'000'000, 1'000'000'000}) {
    const auto largest = calls->largest(DataType::Float, macs, secret);
    ASSERT_TRUE(largest.input);
    const auto elements = [](const corpus::TensorCase& tensor) {
      return corpus::element_count(tensor.shape).value();
    };
    const auto of_call = *oracle::mac_count(largest);
    EXPECT_LE(of_call, static_cast<std::uint64_t>(macs));
    EXPECT_TRUE(of_call > most_layer_macs || elements(*largest.input) >= 1'000'000 ||
                elements(*largest.grad_output) >= 1'000'000);
    EXPECT_EQ(largest.groups > 1 && largest.weight->shape[1] == 1, false);
  }
}

TEST(GateOperands, AreRegularInEveryWay) {
  Secret secret;
  GateCall call = one_product(3, 5);
  call.test_case.input->shape = {4, 3, 5};
  std::set<std::string> seen;
  for (int i = 0; i < 300; ++i) {
    call.operands = exact_operands(call.test_case, secret);
    const bool is_independent =
        make_regular(call.test_case, InputRole::Input, secret, call.operands);
    const auto at = [&](std::size_t n, std::size_t c, std::size_t place) {
      return element(DataType::Float, call.operands[1], (n * 3 + c) * 5 + place);
    };
    std::vector<double> all;
    for (std::size_t place = 0; place < 60; ++place) all.push_back(at(0, 0, place));
    const auto zeros = std::ranges::count(all, 0.0);
    const bool is_one_number = std::ranges::count(all, all[0]) == 60;
    if (zeros == 60) {
      seen.insert("zeros");
    } else if (zeros == 59) {
      seen.insert("one");
    } else if (is_one_number) {
      seen.insert("one number");
    } else if (at(1, 2, 0) == at(1, 2, 3) && at(1, 2, 1) == at(1, 2, 4) && !is_independent) {
      seen.insert("maps");
    } else if (at(1, 2, 3) == at(3, 2, 3) && at(1, 0, 3) == at(2, 0, 3) && !is_independent) {
      seen.insert("samples");
    }
    if (std::ranges::min(all) >= 0 && is_independent) seen.insert("of one sign");
    const bool is_far = std::ranges::max(all) < 2 * std::ranges::min(all);
    if (is_far && is_independent) seen.insert("far from 0");
    bool is_in_order = all[0] != all[4];
    for (auto row = all.begin(); row != all.end(); row += 5) {
      is_in_order &= std::is_sorted(row, row + 5) || std::is_sorted(row, row + 5, std::greater<>());
    }
    if (is_in_order && zeros < 59 && !is_independent) {
      seen.insert("alike their neighbours");
    }
    if (at(0, 0, 1) == 0 && at(0, 1, 0) == 0 && at(0, 2, 4) == 0 && at(2, 0, 0) == 0 &&
        is_independent) {
      seen.insert("masked");
    }
  }
  EXPECT_EQ(seen.size(), 9U);
}

TEST(SampledElements, FollowTheSeed) {
  GateCall call;
  const std::int64_t places = 4'000, out = 64, in = 80;
  corpus::TensorCase tensor;
  const auto shaped = [&](std::vector<std::int64_t> shape) {
    tensor.shape = std::move(shape);
    return tensor;
  };
  call.test_case.grad_output = shaped({1, out, places});
  call.test_case.input = shaped({1, in, places});
  call.test_case.weight = call.test_case.grad_weight = shaped({out, in, 1});
  call.test_case.stride = call.test_case.dilation = {1};
  call.test_case.padding = {0};
  call.test_case.output_mask = {false, true, false};
  // Thirds make every sum round; the numbers of a row are equal, so that its sums are known.
  call.operands[0].resize(4 * out * places);
  call.operands[1].resize(4 * in * places);
  call.operands[2].resize(4 * out * in);
  const auto row = [](std::int64_t i) { return static_cast<float>(double(i + 1) / 3); };
  for (std::int64_t i = 0; i < out * places; ++i) {
    set_element(DataType::Float, call.operands[0], to_size(i), row(i / places));
  }
  for (std::int64_t i = 0; i < in * places; ++i) {
    set_element(DataType::Float, call.operands[1], to_size(i), row(i / places));
  }
  corpus::Observation seen = targets::nothing_written(call.test_case);
  seen.phase_one = seen.phase_two = seen.synchronise = corpus::Status::Success;
  auto& bits = seen.outputs[OutputRole::GradWeight].bits;
  for (std::int64_t i = 0; i < out * in; ++i) {
    set_element(DataType::Float, bits, to_size(i), double(row(i / in)) * row(i % in) * places);
  }
  EXPECT_EQ(judged_values(call, seen, 1).outcome, corpus::Outcome::Agree);
  const auto compared = [&](double seconds) {
    return judged_values(call, seen, 1, seconds).outputs[OutputRole::GradWeight].compared_elements;
  };
  EXPECT_LT(compared(0), compared(60));  // a deadline is kept by fewer
  for (std::int64_t place = 3; place < 14; ++place) {
    set_element(DataType::Float, bits, to_size(7 * in + place), 0);
  }
  std::size_t found = 0;
  constexpr std::size_t seeds = 5;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    if (judged_values(call, seen, seed).outcome == corpus::Outcome::Disagree) ++found;
  }
  EXPECT_GT(found, 0U);
  EXPECT_LT(found, seeds);
}

TEST(GateOperands, ChangeOfAnElementLeavesTheOthers) {
  GateCall call = one_product(3, 5);
  EXPECT_TRUE(
      change_element(call.test_case, InputRole::Weight, 0, ElementChange::Sign, call.operands));
  EXPECT_EQ(element(DataType::Float, call.operands[2], 0), -5);
  EXPECT_EQ(element(DataType::Float, call.operands[0], 0), 3);
  EXPECT_FALSE(scale(call.test_case, InputRole::Weight, 200, call.operands));
}

}  // namespace
}  // namespace gradproof::tests
