#include "properties/findings/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "properties/findings/results/deviations.h"

namespace gradproof::findings {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

ReportFinding finding(std::string signature, std::uint64_t cases, std::vector<std::string> symptoms,
                      std::string case_text = "{}") {
  ReportFinding made;
  made.signature = std::move(signature);
  made.cases = cases;
  made.symptoms = std::move(symptoms);
  made.case_text = std::move(case_text);
  return made;
}

const ReportFinding dx = finding("disagree-value-exactness-gradInput", 40,
                                 {"gradInput", "gradWeight"}, "{ }"),
                    dw = finding("disagree-value-exactness-gradWeight", 30,
                                 {"gradWeight", "gradInput"}, "{  }"),
                    dw_alone = finding("disagree-value-exactness-gradWeight", 50, {"gradWeight"}),
                    adjoint =
                        finding("disagree-law-adjoint-gradWeight", 7,
                                {"disagree-law-adjoint-gradWeight", "gradInput", "gradWeight"});

TEST(Causes, AreOneWhereEachCaseShowsTheOther) {
  const auto found = one_for_each_cause({dw, adjoint, dx});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].signature, dx.signature) << "the smallest speaks, a law last";
  EXPECT_EQ(found[0].cases, 77U);
  ASSERT_THAT(found[0].others, SizeIs(2));
  EXPECT_EQ(found[0].others[0].signature, dw.signature) << "most cases first";
  EXPECT_EQ(found[0].others[0].cases, 30U);
}

TEST(Causes, AreTwoWhereOneCaseAloneShowsTheOther) {
  const auto found = one_for_each_cause({dx, dw_alone, adjoint});
  ASSERT_THAT(found, SizeIs(2)) << "a law that both break must not join them";
  EXPECT_EQ(found[0].signature, dw_alone.signature);
  EXPECT_EQ(found[0].cases, 57U) << "the law stands behind what has the most cases";
  EXPECT_EQ(found[1].cases, 40U);
}

ReportFinding with_picture(ReportFinding of, std::uint64_t products) {
  of.picture.emplace().product_count = products;
  of.picture_signature = of.signature;
  return of;
}

TEST(Causes, ShowAPictureThatOneOfThemHas) {
  const auto borrowed = one_for_each_cause({dx, with_picture(dw, 2)});
  ASSERT_THAT(borrowed, SizeIs(1));
  EXPECT_EQ(borrowed[0].picture_signature, dw.signature);
  EXPECT_EQ(one_for_each_cause({with_picture(dx, 0), with_picture(dw, 2)})[0].picture_signature,
            dx.signature)
      << "its own stays";
  const auto best = one_for_each_cause({dx, with_picture(dw, 0), with_picture(adjoint, 3)});
  ASSERT_THAT(best, SizeIs(1));
  EXPECT_EQ(best[0].picture_signature, adjoint.signature) << "one with products shows more";
  EXPECT_FALSE(one_for_each_cause({dx, dw})[0].picture);
}

TEST(Causes, DoNotDependOnTheOrder) {
  std::vector<ReportFinding> findings{
      adjoint, dx, dw_alone, finding("disagree-nan-exactness-gradInput", 2, {"gradInput"}),
      finding("disagree-status-status-161002", 40, {"status 161002"})};
  const auto by_signature = [](const ReportFinding& a, const ReportFinding& b) {
    return a.signature < b.signature;
  };
  const auto names = [](const std::vector<ReportFinding>& all) {
    std::vector<std::string> text;
    for (const auto& one : all) {
      text.push_back(one.signature);
      for (const auto& other : one.others) text.push_back("  " + other.signature);
    }
    return text;
  };
  const auto expected = names(one_for_each_cause(findings));
  EXPECT_THAT(expected, SizeIs(5));
  std::ranges::sort(findings, by_signature);
  do {
    EXPECT_EQ(names(one_for_each_cause(findings)), expected);
  } while (std::next_permutation(findings.begin(), findings.end(), by_signature));
}

TEST(Causes, OfAStatusAreOneWhicheverLawWasAsked) {
  auto by_law = finding("disagree-status-adjoint-161002", 3, {"status 161002"}, "");
  by_law.breaks_law = true;
  const auto found = one_for_each_cause(
      {by_law, finding("disagree-status-status-161002", 9, {"status 161002"}, "{long}"),
       finding("disagree-status-status-561000", 1, {"status 561000"})});
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].signature, "disagree-status-status-161002");
  EXPECT_EQ(found[0].cases, 12U);
}

TEST(Causes, AreOneWhereOneFaultExplainsBoth) {
  auto value = finding("disagree-value-exactness-gradInput", 9, {"gradInput"});
  auto status = finding("disagree-status-status-0", 3, {"status 0"});
  value.diagnosis = {
      "gradInput equals the exact result with cubeMathType 2 taken for 0 (tested on "
      "22 cases, 21 of them wrong)"};
  status.diagnosis = {
      "the status equals the right one with cubeMathType 2 taken for 0 (tested on "
      "25 calls, 6 of them wrong)"};
  EXPECT_THAT(one_for_each_cause({value, status}), SizeIs(1));
  // A fault that right runs contradict is a guess.
  value.diagnosis = {
      "gradInput equals the exact result with cubeMathType 2 taken for 0 (on all 3 "
      "wrong cases; 2 of 4 right ones would show it as well, so it takes more to "
      "bring it about)"};
  EXPECT_THAT(one_for_each_cause({value, status}), SizeIs(2));
}

ReportFinding law(const std::string& name, const std::string& output) {
  const std::string signature = "disagree-law-" + name + "-" + output;
  return finding(signature, 2, {signature});
}

TEST(Causes, OfAResultThatDiffersFromCallToCallAreOneForEachOutput) {
  const auto differs =
      finding("disagree-nondeterministic-status-gradWeight", 4, {"nondeterministic"});
  auto shorter = law("executor_reuse", "gradWeight");
  shorter.case_text = "{";
  const auto found = one_for_each_cause(
      {shorter, differs, law("determinism", "gradWeight"), law("many_streams", "gradWeight")});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NE(found[0].signature, shorter.signature) << "what differs by itself speaks";
  EXPECT_THAT(one_for_each_cause({differs, dw_alone}), SizeIs(1)) << "its values are wrong too";
  EXPECT_THAT(one_for_each_cause({differs, law("executor_reuse", "gradInput")}), SizeIs(2));
  EXPECT_THAT(one_for_each_cause({law("many_streams", "gradWeight"), law("scaling", "gradWeight")}),
              SizeIs(2));
}

TEST(Causes, OfALawThatTakesEarlierCallsIsWhatIsWrongWithItsOutputAlone) {
  auto with_a_memory = law("workspace_independence", "gradInput");
  EXPECT_THAT(one_for_each_cause({dx, with_a_memory}), SizeIs(2));
  with_a_memory.diagnosis = {
      "does not happen again alone; after this call it does (a replay makes it first)"};
  EXPECT_THAT(one_for_each_cause({dx, with_a_memory}), SizeIs(1));
  EXPECT_THAT(one_for_each_cause({dw_alone, with_a_memory}), SizeIs(2)) << "another output";
}

TEST(Causes, AreOneWhereTheSameSpecialValueGivesTheSame) {
  const auto special = [](const std::string& output, const std::string& value,
                          const std::string& computed) {
    auto made = finding("disagree-nan-exactness-" + output, 5, {output});
    made.reason = output + "[0]: computed " + computed + "; infinities and NaN follow IEEE rules";
    made.diagnosis = {"needs " + value + " in gradOutput (ordinary values agree)"};
    return made;
  };
  const auto one = special("gradInput", "a NaN", "inf (0x7f80), exact nan (0x7fc0)");
  const auto with = [&](const std::string& value, const std::string& computed) {
    return one_for_each_cause({one, special("gradBias", value, computed)}).size();
  };
  EXPECT_EQ(with("a NaN", "inf (0x7f80), exact nan (0x7fc0)"), 1U);
  EXPECT_EQ(with("a NaN", "0 (0x0000), exact nan (0x7fc0)"), 2U);
  EXPECT_EQ(with("an infinity", "inf (0x7f80), exact nan (0x7fc0)"), 2U);
}

TEST(Causes, OfFindingsThatSayNothingOfThemselvesAreTheirOwn) {
  const auto found = one_for_each_cause({finding("a", 1, {}), finding("b", 2, {})});
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].signature, "b") << "most cases first";
  EXPECT_THAT(found[0].others, IsEmpty());
}

std::uint8_t class_named(std::string_view name) {
  const auto* at = std::ranges::find(cases::call_classes, name, &cases::CallClass::name);
  return static_cast<std::uint8_t>(at - cases::call_classes.begin());
}

/// Calls of a dtype and a direction, and what a target returned to each.
void add_calls(Deviations& deviations, std::string_view dtype, std::string_view direction,
               std::uint64_t count, corpus::Status status) {
  cases::Footprint footprint;
  footprint.is_legal = true;
  cases::Classes classes{};
  std::size_t dimension = 0;
  for (std::size_t i = 0; i < cases::call_classes.size(); ++i) {
    const auto of = to_size(cases::call_classes.at(i).dimension);
    if (of == dimension) classes.at(dimension++) = static_cast<std::uint8_t>(i);
  }
  classes.at(to_size(cases::Dimension::DataType)) = class_named(dtype);
  classes.at(to_size(cases::Dimension::Direction)) = class_named(direction);
  footprint.classes = classes;
  corpus::Verdict verdict;
  verdict.status = status;
  verdict.outcome = corpus::Outcome::Agree;
  if (status != corpus::Status::Success) {
    verdict.outcome = corpus::Outcome::Disagree;
    verdict.kind = corpus::DisagreementKind::Status;
    verdict.law = "status";
  }
  for (std::uint64_t i = 0; i < count; ++i) deviations.add(footprint, verdict);
}

constexpr auto wrong = corpus::Status::ParamInvalid, right = corpus::Status::Success;

TEST(Deviations, NameTheOneClassThatIsWrongThroughout) {
  Deviations deviations;
  add_calls(deviations, "BF16", "normal", 12, wrong);
  add_calls(deviations, "BF16", "transposed", 8, wrong);
  add_calls(deviations, "FLOAT", "normal", 30, right);
  const auto place = deviations.place_of("status 161002");
  ASSERT_TRUE(place);
  EXPECT_EQ(place->classes, "BF16");
  EXPECT_EQ(place->sentence,
            "status 161002 comes exactly where a legal call is BF16: in all 20 such calls of the "
            "run, and in none of the other 30");
  add_calls(deviations, "BF16", "normal", 1, right);
  EXPECT_FALSE(deviations.place_of("status 161002")) << "one that is accepted";
}

TEST(Deviations, NameTwoClassesTogether) {
  Deviations deviations;
  add_calls(deviations, "BF16", "normal", 12, wrong);
  add_calls(deviations, "BF16", "transposed", 8, right);
  add_calls(deviations, "FLOAT", "normal", 30, right);
  EXPECT_EQ(deviations.place_of("status 161002")->classes, "BF16 and normal");
}

TEST(Deviations, NameTheClassOfAllWrongStatusesTogether) {
  Deviations deviations;
  add_calls(deviations, "BF16", "normal", 12, wrong);
  add_calls(deviations, "BF16", "transposed", 8, corpus::Status::InnerNullptr);
  add_calls(deviations, "BF16", "normal", 3, corpus::Status::InnerNullptr);
  add_calls(deviations, "FLOAT", "normal", 30, right);
  EXPECT_EQ(deviations.place_of("status 161002")->classes, "BF16");
  EXPECT_EQ(deviations.place_of("status 561103")->classes, "BF16");
}

TEST(Deviations, NameNothingByChance) {
  Deviations deviations;
  add_calls(deviations, "BF16", "normal", 7, wrong);
  add_calls(deviations, "FLOAT", "normal", 30, right);
  EXPECT_FALSE(deviations.place_of("status 161002")) << "too few";
  Deviations everything;
  add_calls(everything, "BF16", "normal", 20, wrong);
  EXPECT_FALSE(everything.place_of("status 161002")) << "nothing else was run";
  EXPECT_FALSE(everything.place_of("gradInput"));
}

TEST(Deviations, OfShardsAreThoseOfOneRun) {
  Deviations one, first, second;
  add_calls(one, "BF16", "normal", 12, wrong);
  add_calls(one, "FLOAT", "normal", 30, right);
  add_calls(first, "BF16", "normal", 12, wrong);
  add_calls(second, "FLOAT", "normal", 30, right);
  second.merge(first);
  EXPECT_EQ(second, one);
  EXPECT_THAT(second.place_of("status 161002")->sentence, HasSubstr("none of the other 30"));
}

}  // namespace
}  // namespace gradproof::findings
