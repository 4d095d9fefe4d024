#include "properties/findings/diagnosis/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>

#include "corpus/case_json.h"
#include "oracle/geometry/workload.h"
#include "properties/cases/generators/random_case.h"
#include "properties/cases/shrink/shrink.h"
#include "properties/findings/hypotheses/products.h"
#include "properties/findings/hypotheses/witness.h"
#include "properties/targets/target/target.h"
#include "tests/support/fake_cann.h"

namespace gradproof::findings {
namespace {

using corpus::Case;
using corpus::Outcome;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

bool is_float(const std::optional<corpus::TensorCase>& tensor) {
  return !tensor || tensor->dtype == corpus::DataType::Float;
}

/// Case `index` of a seed where the fake can compute it.
std::optional<Case> float_case(const cases::CaseSource& source, std::uint64_t index) {
  Case test_case = source(77, index);
  const bool computable = test_case.cube_math_type == 0 && oracle::mac_count(test_case) != 0 &&
                          is_float(test_case.grad_weight) && is_float(test_case.grad_input);
  return computable ? std::optional(std::move(test_case)) : std::nullopt;
}

cases::CaseSource small_cases() {
  cases::Selection selection;
  selection.kind = cases::Kind::Valid;
  selection.products = {corpus::Product::Ascend910B};
  selection.dtypes = {corpus::DataType::Float};
  selection.max_macs = 20'000;
  return *cases::CaseSource::of(selection);
}

/// A call with one axis calls it l; to the fake it is w.
std::vector<std::string> with_w_for_l(std::vector<std::string> sentences) {
  for (std::string& sentence : sentences) {
    for (const auto& [from, to] :
         {std::pair<std::string, std::string>{"_l", "_w"}, {"along l", "along w"}}) {
      for (auto at = sentence.find(from); at != std::string::npos; at = sentence.find(from)) {
        sentence.replace(at, from.size(), to);
      }
    }
  }
  return sentences;
}

struct Diagnosed {
  Case shrunk;
  std::vector<std::string> sentences;
};

/// The first failure of each output that a library shows: shrunk and explained.
std::map<corpus::OutputRole, Diagnosed> diagnosed(targets::Target& target) {
  const cases::CaseSource source = small_cases();
  const auto check_case = [&](const Case& test_case) {
    return cases::check(target, test_case, {});
  };
  std::map<corpus::OutputRole, Diagnosed> found;
  for (std::uint64_t i = 0; i < 3'000 && found.size() < 2; ++i) {
    const auto test_case = float_case(source, i);
    if (!test_case) continue;
    for (const Case& run : cases::runs_of({*test_case, oracle::Profile::Documented}, {})) {
      const auto verdict = check_case(run);
      if (verdict.outcome != Outcome::Disagree || !verdict.culprit) continue;
      if (found.contains(*verdict.culprit)) continue;
      const cases::Shrunk shrunk =
          cases::shrink(run, check_case, {std::chrono::seconds(20), nullptr});
      found[*verdict.culprit] = {shrunk.test_case,
                                 diagnosis_of(target, shrunk.test_case, run, shrunk.verdict, {})};
    }
  }
  return found;
}

struct Needing {
  const char* name;
  targets::Misbehaviour misbehaviour;
  const char* need;
};
void PrintTo(const Needing& needing, std::ostream* out) { *out << needing.name; }

class NeedsOfAFailure : public testing::TestWithParam<Needing> {};

TEST_P(NeedsOfAFailure, AreSaidWhereAPlainerCallAgrees) {
  const auto target = targets::fake_library(GetParam().misbehaviour)->new_target();
  const auto found = diagnosed(*target);
  ASSERT_FALSE(found.empty()) << "never found";
  for (const auto& [role, result] : found) {
    EXPECT_THAT(result.sentences, Contains(HasSubstr(GetParam().need)))
        << corpus::to_json_line(result.shrunk);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Seeded, NeedsOfAFailure,
    testing::Values(Needing{"OneSample", targets::Misbehaviour::OnlyFirstSample,
                            "needs batch 2 (1 agrees)"},
                    Needing{"PlaceOfALostProduct", targets::Misbehaviour::OnlyFirstSample,
                            "gradOutput's is the last batch item of 2"},
                    Needing{"Groups", targets::Misbehaviour::IgnoreGroups, "groups 2 (1 agrees)"},
                    Needing{"Offset", targets::Misbehaviour::IgnoreOffset, "offset"},
                    Needing{"Strides", targets::Misbehaviour::IgnoreStrides, "(contiguous agrees)"},
                    Needing{"Workspace", targets::Misbehaviour::ReadWorkspace,
                            "gradInput depends on what the workspace held before the call"}),
    [](const auto& info) { return info.param.name; });

struct Seeded {
  const char* name;
  targets::Misbehaviour misbehaviour;
  const char* in_grad_input;  ///< what the diagnosis must name; null: not seeded there
  const char* in_grad_weight = in_grad_input;
};
void PrintTo(const Seeded& seeded, std::ostream* out) { *out << seeded.name; }

class Diagnosis : public testing::TestWithParam<Seeded> {};

TEST_P(Diagnosis, NamesTheSeededQuantity) {
  const auto target = targets::fake_library(GetParam().misbehaviour)->new_target();
  const auto found = diagnosed(*target);
  EXPECT_FALSE(found.empty()) << "never found";
  for (const auto& [role, result] : found) {
    if (std::getenv("GRADPROOF_MEASURE") != nullptr) {
      for (const auto& sentence : result.sentences) {
        std::printf("%s: %s\n", GetParam().name, sentence.c_str());
      }
    }
    const bool is_input = role == corpus::OutputRole::GradInput;
    const char* expected = role == corpus::OutputRole::GradBias ? "batch item of gradOutput"
                           : is_input                           ? GetParam().in_grad_input
                                                                : GetParam().in_grad_weight;
    ASSERT_NE(expected, nullptr) << corpus::name_of(role);
    EXPECT_THAT(with_w_for_l(result.sentences), Contains(HasSubstr(expected)))
        << corpus::to_json_line(result.shrunk);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Seeded, Diagnosis,
    testing::Values(
        Seeded{"DilationForStride", targets::Misbehaviour::TakeDilationForStride,
               "dilation_w taken for stride_w"},
        Seeded{"StrideForDilation", targets::Misbehaviour::TakeStrideForDilation,
               "stride_w taken for dilation_w"},
        Seeded{"ExchangeStrideAndDilation", targets::Misbehaviour::ExchangeStrideAndDilation,
               "stride_w and dilation_w exchanged"},
        Seeded{"SwapStrides", targets::Misbehaviour::SwapStrides, "stride_h"},
        Seeded{"IgnorePadding", targets::Misbehaviour::IgnorePadding, "padding_w ignored"},
        Seeded{"PaddingOneTooLarge", targets::Misbehaviour::PaddingOneTooLarge,
               "padding_h one too large"},
        Seeded{"LastColumn", targets::Misbehaviour::LoseLastColumn, "the last"},
        Seeded{"PaddingEnd", targets::Misbehaviour::LosePaddingEnd, "the last"},
        Seeded{"OutputPadding", targets::Misbehaviour::LoseOutputPadding, "output_padding"},
        Seeded{"FirstTap", targets::Misbehaviour::LoseFirstTap, "the first tap along w"},
        Seeded{"FirstSample", targets::Misbehaviour::OnlyFirstSample,
               "every batch item but the first"},
        Seeded{"LastChannelOfGroups", targets::Misbehaviour::LoseLastChannelOfGroups,
               "of each group"},
        Seeded{"Groups", targets::Misbehaviour::IgnoreGroups, "groups ignored"},
        Seeded{"FlipKernel", targets::Misbehaviour::FlipKernel, "kernel flipped"},
        Seeded{"Doubled", targets::Misbehaviour::DoubleGradients, "result doubled"},
        Seeded{"Negated", targets::Misbehaviour::NegateGradients, "result negated"},
        Seeded{"HalfProducts", targets::Misbehaviour::RoundProductsToHalf,
               "each product rounded to HF32 (10 bits)"},
        Seeded{"Hf32", targets::Misbehaviour::RoundInputsToHf32, "cubeMathType 1 taken for 0"},
        Seeded{"TruncatedHf32", targets::Misbehaviour::TruncateInputsToHf32,
               "inputs truncated to HF32 (11 bits)"},
        Seeded{"HalfResults", targets::Misbehaviour::RoundResultsToHalf,
               "sums rounded to HF32 (10 bits)"},
        Seeded{"TailBeyondEight", targets::Misbehaviour::LoseTailBeyondEight, "last multiple of 8"},
        Seeded{"BetweenStrides", targets::Misbehaviour::LoseColumnsBetweenStrides,
               "between the strides of"},
        Seeded{"NegativeHalf", targets::Misbehaviour::RoundNegativeGradOutputToHalf,
               "negative elements of gradOutput alone rounded to"},
        Seeded{"AddedToOld", targets::Misbehaviour::AddToOutputs,
               "gradInput is added to what was in it", "gradWeight is added to what was in it"},
        Seeded{"Unwritten", targets::Misbehaviour::LeaveGradInputUnwritten, "nothing written",
               nullptr},
        Seeded{"BiasSample", targets::Misbehaviour::BiasMissesLastSample, nullptr, nullptr}),
    [](const auto& info) { return info.param.name; });

/// A fault that no single hypothesis explains: nothing is said of the whole.
TEST(DiagnosisOfNoise, NamesNothing) {
  const auto target =
      targets::fake_library(targets::Misbehaviour::VaryFromCallToCall)->new_target();
  for (const auto& [role, result] : diagnosed(*target)) {
    EXPECT_THAT(result.sentences, Not(Contains(HasSubstr("equals the exact result"))))
        << testing::PrintToString(result.sentences);
  }
}

TEST(DiagnosisOfACorrectLibrary, NamesNothing) {
  const auto target = targets::fake_library()->new_target();
  const cases::CaseSource source = small_cases();
  std::size_t tried = 0;
  for (std::uint64_t i = 0; tried < 20; ++i) {
    const auto test_case = float_case(source, i);
    if (!test_case) continue;
    const Case run = cases::runs_of({*test_case, oracle::Profile::Documented}, {}).front();
    corpus::Verdict claimed;
    claimed.outcome = Outcome::Disagree;
    claimed.kind = corpus::DisagreementKind::Value;
    claimed.law = "exactness";
    claimed.culprit = corpus::OutputRole::GradInput;
    EXPECT_THAT(diagnosis_of(*target, run, run, claimed, {}), IsEmpty())
        << corpus::to_json_line(run);
    ++tried;
  }
}

/// Two readings of one formula: the pairs that meet, and the exact sums.
TEST(ProductsOf, AreThoseOfTheExactGradient) {
  const auto target = targets::fake_library()->new_target();
  const cases::CaseSource source = small_cases();
  std::size_t compared = 0;
  for (std::uint64_t i = 0; compared < 40; ++i) {
    const auto test_case = float_case(source, i);
    if (!test_case) continue;
    const Case run = cases::runs_of({*test_case, oracle::Profile::Documented}, {}).front();
    for (const auto role : {corpus::OutputRole::GradInput, corpus::OutputRole::GradWeight}) {
      const auto witness = diagnosis::observe(*target, run, role, {});
      if (!witness) continue;
      std::map<std::size_t, double> sums;
      for (const auto& product :
           diagnosis::products_of(witness->geometry, role, witness->grad_output, witness->other)) {
        sums[product.output] += oracle::to_double(witness->grad_output[product.grad_output]) *
                                oracle::to_double(witness->other[product.other]);
      }
      const auto* computed = reinterpret_cast<const float*>(witness->observed.bits.data());
      for (std::size_t k = 0; k < witness->observed.bits.size() / sizeof(float); ++k) {
        ASSERT_EQ(sums.contains(k) ? sums[k] : 0.0, static_cast<double>(computed[k]))
            << corpus::to_json_line(run);
      }
      EXPECT_THAT(diagnosis::wrong_products(*witness), IsEmpty());
      ++compared;
    }
  }
}

TEST(DiagnosisOfAStatus, NamesTheRuleTheExpectedAndTheActualAnswer) {
  cases::Selection selection;
  selection.rules = {"STRIDE-01"};
  selection.products = {corpus::Product::Ascend910B};
  const Case test_case = (*cases::CaseSource::of(selection))(1, 0);
  corpus::Verdict verdict;
  verdict.outcome = Outcome::Disagree;
  verdict.kind = corpus::DisagreementKind::Status;
  verdict.status = corpus::Status::Success;
  verdict.admitted = {corpus::Status::ParamInvalid};
  const auto target = targets::fake_library()->new_target();
  const auto sentences = diagnosis_of(*target, test_case, test_case, verdict, {});
  EXPECT_THAT(sentences, Contains(HasSubstr("expected 161002")));
  EXPECT_THAT(sentences, Contains(HasSubstr("rule STRIDE-01")));
  EXPECT_THAT(sentences, Contains(HasSubstr("is not enforced")));
}

}  // namespace
}  // namespace gradproof::findings
