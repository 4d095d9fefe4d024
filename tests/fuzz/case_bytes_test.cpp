// The bytes of fuzzers and the cases they stand for.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "corpus/case_json.h"
#include "fuzz/engine/checks.h"
#include "fuzz/engine/finding.h"
#include "fuzz/engine/fuzzed_library.h"
#include "fuzz/records/boundary_values.h"
#include "fuzz/records/case_fields.h"
#include "fuzz/records/case_from_bytes.h"
#include "fuzz/records/choices.h"
#include "oracle/status/status_oracle.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/coverage/footprint.h"
#include "properties/cases/generators/random_case.h"
#include "properties/cases/generators/violations/invalid_case.h"

namespace gradproof::fuzz {

void PrintTo(const CaseLimits& limits, std::ostream* out) {
  *out << (limits.macs == small_calls.macs ? "small calls" : "any size");
}

namespace {

using corpus::Case;
using Bytes = std::vector<std::uint8_t>;

Case with_id(Case test_case) {
  test_case.id = "fuzzed";
  return test_case;
}

/// What a record keeps of a case.
Case kept(Case test_case) {
  test_case.id.clear();
  test_case.source.clear();
  test_case.soc_exercised.reset();
  test_case.expect.reset();
  if (!test_case.data) return test_case;
  test_case.data->fills.reset();
  test_case.data->range_low = corpus::DataRecipe{}.range_low;
  test_case.data->range_high = corpus::DataRecipe{}.range_high;
  return test_case;
}

/// Several rounds of mutations of the plainest record, without edits unless wanted.
CaseGenes far_from_plain(corpus::RandomSource& random, bool edits) {
  CaseGenes genes;
  for (std::int64_t rounds = random.between(1, 12); rounds > 0; --rounds) {
    genes = mutated(genes, random);
    if (!edits) genes.edits.clear();
  }
  return genes;
}

class WithLimits : public testing::TestWithParam<CaseLimits> {};
INSTANTIATE_TEST_SUITE_P(Each, WithLimits, testing::Values(small_calls, any_size));

RC_GTEST_PROP(CaseFromBytes, MakesACaseThatCanBeWrittenOfEveryString, (const Bytes& bytes)) {
  for (const CaseLimits& limits : {small_calls, any_size}) {
    const Case test_case = replayable(case_from_bytes(bytes, limits));
    const auto again = corpus::parse_case(corpus::to_json_line(test_case));
    if (!again) RC_FAIL(again.error().text());
    RC_ASSERT(*again == test_case);
  }
}

RC_GTEST_PROP(CaseFromBytes, MakesACaseOfLongStringsToo, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(0, most_bytes + 40);
  const auto bytes = *rc::gen::container<Bytes>(size, rc::gen::arbitrary<std::uint8_t>());
  const Case test_case = replayable(case_from_bytes(bytes, small_calls));
  RC_ASSERT(corpus::parse_case(corpus::to_json_line(test_case)).has_value());
}

TEST(CaseFromBytes, MakesThePlainestLegalCallOfTheEmptyString) {
  const Case test_case = case_from_bytes({}, small_calls);
  EXPECT_TRUE(oracle::broken_rules(test_case).empty());
  EXPECT_EQ(cases::mac_count(*cases::convolution_of(test_case)), 1);
}

RC_GTEST_PROP(Genes, AreWhatTheirBytesSay, (std::uint64_t seed)) {
  corpus::RandomSource random(seed, 0);
  const CaseGenes genes = far_from_plain(random, true);
  const Bytes bytes = bytes_of_genes(genes);
  RC_ASSERT(genes_from_bytes(bytes) == genes);
  RC_ASSERT(bytes.size() <= most_bytes);
}

TEST(Genes, OfAStringAreThoseOfTheStringWithZerosBehindIt) {
  const Bytes bytes{1, 2, 3};
  Bytes longer = bytes;
  longer.resize(fixed_bytes + edit_bytes - 1);
  EXPECT_EQ(genes_from_bytes(longer), genes_from_bytes(bytes));
  EXPECT_EQ(bytes_of_genes(genes_from_bytes(longer)), bytes);
}

TEST_P(WithLimits, RecordsWithoutEditsAreConsistentAndMostlyLegal) {
  int legal = 0;
  constexpr int count = 2000;
  for (std::uint64_t index = 0; index < count; ++index) {
    corpus::RandomSource random(7, index);
    CaseGenes genes = far_from_plain(random, false);
    const Case test_case = case_of_genes(genes, GetParam());
    const auto broken = oracle::broken_rules(test_case);
    legal += broken.empty() ? 1 : 0;
    for (const auto& rule : broken) {
      EXPECT_FALSE(rule.id.starts_with("SHAPE-")) << rule.id << ": " << rule.words << '\n'
                                                  << corpus::to_json_line(with_id(test_case));
    }
  }
  EXPECT_GT(legal, count / 4);
}

TEST(RecordsWithoutEdits, StayWithinTheLimits) {
  for (std::uint64_t index = 0; index < 2000; ++index) {
    corpus::RandomSource random(11, index);
    Bytes bytes(fixed_bytes);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
    const Case test_case = case_from_bytes(bytes, small_calls);
    const auto sizes = cases::convolution_of(test_case);
    ASSERT_TRUE(sizes) << corpus::to_json_line(with_id(test_case));
    EXPECT_TRUE(is_within(*sizes, small_calls)) << corpus::to_json_line(with_id(test_case));
  }
}

TEST_P(WithLimits, BytesOfAStoredCaseStandForIt) {
  int count = 0;
  const std::filesystem::path stored = GRADPROOF_SOURCES "/corpus/cases";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(stored)) {
    if (entry.path().extension() != ".jsonl") continue;
    const auto cases = corpus::read_cases(entry.path());
    ASSERT_TRUE(cases) << cases.error().text();
    for (const Case& test_case : *cases) {
      if (test_case.api != corpus::Api::ConvolutionBackward) continue;
      if (test_case.data && test_case.data->distribution == corpus::Distribution::Listed) continue;
      const Bytes bytes = bytes_of_case(test_case, GetParam());
      EXPECT_EQ(case_from_bytes(bytes, GetParam()), kept(test_case)) << test_case.id;
      ++count;
    }
  }
  EXPECT_GT(count, 100);
}

TEST_P(WithLimits, BytesOfAGeneratedCaseStandForIt) {
  const auto source = cases::CaseSource::of({});
  ASSERT_TRUE(source);
  for (std::uint64_t index = 0; index < 3000; ++index) {
    const Case test_case = (*source)(5, index);
    const Bytes bytes = bytes_of_case(test_case, GetParam());
    ASSERT_EQ(case_from_bytes(bytes, GetParam()), kept(test_case))
        << corpus::to_json_line(test_case) << '\n'
        << corpus::to_json_line(with_id(case_from_bytes(bytes, GetParam())));
  }
}

/// Mutation alone, guided by nothing, comes to nearly every rule that the generator knows how to
/// break on purpose.
TEST(Mutation, BreaksNearlyEveryRule) {
  std::set<std::string> broken;
  for (std::uint64_t index = 0; index < 60'000; ++index) {
    corpus::RandomSource random(3, index);
    const Case test_case = case_of_genes(far_from_plain(random, true), any_size);
    for (const auto& rule : oracle::broken_rules(test_case)) broken.emplace(rule.id);
  }
  std::set<std::string> missing;
  for (const auto& row : cases::rule_breakers()) {
    if (!broken.contains(std::string(row.rule))) missing.emplace(row.rule);
  }
  EXPECT_LE(missing.size(), 4U) << fmt::format("{}", fmt::join(missing, " "));
}

TEST(Crossover, TakesEveryAxisFromOneOfTheParents) {
  corpus::RandomSource random(1, 0);
  const CaseGenes one = far_from_plain(random, true), other = far_from_plain(random, true);
  bool of_one = false, of_other = false;
  for (int i = 0; i < 64; ++i) {
    const CaseGenes child = crossed(one, other, random);
    for (std::size_t axis = 0; axis < child.axes.size(); ++axis) {
      of_one = of_one || child.axes[axis] == one.axes[axis];
      of_other = of_other || child.axes[axis] == other.axes[axis];
      EXPECT_TRUE(child.axes[axis] == one.axes[axis] || child.axes[axis] == other.axes[axis]);
    }
  }
  EXPECT_TRUE(of_one && of_other);
}

TEST(BoundaryValues, HaveBothSidesOfEveryDocumentedRange) {
  const auto values = boundary_values();
  for (const std::int64_t end : {0, 1, 63, 255, 65'535, 1'000'000}) {
    for (const std::int64_t side : {end, end + 1}) {
      EXPECT_NE(std::ranges::find(values, side), values.end()) << side;
    }
  }
}

TEST(LinkedApi, HasEveryFunctionThatACaseNeeds) {
  const targets::CannApi api = linked_api();
  for (const auto& row : targets::entry_points()) EXPECT_TRUE(row.is_present(api)) << row.name;
}

TEST(SmallCase, LeavesDataOutWhereElementsShareMemory) {
  CaseGenes genes;
  genes.batch = genes.big_channels = 3;
  EXPECT_TRUE(small_case(bytes_of_genes(genes))->data);
  constexpr std::uint8_t input = 1;
  const Edit strides{.kind = static_cast<std::uint8_t>(FieldKind::HasStrides), .owner = input};
  genes.edits.push_back(strides);  // all of them 1
  EXPECT_FALSE(small_case(bytes_of_genes(genes))->data);
}

TEST(SmallCase, LeavesDataOutWhereTheCallMustBeRefused) {
  CaseGenes genes;
  genes.batch = genes.big_channels = 3;
  genes.recipe = static_cast<std::uint8_t>(place_of(recipes, corpus::Distribution::Uniform));
  EXPECT_TRUE(small_case(bytes_of_genes(genes))->data);
  genes.edits.push_back({.kind = static_cast<std::uint8_t>(FieldKind::CubeMathType), .value = 4});
  EXPECT_FALSE(small_case(bytes_of_genes(genes))->data);
}

/// The plain formula, over shapes: sizes are counted there and in the limits.
RC_GTEST_PROP(Limits, CountWhatTheShapesCount, (std::uint64_t seed)) {
  corpus::RandomSource random(seed, 0);
  cases::Convolution it;
  const auto length = [&] { return random.chance(5) ? 0 : random.log_between(1, 1 << 16); };
  it.batch = length();
  it.groups = random.log_between(1, 1 << 16);
  it.small_channels_per_group = length();
  it.big_channels_per_group = length();
  for (std::int64_t axes = random.between(1, 3); axes > 0; --axes) {
    it.axes.push_back({.big = random.log_between(1, 1 << 20), .kernel = length()});
    it.axes.back().stride = random.log_between(1, 64);
  }
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::int64_t largest = 0;
  for (const auto& shape : {it.big_shape(), it.small_shape(), it.weight_shape()}) {
    largest = std::max(largest, corpus::element_count(shape).value_or(most));
  }
  const std::int64_t macs = cases::mac_count(it);
  RC_ASSERT(is_within(it, {macs, largest}));
  RC_ASSERT(macs == 0 || !is_within(it, {macs - 1, largest}));
  RC_ASSERT(largest == 0 || !is_within(it, {macs, largest - 1}));
}

/// Found by fuzzing: the element behind the last one of a storage as long as 64 bits allow.
TEST(StorageOfATensor, ThatEndsBeyond64BitsCannotExist) {
  corpus::TensorCase tensor;
  tensor.shape = {1};
  tensor.offset = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(corpus::storage_element_count(tensor), std::nullopt);
  tensor.offset -= 1;
  EXPECT_EQ(corpus::storage_element_count(tensor), std::numeric_limits<std::int64_t>::max());
}

/// Found by fuzzing: the output padding of a normal convolution is not read, however long it is.
TEST(Footprint, OfACallWithALongOutputPaddingReadsNothingBehindTheStrides) {
  Case test_case = case_from_bytes({}, small_calls);
  test_case.output_padding = std::vector<std::int64_t>(1000, 0);
  test_case.output_padding->back() = 1;
  test_case.stride = std::vector<std::int64_t>{1, 1};
  EXPECT_FALSE(cases::footprint_of({test_case, oracle::Profile::Documented}).is_empty);
}

TEST(RoundTrip, BreaksForACaseThatNoLineCanSay) {
  Case test_case = with_id(case_from_bytes({}, small_calls));
  EXPECT_EQ(check_round_trip(test_case).outcome, corpus::Outcome::Agree);
  test_case.soc = "no chip";
  EXPECT_EQ(check_round_trip(test_case).outcome, corpus::Outcome::Disagree);
}

}  // namespace
}  // namespace gradproof::fuzz
