#include "oracle/gradients/linear/linear_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "oracle/gradients/fast_gradients.h"
#include "oracle/gradients/linear/meeting_runs.h"
#include "tests/support/instruction_sets.h"
#include "tests/support/random_problem.h"

namespace gradproof::oracle {
namespace {

using corpus::InputRole;
using corpus::OutputRole;

/// A random call on small integers in random units, with its exact gradients in FLOAT.
class Trial {
 public:
  explicit Trial(Random& random) {
    do problem_.geometry = random_geometry(random);
    while (problem_.geometry.batch == 0 || smallest() == 0);
    problem_.seed = random.bits();
    for (const InputRole role : corpus::input_roles) {
      auto& input = problem_.inputs[role];
      input.unit = static_cast<int>(random.in(-20, 20));
      draw(random, role);
      connect(input, problem_.geometry.shape(role), inputs_[role]);
    }
    for (const OutputRole role : corpus::output_roles) compute(role);
  }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  const LinearProblem& problem() const { return problem_; }
  std::vector<float>& output(OutputRole role) { return outputs_[role]; }
  float unit(OutputRole role) const { return std::ldexp(1.0F, problem_.outputs[role]->unit); }

 private:
  std::int64_t smallest() const {
    std::int64_t result = problem_.geometry.taps();
    for (const InputRole role : corpus::input_roles) {
      result = std::min(result, element_count(problem_.geometry.shape(role)));
    }
    return result;
  }

  void draw(Random& random, InputRole role) {
    const Shape shape = problem_.geometry.shape(role);
    auto& numbers = numbers_[role] = Dense<Number>(shape);
    auto& floats = inputs_[role];
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::int64_t integer = random.in(-15, 15);
      const float value = std::ldexp(static_cast<float>(integer), problem_.inputs[role].unit);
      floats.push_back(value);
      numbers[i] = decode(NumberFormat::Float, std::bit_cast<std::uint32_t>(value));
    }
  }

  static void connect(IntegerTensor& tensor, const Shape& shape, const std::vector<float>& floats) {
    tensor.shape = shape;
    tensor.entries = [&floats, size = to_size(tensor.entry_size())](std::int64_t first,
                                                                    std::int64_t count) {
      return std::as_bytes(std::span(floats))
          .subspan(to_size(first) * size * sizeof(float), to_size(count) * size * sizeof(float));
    };
  }

  void compute(OutputRole role) {
    const auto& grad_output = numbers_[InputRole::GradOutput];
    const InputRole partner = role == OutputRole::GradInput ? InputRole::Weight : InputRole::Input;
    const auto sums =
        role == OutputRole::GradBias
            ? FastGradient(problem_.geometry, grad_output).sums()
            : FastGradient(problem_.geometry, role, grad_output, numbers_.at(to_size(partner)))
                  .sums();
    auto& floats = outputs_[role];
    const Shape shape = problem_.geometry.shape(role);
    for (std::size_t i = 0; i < to_size(element_count(shape)); ++i) {
      floats.push_back(static_cast<float>(sums.approximate(i)));
    }
    auto& output = problem_.outputs[role].emplace();
    output.unit = problem_.inputs[InputRole::GradOutput].unit;
    if (role != OutputRole::GradBias) output.unit += problem_.inputs.at(to_size(partner)).unit;
    connect(output, shape, floats);
  }

  LinearProblem problem_;
  corpus::PerInput<Dense<Number>> numbers_;
  corpus::PerInput<std::vector<float>> inputs_;
  corpus::PerOutput<std::vector<float>> outputs_;
};

TEST(LinearCheck, AcceptsExactGradientsUnderEveryInstructionSet) {
  Random random(1);
  for (int i = 0; i < 1500; ++i) {
    const Trial trial(random);
    for (const InstructionSet instructions : instruction_sets()) {
      const auto findings = check_linearly(trial.problem(), ModularDot(instructions));
      for (const auto& input : findings.inputs) ASSERT_FALSE(input.first_other);
      for (const auto& output : findings.outputs) {
        ASSERT_FALSE(output.seen.first_other);
        ASSERT_FALSE(output.wrong_entry) << name_of(instructions) << ", trial " << i;
      }
    }
  }
}

TEST(LinearCheck, FindsAndLocatesEverySingleError) {
  Random random(2);
  for (int i = 0; i < 3000; ++i) {
    Trial trial(random);
    const auto role = static_cast<OutputRole>(random.in(0, 2));
    auto& output = trial.output(role);
    const auto at = to_size(random.in(0, std::ssize(output) - 1));
    output[at] += trial.unit(role) * static_cast<float>(random.one_in(2) ? 1 : -1);
    const auto findings = check_linearly(trial.problem());
    for (const OutputRole other : corpus::output_roles) {
      const auto& finding = findings.outputs.at(to_size(other));
      ASSERT_EQ(finding.wrong_entry.has_value(), other == role) << name_of(other);
    }
    const std::int64_t entry = *findings.outputs[role].wrong_entry;
    if (role == OutputRole::GradBias) {
      ASSERT_EQ(to_size(entry), at);
      continue;
    }
    ASSERT_EQ(wrong_elements(trial.problem(), role, entry), std::vector<std::uint64_t>{at});
  }
}

/// 2^61 is 1 modulo p: residues alone don't tell. Half a unit has no residue at all.
TEST(LinearCheck, FindsResultsThatAreNoSmallIntegers) {
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    Trial trial(random);
    const auto role = static_cast<OutputRole>(random.in(0, 2));
    auto& output = trial.output(role);
    const auto at = to_size(random.in(0, std::ssize(output) - 1));
    const float value = output[at] == 0 ? trial.unit(role) : output[at];
    const float wrong[] = {value * 0x1p61F, value + trial.unit(role) / 2, HUGE_VALF, std::nanf("")};
    output[at] = wrong[random.in(0, 3)];
    const auto findings = check_linearly(trial.problem());
    ASSERT_EQ(findings.outputs[role].seen.first_other, at);
  }
}

TEST(LinearCheck, SeesTheExtentsAndZerosOfWhatItReads) {
  Random random(4);
  for (int i = 0; i < 300; ++i) {
    Trial trial(random);
    const auto findings = check_linearly(trial.problem());
    for (const InputRole role : corpus::input_roles) {
      const auto& input = trial.problem().inputs[role];
      const Extent scanned = scanned_extent(input);
      const Extent seen = findings.inputs[role].extent(input.unit);
      ASSERT_EQ(seen.unit, scanned.unit);
      ASSERT_EQ(seen.top, scanned.top);
      ASSERT_LE(seen.lowest_leading, scanned.lowest_leading);
    }
    for (const OutputRole role : corpus::output_roles) {
      ASSERT_EQ(findings.outputs[role].seen.zeros,
                to_size(std::ranges::count(trial.output(role), 0.0F)));
    }
  }
}

/// Every pair of positions that the geometry's relation gives, and no other.
TEST(MeetingRuns, AreTheGeometrysRelation) {
  Random random(5);
  for (int i = 0; i < 500; ++i) {
    const Geometry geometry = random_geometry(random);
    std::int64_t met = 0;
    for_each_meeting_run(geometry, [&](const MeetingRun& run) {
      const auto at = [](std::int64_t index, const auto& lengths) {
        return std::array{index / lengths[2] / lengths[1], index / lengths[2] % lengths[1],
                          index % lengths[2]};
      };
      const auto& axes = geometry.axes;
      const auto lengths = [&](auto member) {
        return std::array{axes[0].*member, axes[1].*member, axes[2].*member};
      };
      for (std::int64_t j = 0; j < run.count; ++j, ++met) {
        const auto small = at(run.small + j, lengths(&Axis::small));
        const auto big = at(run.big + j * run.step, lengths(&Axis::big));
        const auto tap = at(run.tap, lengths(&Axis::kernel));
        for (std::size_t axis = 0; axis < 3; ++axis) {
          ASSERT_EQ(axes.at(axis).big_at(small.at(axis), tap.at(axis)), big.at(axis));
        }
      }
    });
    std::int64_t all = 1;
    for (const Axis& axis : geometry.axes) {
      std::int64_t pairs = 0;
      for (std::int64_t small = 0; small < axis.small; ++small) {
        for (std::int64_t tap = 0; tap < axis.kernel; ++tap)
          pairs += axis.big_at(small, tap) ? 1 : 0;
      }
      all *= pairs;
    }
    ASSERT_EQ(met, all);
  }
}

TEST(AnswerSeed, ChangesWithEveryBit) {
  Random random(6);
  for (const std::size_t size : {1, 7, 8, 63, 64, 65, 200}) {
    std::vector<std::byte> bytes(size);
    for (auto& byte : bytes) byte = static_cast<std::byte>(random.bits());
    std::vector<std::uint64_t> seeds{answer_seed(bytes, 1), answer_seed(bytes, 2),
                                     answer_seed(std::span(bytes).first(size - 1), 1)};
    for (std::size_t bit = 0; bit < 8 * size; ++bit) {
      auto changed = bytes;
      changed[bit / 8] ^= std::byte{1} << (bit % 8);
      seeds.push_back(answer_seed(changed, 1));
    }
    std::ranges::sort(seeds);
    EXPECT_EQ(std::ranges::adjacent_find(seeds), seeds.end());
  }
}

}  // namespace
}  // namespace gradproof::oracle
