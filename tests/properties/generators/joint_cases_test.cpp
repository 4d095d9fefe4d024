#include "properties/cases/generators/joint/joint_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "corpus/case_json.h"
#include "properties/cases/coverage/coverage.h"
#include "properties/cases/generators/random_case.h"
#include "properties/cases/generators/shares.h"

namespace gradproof::cases {
namespace {

using testing::Each;
using testing::IsEmpty;
using testing::Not;

std::vector<bool> triples_in(const std::vector<Classes>& rows) {
  std::vector<bool> met(legal_triples().size());
  for (const Classes& row : rows) {
    for_each_triple(row, [&](std::size_t place) { met[place] = true; });
  }
  return met;
}

TEST(CoveringArray, HasEachLegalTripleAndNoExcludedClasses) {
  const auto rows = covering_array(ClassSet().set());
  EXPECT_THAT(triples_in(rows), Each(true));
  for (const Classes& row : rows) {
    ClassSet classes;
    for (std::size_t i = 0; i < row.size(); ++i) {
      EXPECT_EQ(call_classes.at(row[i]).dimension, static_cast<Dimension>(i));
      classes.set(row[i]);
    }
    EXPECT_FALSE(is_excluded(classes));
  }
}

TEST(CoveringArray, KeepsToTheAdmittedClasses) {
  ClassSet admitted = ClassSet().set();
  for (std::size_t i = 0; i < call_classes.size(); ++i) {
    const auto& [dimension, name] = call_classes.at(i);
    if (dimension == Dimension::Rank) admitted.set(i, name == "rank=3");
    if (dimension == Dimension::DataType) admitted.set(i, name == "HIFLOAT8" || name == "BF16");
  }
  const auto rows = covering_array(admitted);
  ASSERT_THAT(rows, Not(IsEmpty()));
  std::set<std::uint8_t> met;
  for (const Classes& row : rows) met.insert(row.begin(), row.end());
  for (const std::uint8_t index : met) EXPECT_TRUE(admitted.test(index));
  // All but what a line, and these dtypes, exclude.
  for (std::size_t i = 0; i < call_classes.size(); ++i) {
    const std::string_view name = call_classes.at(i).name;
    const bool excluded = name == "kernel=mixed" || name == "asymmetric" || name == "Ascend310P" ||
                          name == "Ascend910";
    if (!admitted.test(i)) continue;
    EXPECT_EQ(met.contains(static_cast<std::uint8_t>(i)), !excluded) << name;
  }
}

std::vector<Frame> all_frames() { return frames_of({}).value(); }

/// Every row, drawn again and again, is a call that the oracle admits and that has its classes.
TEST(JointCases, HaveTheClassesOfTheirRows) {
  const JointCases joint(all_frames());
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    for (std::size_t row = 0; row < joint.rows().size(); ++row) {
      corpus::RandomSource random(seed, row);
      const auto problem = joint.draw(row, {}, random);
      ASSERT_TRUE(problem) << row;
      const Footprint footprint = footprint_of({*problem, oracle::Profile::Documented});
      EXPECT_TRUE(footprint.is_legal) << corpus::to_json_line(*problem);
      EXPECT_EQ(footprint.classes, joint.rows()[row]) << corpus::to_json_line(*problem);
    }
  }
}

/// Whatever the seed and wherever a run begins.
TEST(JointCases, AreAllInAnyRunOfCasesForAllTriples) {
  const JointCases joint(all_frames());
  ASSERT_LE(joint.rows().size() * shares::joint_period, cases_for_all_triples);
  for (const std::uint64_t seed : {1U, 42U}) {
    for (const std::uint64_t first : {0U, 12'345U}) {
      std::set<std::size_t> dealt;
      std::uint64_t count = 0;
      for (std::uint64_t i = 0; i < cases_for_all_triples; ++i) {
        const auto row = joint.row_at(seed, first + i);
        if (!row) continue;
        dealt.insert(*row);
        ++count;
      }
      EXPECT_EQ(dealt.size(), joint.rows().size()) << seed << ' ' << first;
      EXPECT_NEAR(static_cast<double>(count),
                  static_cast<double>(cases_for_all_triples) / shares::joint_period, 1);
    }
  }
}

TEST(JointCases, AreNoneWhereNoLegalCallIsWanted) {
  EXPECT_THAT(JointCases(std::vector<Frame>{}).rows(), IsEmpty());
  Selection invalid;
  invalid.kind = Kind::Invalid;
  const auto source = CaseSource::of(invalid);
  for (std::uint64_t i = 0; i < 500; ++i) EXPECT_NE((*source)(1, i).source, "generated");
}

TEST(JointCases, KeepToMaxMacs) {
  const JointCases joint(all_frames());
  Selection small;
  small.max_macs = 100;
  std::size_t fitting = 0;
  for (std::size_t row = 0; row < joint.rows().size(); ++row) {
    corpus::RandomSource random(1, row);
    fitting += joint.draw(row, small, random) ? 1 : 0;
  }
  EXPECT_GT(fitting, 0U);
  EXPECT_LT(fitting, joint.rows().size());
}

TEST(JointCases, CompleteTheTriplesOfADefaultRun) {
  Selection selection;
  selection.apis.assign(generated_apis.begin(), generated_apis.end());
  const auto source = CaseSource::of(selection);
  for (const std::uint64_t seed : {1U, 42U, 20'261'121U}) {
    Coverage coverage;
    for (std::uint64_t i = 0; i < cases_for_all_triples; ++i) coverage.add((*source)(seed, i));
    EXPECT_THAT(gaps_of(coverage).triples, IsEmpty()) << seed;
  }
}

/// `GRADPROOF_MEASURE=1`: the figures of docs/generation.md.
TEST(JointCases, Measure) {
  if (std::getenv("GRADPROOF_MEASURE") == nullptr) GTEST_SKIP() << "GRADPROOF_MEASURE is not set";
  const auto begin = std::chrono::steady_clock::now();
  const JointCases joint(all_frames());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf("%zu legal triples, %zu rows, %.3f s\n", legal_triples().size(), joint.rows().size(),
              seconds.count());
  Selection selection;
  selection.apis.assign(generated_apis.begin(), generated_apis.end());
  const auto source = CaseSource::of(selection);
  Coverage coverage, without;
  for (std::uint64_t i = 0; i < cases_for_all_triples; ++i) {
    const auto problem = (*source)(1, i);
    coverage.add(problem);
    if (!joint.row_at(1, i)) without.add(problem);
    if ((i + 1) % 5'000 == 0) {
      std::printf("%d cases: %d, without the array %d\n", static_cast<int>(i + 1),
                  static_cast<int>(triple_count(coverage).hit),
                  static_cast<int>(triple_count(without).hit));
    }
  }
}

}  // namespace
}  // namespace gradproof::cases
