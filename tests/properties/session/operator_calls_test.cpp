#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "properties/cases/check/check.h"
#include "properties/targets/session/loaded_library.h"
#include "properties/targets/target/library.h"
#include "properties/targets/target/target.h"
#include "tests/support/fake_cann.h"
#include "tests/support/operator_calls.h"

// Graph operators and tiling classes called through the target, as replay and campaigns do.

namespace gradproof::targets {
namespace {

using corpus::Api;
using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::Outcome;
using corpus::Status;
using corpus::Verdict;
using oracle::operator_case;
using oracle::OperatorCall;
using testing::HasSubstr;

std::shared_ptr<const Library> simulated() {
  static const auto library = LoadedLibrary::load({});
  EXPECT_TRUE(library) << library.error();
  return *library;
}

std::vector<Verdict> verdicts_of(const Case& test_case) {
  const auto target = simulated()->new_target();
  std::vector<Verdict> verdicts;
  for (const Case& run : cases::runs_of({test_case, oracle::Profile::Documented}, {}, 1)) {
    verdicts.push_back(cases::check(*target, run, {}));
  }
  return verdicts;
}

Verdict verdict_of(const Case& test_case) { return verdicts_of(test_case).front(); }

TEST(OperatorCalls, ComputeWhatTheOracleSaysInEveryLayout) {
  for (const Api api : {Api::Conv3DBackpropInputV2, Api::Conv3DBackpropFilterV2}) {
    for (const Format format : {Format::Ncdhw, Format::Ndhwc}) {
      for (const Format filter : {Format::Ncdhw, Format::Ndhwc, Format::Dhwcn}) {
        for (const DataType dtype : {DataType::Float, DataType::Float16, DataType::BFloat16}) {
          const Case test_case = operator_case(
              {.api = api, .dtype = dtype, .format = format, .filter_format = filter});
          const auto verdicts = verdicts_of(test_case);
          EXPECT_EQ(verdicts.size(), 2U);  // the exact grid, and sparse full significands
          for (const Verdict& verdict : verdicts) {
            EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
            EXPECT_EQ(verdict.law, "exactness");
          }
        }
      }
    }
  }
}

TEST(OperatorCalls, ComputeInGroupsInHf32AndInEightBits) {
  for (const OperatorCall& call :
       {OperatorCall{.groups = 3}, OperatorCall{.dtype = DataType::Float, .enable_hf32 = true},
        OperatorCall{.soc = "Ascend950", .dtype = DataType::HiFloat8},
        OperatorCall{.soc = "Ascend950", .dtype = DataType::Float8E4M3FN},
        OperatorCall{
            .api = Api::Conv3DBackpropFilterV2, .soc = "Ascend950", .dtype = DataType::HiFloat8},
        OperatorCall{.api = Api::Conv3DBackpropFilterV2, .groups = 2}}) {
    for (const Verdict& verdict : verdicts_of(operator_case(call))) {
      EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
    }
  }
}

TEST(OperatorCalls, ThatAreRefusedLeaveEverythingUntouched) {
  Case test_case = operator_case(OperatorCall{});
  test_case.attributes->pads->pop_back();
  const Verdict verdict = verdict_of(test_case);
  EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
  EXPECT_EQ(verdict.status, Status::InnerNullptr);
  EXPECT_THAT(verdict.rules, testing::ElementsAre("G-11"));
}

TEST(OperatorCalls, PassNullPointersWhereTheCaseHasNothing) {
  Case test_case = operator_case({.api = Api::Conv3DBackpropFilterV2, .format = Format::Ndhwc});
  test_case.attributes->data_format.reset();
  EXPECT_EQ(verdict_of(test_case).outcome, Outcome::Agree);
  test_case.attributes->filter_size.reset();
  const Verdict verdict = verdict_of(test_case);
  EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
  EXPECT_EQ(verdict.status, Status::ParamNullptr);
}

TEST(OperatorCalls, AreSkippedWithTheNameOfTheFunctionThatTheTargetLacks) {
  const auto target = fake_library()->new_target();
  const Verdict verdict = cases::check(*target, operator_case(OperatorCall{}), {});
  EXPECT_EQ(verdict.outcome, Outcome::Skipped);
  EXPECT_EQ(verdict.reason, "the target has no gradproofConv3DBackpropInputV2GetWorkspaceSize");
}

OperatorCall tiling_call() { return {.api = Api::Conv3DBpInputTiling}; }

TEST(TilingCalls, AnswerWhatTheRulesSay) {
  Case test_case = operator_case(tiling_call());
  Verdict verdict = verdict_of(test_case);
  EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
  EXPECT_EQ(verdict.status, Status::Success);
  test_case.attributes->strides->back() = 64;
  verdict = verdict_of(test_case);
  EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
  EXPECT_EQ(verdict.status, Status::TilingRefused);
  EXPECT_THAT(verdict.rules, testing::Contains("TI-06"));
}

TEST(TilingCalls, RefuseShapesThatContradictEachOther) {
  Case test_case = operator_case(tiling_call());
  test_case.weight->shape[0] += 1;
  const Verdict verdict = verdict_of(test_case);
  EXPECT_EQ(verdict.outcome, Outcome::Agree) << verdict.reason;
  EXPECT_EQ(verdict.status, Status::TilingRefused);
}

TEST(TilingCalls, AreSkippedWhereTheTargetLacksTheClass) {
  const auto target = fake_library()->new_target();
  const Verdict verdict = cases::check(*target, operator_case(tiling_call()), {});
  EXPECT_EQ(verdict.outcome, Outcome::Skipped);
  EXPECT_EQ(verdict.reason, "the target has no gradproofConv3DBpInputTiling");
}

TEST(TilingCalls, SayWhatNoSetterCanBeTold) {
  Case test_case = operator_case(tiling_call());
  test_case.groups = 2;
  EXPECT_THAT(verdict_of(test_case).reason, HasSubstr("no setter"));
}

}  // namespace
}  // namespace gradproof::targets
