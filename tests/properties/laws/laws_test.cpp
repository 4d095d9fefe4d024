#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "corpus/case_json.h"
#include "corpus/element_values.h"
#include "properties/cases/generators/random_case.h"
#include "properties/cases/generators/valid_case.h"
#include "properties/cases/laws/law.h"
#include "properties/cases/shrink/shrink.h"
#include "properties/targets/session/loaded_library.h"
#include "properties/targets/target/target.h"
#include "tests/properties/laws/law_cases.h"
#include "tests/support/fake_cann.h"
#include "tests/support/scratch_folder.h"

namespace gradproof::cases {

/// Where GoogleTest looks for it.
void PrintTo(const Law& law, std::ostream* out) { *out << law.name; }

namespace {

using corpus::Case;
using corpus::Outcome;
using corpus::Verdict;

std::string name_of(const testing::TestParamInfo<Law>& info) {
  return std::string(info.param.name);
}

/// FLOAT throughout, in a mode that the fake computes in: where the oracle is asked, its own alone.
bool is_for_the_fake(const Law& law, const Case& test_case) {
  if (test_case.grad_weight && test_case.grad_weight->dtype != corpus::DataType::Float)
    return false;
  const bool asks_oracle = law.name == "schedule_bound" || law.name == "path_independence";
  return test_case.cube_math_type == 0 || (test_case.cube_math_type != 2 && !asks_oracle);
}

class EachLaw : public testing::TestWithParam<Law> {};
INSTANTIATE_TEST_SUITE_P(Table, EachLaw, testing::ValuesIn(laws().begin(), laws().end()), name_of);

/// Every product, type, rank and layout that the generator draws.
TEST_P(EachLaw, HoldsOnTheSimulatedBackendAndMostlySaysSomething) {
  const auto library = targets::LoadedLibrary::load({});
  ASSERT_TRUE(library) << library.error();
  const auto target = (*library)->new_target();
  Selection selection;
  selection.max_macs = 100'000;
  // GRADPROOF_LAW_CASES: a longer look.
  const char* wanted = std::getenv("GRADPROOF_LAW_CASES");
  const bool makes_a_thousand_calls = GetParam().name == "many_calls_before";
  const std::size_t usual = makes_a_thousand_calls ? 30 : 300;
  const std::size_t count = wanted != nullptr ? std::stoul(wanted) : usual;
  const auto cases = cases_of(GetParam(), selection, 5, count);
  ASSERT_EQ(cases.size(), count);
  std::map<std::string, int> silent;
  std::size_t agreed = 0;
  for (const Case& test_case : cases) {
    const Verdict verdict = check_law(GetParam(), *target, test_case, {});
    EXPECT_EQ(verdict.law, GetParam().name);
    ASSERT_NE(verdict.outcome, Outcome::Disagree) << verdict.reason << "\n"
                                                  << corpus::to_json_line(test_case);
    if (verdict.outcome == Outcome::Agree) ++agreed;
    if (verdict.outcome != Outcome::Agree) ++silent[verdict.reason];
  }
  EXPECT_GE(agreed * 100, count * 60) << testing::PrintToString(silent);
  if (std::getenv("GRADPROOF_MEASURE") != nullptr) {
    std::printf("%s: %zu of %zu agreed; %s\n", std::string(GetParam().name).c_str(), agreed, count,
                testing::PrintToString(silent).c_str());
  }
}

TEST_P(EachLaw, HoldsOnAPlainLoopOverDoubles) {
  const auto target =
      targets::fake_library(targets::fake_api_with_operators(), targets::Misbehaviour::None)
          ->new_target();
  Selection selection;
  selection.products = {corpus::Product::Ascend910B};
  selection.dtypes = {corpus::DataType::Float};
  selection.max_macs = 5'000;
  for (const Case& test_case : cases_of(GetParam(), selection, 6, 60)) {
    if (!is_for_the_fake(GetParam(), test_case)) continue;
    const Verdict verdict = check_law(GetParam(), *target, test_case, {});
    ASSERT_NE(verdict.outcome, Outcome::Disagree) << verdict.reason << "\n"
                                                  << corpus::to_json_line(test_case);
  }
  EXPECT_EQ(targets::fake_cann().live_objects(), 0);
}

TEST_P(EachLaw, SaysNothingOfACallWithoutData) {
  const auto target = targets::fake_library()->new_target();
  const auto source = CaseSource::of(legal_calls());
  EXPECT_EQ(check_law(GetParam(), *target, (*source)(1, 1), {}).outcome, Outcome::Skipped);
  EXPECT_EQ(targets::fake_cann().phase_one_calls, 0);
}

/// A fault and a law that detects it.
struct Broken {
  const char* law;
  targets::Misbehaviour misbehaviour;
};
void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.law; }
constexpr Broken broken_laws[] = {
    {"scaling", targets::Misbehaviour::AddOneToGradInput},
    {"batch_additivity", targets::Misbehaviour::BiasMissesLastSample},
    {"adjoint", targets::Misbehaviour::DoubleGradWeight},
    {"forward_adjoint", targets::Misbehaviour::DoubleForward},
    {"group_independence", targets::Misbehaviour::IgnoreGroups},
    {"one_group_at_a_time", targets::Misbehaviour::IgnoreGroups},
    {"lifting", targets::Misbehaviour::LoseLastTapIn1D},
    {"transposed_duality", targets::Misbehaviour::LoseLastSampleIfTransposed},
    {"channel_permutation", targets::Misbehaviour::LoseLastChannel},
    {"batch_permutation", targets::Misbehaviour::CountFirstSampleTwice},
    {"translation", targets::Misbehaviour::LoseFirstColumn},
    {"padding_as_zeros", targets::Misbehaviour::LosePaddingEnd},
    {"mask_independence", targets::Misbehaviour::LoseGradWeightWithoutGradInput},
    {"strided_as_contiguous", targets::Misbehaviour::IgnoreStrides},
    {"offset_independence", targets::Misbehaviour::IgnoreOffset},
    {"format_independence", targets::Misbehaviour::DoubleGradWeightOfNd},
    {"mode_independence", targets::Misbehaviour::DoubleGradWeightInOtherModes},
    {"bias_mode_independence", targets::Misbehaviour::RoundBiasInOtherModes},
    {"determinism", targets::Misbehaviour::VaryFromCallToCall},
    {"executor_reuse", targets::Misbehaviour::SkipSecondUseOfExecutor},
    {"input_purity", targets::Misbehaviour::WriteIntoInput},
    {"workspace_independence", targets::Misbehaviour::ReadWorkspace},
    {"larger_workspace", targets::Misbehaviour::DoubleWithLargerWorkspace},
    {"workspace_alignment", targets::Misbehaviour::DoubleWithUnalignedWorkspace},
    {"data_between_phases", targets::Misbehaviour::ReadDataInPhaseOne},
    {"data_between_phases", targets::Misbehaviour::ReadBeforeStream},
    {"rebound_addresses", targets::Misbehaviour::IgnoreNewAddresses},
    {"default_stream", targets::Misbehaviour::DoubleOnDefaultStream},
    {"phases_on_two_threads", targets::Misbehaviour::DoubleOnAnotherThread},
    {"used_memory", targets::Misbehaviour::KeepFiniteOutputs},
    {"foreign_call_before", targets::Misbehaviour::KeepPaddingOfCallBefore},
    {"alternating_calls", targets::Misbehaviour::KeepGradOutputOfCallBefore},
    {"alternating_calls", targets::Misbehaviour::KeepWindowsOfSameShapes},
    {"alternating_calls", targets::Misbehaviour::KeepMaskOfSameShapes},
    {"many_calls_before", targets::Misbehaviour::ForgetShapeAfterManyCalls},
    {"two_host_threads", targets::Misbehaviour::DoubleWherePlannedByTwoThreads},
    {"many_streams", targets::Misbehaviour::MixUpStreams},
    {"no_leak", targets::Misbehaviour::LeakDeviceMemory},
    {"schedule_determinism", targets::Misbehaviour::ShowScheduleInBits},
    {"schedule_bound", targets::Misbehaviour::LoseSumInSomeSchedules},
    {"path_independence", targets::Misbehaviour::DoublePlainPath},
    {"operator_equivalence", targets::Misbehaviour::MistakeOperatorLayout},
};

/// Moving a map by a stride of a million would take gigabytes.
TEST(DerivedCalls, AreLeftOutWhereTheyAreTooLarge) {
  const auto read = corpus::parse_case(
      R"({"id":"far","source":"test","api":"aclnnConvolutionBackward","soc":"Ascend950",)"
      R"("gradOutput":{"shape":[1,4,3,11,20],"dtype":"FLOAT","format":"NCDHW"},)"
      R"("input":{"shape":[1,2,1,8,7],"dtype":"FLOAT","format":"NCDHW"},)"
      R"("weight":{"shape":[2,2,1,1,1],"dtype":"FLOAT","format":"NCDHW"},"biasSizes":[4],)"
      R"("stride":[1000000,2,3],"padding":[0,2,0],"dilation":[1,1,1],"transposed":true,)"
      R"("outputPadding":[2,0,1],"groups":2,"outputMask":[true,true,true],"cubeMathType":0,)"
      R"("gradInput":{"shape":[1,2,1,8,7],"dtype":"FLOAT","format":"NCDHW"},)"
      R"("gradWeight":{"shape":[2,2,1,1,1],"dtype":"FLOAT","format":"NCDHW"},)"
      R"("gradBias":{"shape":[4],"dtype":"FLOAT","format":"ND"},"deterministic":true})");
  ASSERT_TRUE(read) << read.error().key << read.error().problem;
  const Law* const translation = law_named("translation");
  ASSERT_NE(translation, nullptr);
  const auto target = targets::fake_library()->new_target();
  int too_large = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {  // which axis is moved follows from the data
    Case test_case = *read;
    test_case.data = grid_up_to(1, 1, 1);
    test_case.data->seed = seed;
    const Verdict verdict = check_law(*translation, *target, test_case, {});
    EXPECT_NE(verdict.outcome, Outcome::Disagree) << verdict.reason;
    if (verdict.reason == "a call that the law needs is too large") ++too_large;
  }
  EXPECT_GT(too_large, 0);
}

/// A product of one element of each tensor, along one axis or two.
Case one_product(bool is_plane) {
  std::string text =
      R"({"id":"pair","source":"test","api":"aclnnConvolutionBackward","soc":"Ascend910B",)"
      R"("gradOutput":{"shape":[1,1,1],"dtype":"FLOAT","format":"NCL"},)"
      R"("input":{"shape":[1,1,1],"dtype":"FLOAT","format":"NCL"},)"
      R"("weight":{"shape":[1,1,1],"dtype":"FLOAT","format":"NCL"},"biasSizes":[1],)"
      R"("stride":[1],"padding":[0],"dilation":[1],"transposed":false,"outputPadding":[0],)"
      R"("groups":1,"outputMask":[true,true,false],"cubeMathType":0,)"
      R"("gradInput":{"shape":[1,1,1],"dtype":"FLOAT","format":"NCL"},)"
      R"("gradWeight":{"shape":[1,1,1],"dtype":"FLOAT","format":"NCL"},"gradBias":null,)"
      R"("deterministic":false,"data":{"distribution":"listed","gradOutput":[[[0,0,0],2]],)"
      R"("input":[[[0,0,0],3]],"weight":[[[0,0,0],5]]}})";
  if (is_plane) {
    for (const auto& [line, plane] :
         std::map<std::string, std::string>{{"[1,1,1]", "[1,1,1,1]"},
                                            {"[0,0,0]", "[0,0,0,0]"},
                                            {"NCL", "NCHW"},
                                            {"\"stride\":[1]", "\"stride\":[1,1]"},
                                            {"ding\":[0]", "ding\":[0,0]"},
                                            {"\"dilation\":[1]", "\"dilation\":[1,1]"}}) {
      for (auto at = text.find(line); at != std::string::npos; at = text.find(line, at + 8)) {
        text.replace(at, line.size(), plane);
      }
    }
  }
  const auto read = corpus::parse_case(text);
  EXPECT_TRUE(read) << text;
  return read ? *read : Case{};
}

/// Each function alone may be right about another convolution than the one asked for.
TEST(ForwardAndBackward, ContradictEachOtherInASentence) {
  const auto contradiction = [](const std::string& function) {
    return function +
           " and aclnnConvolutionBackward contradict each other: the inner product of "
           "output and gradOutput is 60, that of gradInput and input is 30";
  };
  const Law& law = *law_named("forward_adjoint");
  auto api = targets::fake_api_with_operators();
  const auto reason = [&](bool is_plane) {
    const auto target =
        targets::fake_library(api, targets::Misbehaviour::DoubleForward)->new_target();
    return check_law(law, *target, one_product(is_plane), {}).reason;
  };
  EXPECT_EQ(reason(false), contradiction("aclnnConvolution"));
  api.forward = api.backward;
  EXPECT_EQ(reason(false), "all inner products are 30");
  EXPECT_EQ(reason(true), contradiction("aclnnConvDepthwise2d"));
  api.depthwise = api.backward;
  EXPECT_EQ(reason(true), "all inner products are 30");
  const auto without = targets::fake_library()->new_target();
  EXPECT_EQ(check_law(law, *without, one_product(false), {}).reason,
            "the target has no aclnnConvolution");
}

TEST(LawTable, HasAFaultForEveryLaw) {
  std::set<std::string_view> names, seeded;
  for (const Law& law : laws()) {
    EXPECT_TRUE(names.insert(law.name).second) << law.name;
    EXPECT_FALSE(law.words.empty());
    EXPECT_EQ(law_named(law.name), &law);
  }
  for (const Broken& broken : broken_laws) seeded.insert(broken.law);
  EXPECT_EQ(names, seeded);
  EXPECT_EQ(law_named("gravity"), nullptr);
}

class BrokenLaw : public testing::TestWithParam<Broken> {};
INSTANTIATE_TEST_SUITE_P(Seeded, BrokenLaw, testing::ValuesIn(broken_laws), [](const auto& info) {
  const bool is_first = info.index == 0 || broken_laws[info.index - 1].law != info.param.law;
  return std::string(info.param.law) + (is_first ? "" : std::to_string(info.index));
});

TEST_P(BrokenLaw, FiresAndShrinksToFewElements) {
  const Law& law = *law_named(GetParam().law);
  const auto target =
      targets::fake_library(targets::fake_api_with_operators(), GetParam().misbehaviour)
          ->new_target();
  Selection selection;
  selection.products = {corpus::Product::Ascend910B};
  selection.dtypes = {corpus::DataType::Float};
  selection.max_macs = 5'000;
  const auto check_case = [&](const Case& test_case) {
    return check_law(law, *target, test_case, {});
  };
  for (const Case& test_case : cases_of(law, selection, 7, 200)) {
    if (test_case.grad_weight && test_case.grad_weight->dtype != corpus::DataType::Float) continue;
    const bool asks_oracle = law.name == "schedule_bound" || law.name == "path_independence";
    if (asks_oracle && !is_for_the_fake(law, test_case)) continue;
    const Verdict verdict = check_case(test_case);
    if (verdict.outcome != Outcome::Disagree) continue;
    EXPECT_EQ(verdict.law, law.name);
    EXPECT_FALSE(verdict.reason.empty());
    if (GetParam().misbehaviour == targets::Misbehaviour::DoublePlainPath) {
      EXPECT_THAT(verdict.reason, testing::HasSubstr("the plain loops are wrong"));
    }
    EXPECT_THAT(verdict.kind,
                testing::AnyOf(corpus::DisagreementKind::Law, corpus::DisagreementKind::Leak,
                               corpus::DisagreementKind::Value,
                               corpus::DisagreementKind::Nondeterministic));
    const Shrunk shrunk = shrink(test_case, check_case, {std::chrono::seconds(20), nullptr});
    EXPECT_EQ(shrunk.verdict.signature(), verdict.signature());
    EXPECT_LE(corpus::non_zero_count(shrunk.test_case), 8U)
        << corpus::to_json_line(shrunk.test_case) << shrunk.verdict.reason;
    if (std::getenv("GRADPROOF_MEASURE") != nullptr) {
      std::printf("%s: %s\n  %s\n", law.name.data(), shrunk.verdict.signature().c_str(),
                  shrunk.verdict.reason.c_str());
    }
    return;
  }
  FAIL() << "the law never fired";
}

}  // namespace
}  // namespace gradproof::cases
