// The data of a proof: what the theorem asks of them, call by call.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "corpus/case_json.h"
#include "corpus/element_encoding.h"
#include "corpus/element_values.h"
#include "oracle/geometry/geometry.h"
#include "oracle/status/ruled_case.h"
#include "properties/cases/check/check.h"
#include "properties/runs/prove/attack.h"
#include "properties/runs/prove/proof_calls.h"
#include "properties/runs/prove/proof_plan.h"
#include "properties/runs/prove/scope.h"
#include "properties/targets/session/loaded_library.h"
#include "properties/targets/target/target.h"

namespace gradproof::tests {
namespace {

using corpus::DataType;
using corpus::InputRole;
using corpus::OutputRole;

std::vector<double> values(const corpus::Case& test_case, InputRole role) {
  const auto bytes = corpus::element_values(test_case, role);
  const DataType type = corpus::tensor(test_case, role)->dtype;
  std::vector<double> read;
  for (std::size_t i = 0; i < bytes.size(); i += corpus::size_bytes(type)) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + i, corpus::size_bytes(type));
    read.push_back(*corpus::decode(type, bits));
  }
  return read;
}

struct PlanMode {
  DataType dtype;
  std::int8_t cube_math_type;
  double result_bits;  ///< integers below 2^this are exact in the result
  corpus::Product product = corpus::Product::Ascend910B;
};
class PlansOf : public testing::TestWithParam<PlanMode> {
 protected:
  runs::ProofMode mode() const {
    return {GetParam().dtype, GetParam().cube_math_type, GetParam().product};
  }

  template <typename Visit>
  void for_calls(std::uint64_t step, Visit visit) const {
    const runs::Scope scope = *runs::scope_named("small");
    for (std::uint64_t n = 0; n < scope.size(); n += step) {
      const corpus::Case test_case = runs::case_of(scope.call(n), mode(), std::to_string(n));
      const auto ruling = oracle::ruling_on(test_case, oracle::Profile::Documented);
      if (cases::may_succeed(ruling)) visit(test_case, ruling, n);
    }
  }
};

TEST_P(PlansOf, NeverRoundAndMissLessThanWanted) {
  for_calls(1'511, [&](const corpus::Case& test_case, const oracle::Ruling&, std::uint64_t) {
    const auto plan = runs::proof_plan(test_case, {});
    ASSERT_TRUE(plan) << corpus::to_json_line(test_case);
    EXPECT_GT(plan->bits, runs::wanted_bits);
    const auto geometry = *oracle::geometry_of(test_case);
    for (const OutputRole role : corpus::output_roles) {
      if (!corpus::is_requested(test_case, role)) continue;
      const auto partner = role == OutputRole::GradInput ? InputRole::Weight : InputRole::Input;
      const auto dy = static_cast<double>(plan->magnitudes[0]);
      const double other = role == OutputRole::GradBias
                               ? 1
                               : static_cast<double>(plan->magnitudes.at(to_size(partner)));
      const auto terms = static_cast<double>(plan->one_hot ? 1 : geometry.longest_sum(role));
      EXPECT_LT(terms * dy * other, std::exp2(GetParam().result_bits));
      const auto work = 2 * static_cast<double>(geometry.longest_reduction(role));
      EXPECT_LE(work * dy * other, 0x1p24);
      // The bound of Schwartz and Zippel, once more.
      const double missed = plan->one_hot ? 1 / (2 * other)
                            : role == OutputRole::GradBias
                                ? 1 / (2 * dy)
                                : 1 - (1 - 1 / (2 * dy)) * (1 - 1 / (2 * other));
      if (plan->one_hot && role == OutputRole::GradBias) continue;  // seen with certainty
      EXPECT_LT(std::log2(missed) * static_cast<double>(plan->runs), -runs::wanted_bits);
    }
  });
}

TEST_P(PlansOf, DrawFromEveryValueButZero) {
  std::set<double> seen;
  for_calls(40'009, [&](const corpus::Case& test_case, const oracle::Ruling&, std::uint64_t n) {
    const auto plan = *runs::proof_plan(test_case, {});
    const auto run = plan.one_hot ? runs::one_hot_run(test_case, plan, 0, n)
                                  : runs::grid_run(test_case, plan, n);
    for (const InputRole role : corpus::input_roles) {
      const auto most = static_cast<double>(plan.magnitudes[role]);
      std::size_t zeros = 0;
      for (const double value : values(run, role)) {
        zeros += value == 0 ? 1 : 0;
        EXPECT_LE(std::abs(value), most);
        EXPECT_EQ(value, std::trunc(value));
      }
      const bool is_hot = plan.one_hot && role == InputRole::GradOutput;
      EXPECT_EQ(zeros, is_hot ? values(run, role).size() - 1 : 0);
    }
  });
}

/// The judge must hold every bit of these runs: else the proof would prove less than it says.
TEST_P(PlansOf, AreJudgedBitForBitAndRightOnTheSimulatedBackend) {
  const auto library = targets::LoadedLibrary::load({});
  ASSERT_TRUE(library) << library.error();
  const auto target = (*library)->new_target();
  const runs::ProofCalls calls(*runs::scope_named("small"), {mode()}, {}, 5, runs::Attacks::All,
                               "");
  for_calls(
      60'013, [&](const corpus::Case& test_case, const oracle::Ruling& ruling, std::uint64_t n) {
        const auto plan = *runs::proof_plan(test_case, {});
        const std::uint64_t exact_runs = plan.all_runs(test_case);
        const auto runs = calls.runs(test_case, n, ruling);
        ASSERT_GT(runs.size(), exact_runs + 4);
        for (std::size_t i = 0; i < runs.size(); ++i) {
          const auto verdict = cases::check(*target, runs[i], {});
          EXPECT_NE(verdict.outcome, corpus::Outcome::Disagree) << verdict.reason << '\n'
                                                                << corpus::to_json_line(runs[i]);
          for (const OutputRole role : corpus::output_roles) {
            const auto& evidence = verdict.outputs[role];
            if (i >= exact_runs || !corpus::is_requested(test_case, role)) continue;
            EXPECT_TRUE(evidence.sums_are_exact) << corpus::to_json_line(runs[i]);
            EXPECT_EQ(evidence.compared_elements, evidence.elements);
          }
        }
      });
}

INSTANTIATE_TEST_SUITE_P(
    Prove, PlansOf,
    testing::Values(PlanMode{DataType::Float, 0, 24}, PlanMode{DataType::Float, 1, 24},
                    PlanMode{DataType::Float, 2, 24}, PlanMode{DataType::Float16, 0, 11},
                    PlanMode{DataType::BFloat16, 0, 8},
                    PlanMode{DataType::HiFloat8, 0, 24, corpus::Product::Ascend950}));

TEST(ProofPlans, TakeOneHotLabelsWhereSumsDoNotFit) {
  // 256 channels of three taps: no sum of so many integers is exact in BFLOAT16.
  runs::CallSizes sizes;
  sizes.channels = {1, 1, 1, 256};
  sizes.axes = {{2, 3, 1, 1, 1, 0, 2}};
  const corpus::Case test_case = runs::case_of(sizes, {DataType::BFloat16}, "wide");
  const auto plan = runs::proof_plan(test_case, {});
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->one_hot);
  EXPECT_EQ(plan->magnitudes, (std::array<std::int64_t, 3>{1, 255, 255}));
  EXPECT_EQ(plan->runs, 5U);  // 1/510 five times is below 2^-40
  EXPECT_EQ(plan->all_runs(test_case), 5U * 512U);
  EXPECT_FALSE(runs::proof_plan(test_case, {}, 100));
}

TEST(ProofPlans, HaveNoneWhereTheTargetMayRoundOperandsAsItLikes) {
  runs::CallSizes sizes;
  sizes.axes = {{}};
  const corpus::Case test_case = runs::case_of(sizes, {DataType::Float, 3}, "hf32");
  EXPECT_TRUE(runs::proof_plan(test_case, {.hf32_rounding = oracle::Hf32Rounding::NearestAway}));
  EXPECT_FALSE(runs::proof_plan(test_case, {.hf32_rounding = oracle::Hf32Rounding::Unknown}));
}

}  // namespace
}  // namespace gradproof::tests
