// The answer that is kept between the questions of one input is that of the call asked about.

#include <gtest/gtest.h>

#include "corpus/random_source.h"
#include "fuzz/engine/features.h"
#include "fuzz/engine/fuzzed_library.h"
#include "fuzz/records/case_from_bytes.h"

namespace gradproof::fuzz {
namespace {

using corpus::Case;

void expect_that_of(const Case& test_case) {
  const oracle::Ruling wanted = oracle::ruling_on(test_case, judge_settings().profile);
  const oracle::Ruling& ruling = ruling_of_call(test_case);
  EXPECT_EQ(ruling.admissible.statuses, wanted.admissible.statuses);
  EXPECT_EQ(ruling.admissible.broken_rules, wanted.admissible.broken_rules);
  EXPECT_EQ(ruling.admissible.permissions, wanted.admissible.permissions);
  EXPECT_EQ(ruling.admissible.not_judged, wanted.admissible.not_judged);
  EXPECT_EQ(ruling.standings, wanted.standings);
}

/// Calls that differ in one number more from one to the next, asked about twice, the second time
/// with other data.
TEST(RulingOfCall, IsThatOfTheCallAskedAboutWhateverCameBefore) {
  corpus::RandomSource random(1, 0);
  CaseGenes genes;
  for (int i = 0; i < 2000; ++i) {
    if (random.chance(5)) genes = CaseGenes{};
    genes = mutated(genes, random);
    Case test_case = case_of_genes(genes, any_size);
    expect_that_of(test_case);
    test_case.data.emplace().seed = random.next();
    expect_that_of(test_case);
  }
}

TEST(RulingOfCall, IsNotWorkedOutAgainForOtherData) {
  Case test_case = case_of_genes(CaseGenes{}, small_calls);
  const auto* kept = ruling_of_call(test_case).standings.data();
  test_case.data.emplace().seed = 7;
  EXPECT_EQ(ruling_of_call(test_case).standings.data(), kept);
}

}  // namespace
}  // namespace gradproof::fuzz
