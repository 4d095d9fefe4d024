// Which calls a scope holds, and what a scope file may say.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "corpus/case_json.h"
#include "oracle/geometry/geometry.h"
#include "oracle/status/status_oracle.h"
#include "properties/runs/prove/scope.h"
#include "tests/support/scratch_folder.h"

namespace gradproof::tests {
namespace {

using testing::HasSubstr;

runs::Scope small() { return *runs::scope_named("small"); }

/// Counted from the definition of the two kinds of convolution, not from the code under test.
std::uint64_t axes_by_hand(bool transposed) {
  std::uint64_t count = 0;
  for (int in = 1; in <= 4; ++in) {
    for (int k = 1; k <= 3; ++k) {
      for (int s = 1; s <= 2; ++s) {
        for (int d = 1; d <= 2; ++d) {
          for (int p = 0; p <= 2; ++p) {
            const int dilated = d * (k - 1) + 1;
            if (!transposed) count += dilated <= in + 2 * p ? 1 : 0;
            for (int op = 0; transposed && op < s; ++op) {
              count += (in - 1) * s - 2 * p + dilated + op >= 1 ? 1 : 0;
            }
          }
        }
      }
    }
  }
  return count;
}

TEST(SmallScope, HoldsEveryLegalCombination) {
  const std::uint64_t ordinary = axes_by_hand(false), transposed = axes_by_hand(true);
  // Batch 1 or 2; one group with 1 or 2 channels on both sides, or two groups with 2 and 2.
  const std::uint64_t channels = 2 * (4 + 1);
  const std::uint64_t geometries =
      channels * (ordinary + transposed + ordinary * ordinary + transposed * transposed);
  EXPECT_EQ(geometries, 461'580U);
  EXPECT_EQ(small().size(), 7 * geometries);
}

TEST(SmallScope, NumbersEachCallOnce) {
  const runs::Scope scope =
      *runs::Scope::all_in({.extents = {1, 2, 3}, .kernels = {1, 2}, .paddings = {0, 1}});
  std::set<std::string> lines;
  for (std::uint64_t n = 0; n < scope.size(); ++n) {
    lines.insert(corpus::to_json_line(runs::case_of(scope.call(n), {}, "same")));
  }
  EXPECT_EQ(lines.size(), scope.size());
}

/// A prime step, so that all axes of the enumeration are walked through.
TEST(SmallScope, HoldsLegalCallsAlone) {
  const runs::Scope scope = small();
  for (std::uint64_t n = 0; n < scope.size(); n += 397) {
    const corpus::Case test_case = runs::case_of(scope.call(n), {}, std::to_string(n));
    ASSERT_TRUE(oracle::geometry_of(test_case)) << corpus::to_json_line(test_case);
    const auto ruling = oracle::ruling_on(test_case, oracle::Profile::Documented);
    ASSERT_THAT(ruling.admissible.statuses, testing::ElementsAre(corpus::Status::Success))
        << corpus::to_json_line(test_case);
  }
}

/// What a call of the blocks chose, read off the call.
std::array<std::int64_t, 9> choices_of(const runs::CallSizes& call) {
  const runs::AxisSizes& axis = call.axes.front();
  const auto& [batch, groups, input, output] = call.channels;
  const std::int64_t kind = groups == 1 ? 2 : groups == 2 && (input != 2 || output != 2) ? 1 : 0;
  std::int64_t mask = 0;
  for (const bool asked : call.mask) mask = 2 * mask + (asked ? 1 : 0);
  return {kind,        call.transposed ? 1 : 0, input / groups, axis.kernel,
          axis.stride, axis.dilation,           axis.padding,   mask,
          batch};
}

TEST(BlockScope, HasEveryThreeChoicesTogether) {
  const runs::Scope scope = runs::block_scope();
  std::set<std::int64_t> channels;
  // Of kinds whose channels can be read off the call: depthwise layers have one in each group.
  using Triple = std::array<std::int64_t, 3>;
  std::set<Triple> attributes, with_channels;
  for (std::uint64_t n = 0; n < scope.size(); ++n) {
    const auto call = scope.call(n);
    const auto chosen = choices_of(call);
    attributes.insert({chosen[3], chosen[4], chosen[7]});
    if (call.channels.groups > 2 || chosen[0] == 0) continue;
    channels.insert(chosen[2]);
    with_channels.insert({chosen[2], call.channels.output / call.channels.groups, chosen[3]});
  }
  EXPECT_EQ(attributes.size(), 6U * 3U * 7U);
  EXPECT_EQ(channels.size(), 17U);
  EXPECT_EQ(with_channels.size(), 17U * 17U * 6U);
}

TEST(BlockScope, HasPaddingsThatDifferAtBothEnds) {
  const runs::Scope scope = runs::block_scope();
  std::set<std::vector<std::int64_t>> seen;
  int uneven = 0;
  for (std::uint64_t n = 0; n < scope.size(); ++n) {
    const corpus::Case test_case = runs::case_of(scope.call(n), {}, "");
    if (test_case.padding->size() != 4) continue;
    seen.insert(*test_case.padding);
    ++uneven;
  }
  EXPECT_THAT(seen, testing::UnorderedElementsAre(std::vector<std::int64_t>{0, 2, 1, 0},
                                                  std::vector<std::int64_t>{1, 2, 0, 1}));
  EXPECT_EQ(uneven, 2 * 6 * 3 * 2 * 2);
}

TEST(BlockScope, HoldsLegalCallsAlone) {
  const runs::Scope scope = runs::block_scope();
  EXPECT_GT(scope.size(), 17U * 17U * 6U - 1U);
  EXPECT_LT(scope.size(), 5'000U);
  for (std::uint64_t n = 0; n < scope.size(); ++n) {
    const corpus::Case test_case = runs::case_of(scope.call(n), {}, std::to_string(n));
    const auto ruling = oracle::ruling_on(test_case, oracle::Profile::Documented);
    ASSERT_THAT(ruling.admissible.statuses, testing::ElementsAre(corpus::Status::Success))
        << corpus::to_json_line(test_case);
  }
}

TEST(ScopeFile, TakesListsAndRanges) {
  const auto scope = runs::parse_scope(
      R"({"name": "mine", "axes": [2], "extents": "2..3", "kernels": [1], "strides": [1],
          "paddings": "0..0", "dilations": [1], "batch": [1], "channels": [1, 2], "groups": [1],
          "transposed": [false], "masks": "full"})");
  ASSERT_TRUE(scope) << scope.error().text();
  EXPECT_EQ(scope->name(), "mine");
  EXPECT_EQ(scope->size(), 2U * 2U * 4U);
  EXPECT_EQ(scope->call(0).mask, (std::vector{true, true, true}));
}

struct BadScope {
  const char* text;
  const char* complaint;
};
class BadScopeFile : public testing::TestWithParam<BadScope> {};

TEST_P(BadScopeFile, NamesTheCulprit) {
  const auto scope = runs::parse_scope(GetParam().text);
  ASSERT_FALSE(scope);
  EXPECT_THAT(scope.error().text(), HasSubstr(GetParam().complaint));
}

INSTANTIATE_TEST_SUITE_P(
    Prove, BadScopeFile,
    testing::Values(
        BadScope{R"({"extents": "4..1"})", "extents: 4..1 is empty"},
        BadScope{R"({"extents": [0]})", "extents: 0 is not from 1 to 1024"},
        BadScope{R"({"strides": []})", "strides: the list is empty"},
        BadScope{R"({"kernels": [1, 1]})", "kernels: a value is there twice"},
        BadScope{R"({"paddings": "0..x"})", "paddings: \"0..x\" is no range"},
        BadScope{R"({"paddings": "0..99999999"})", "paddings: 0..99999999 reaches beyond"},
        BadScope{R"({"batch": 2})", "batch"}, BadScope{R"({"stride": [1]})", "stride: unknown key"},
        BadScope{R"({"axes": [4]})", "axes: 4 is not from 1 to 3"},
        BadScope{R"({"transposed": [true, true]})", "transposed: expected"},
        BadScope{R"({"masks": "some"})", "masks: \"some\" is neither"},
        BadScope{R"({"name": "a/b"})", "name: expected letters"},
        BadScope{R"({"channels": [1], "groups": [2]})", "no call is legal"},
        BadScope{R"({"extents": "1..1024", "kernels": "1..1024", "axes": [3]})", "ways to choose"},
        BadScope{R"({"extents": "1..60", "kernels": "1..60", "axes": [3]})", "calls; the most are"},
        BadScope{R"({"batch": [1], "batch": [2]})", "duplicate key \"batch\""},
        BadScope{"{\n \"batch\": [1\n", "line 3"}, BadScope{"[1]", "expected an object"}));

TEST(ScopeFile, SaysWhichFileItIs) {
  const ScratchFolder folder;
  const auto file = folder.write("bad.json", R"({"extents": "4..1"})");
  EXPECT_THAT(runs::scope_named(file).error().text(), HasSubstr(file.string() + ": extents: "));
  EXPECT_THAT(runs::scope_named(folder.path()).error().text(), HasSubstr("is a folder"));
  EXPECT_THAT(runs::scope_named(folder / "none.json").error().text(),
              HasSubstr("is neither small nor blocks"));
}

}  // namespace
}  // namespace gradproof::tests
