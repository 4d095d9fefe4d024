#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

#include "oracle/judge/comparison.h"
#include "oracle/judge/judge.h"
#include "oracle/recipes/recipe_plan.h"
#include "tests/oracle/judge/correct_kernel.h"
#include "tests/support/random_case.h"

namespace gradproof::oracle {
namespace {

using corpus::Distribution;
using corpus::Observation;
using corpus::Outcome;
using corpus::OutputRole;

enum class Corruption : std::uint8_t { OneUlp, Sign, Swap, Lost, Scaled };

/// One wrong element, or two swapped, in the bits of one output: their indices; none where this
/// corruption changes nothing there.
std::vector<std::size_t> corrupt(Random& random, Corruption corruption,
                                 std::vector<std::byte>& bits) {
  const auto count = static_cast<std::int64_t>(bits.size() / sizeof(float));
  if (count == 0) return {};
  const auto drawn = [&] { return to_size(random.in(0, count - 1)); };
  const std::size_t at = drawn(), other = drawn();
  std::vector<float> values(to_size(count));
  std::memcpy(values.data(), bits.data(), bits.size());
  const std::vector<float> before = values;
  if (corruption == Corruption::OneUlp) {
    std::uint32_t code = 0;
    std::memcpy(&code, &values[at], sizeof code);
    code += random.one_in(2) || code == 0 ? 1U : ~0U;
    std::memcpy(&values[at], &code, sizeof code);
  }
  if (corruption == Corruption::Sign) values[at] = -values[at];
  if (corruption == Corruption::Swap) std::swap(values[at], values[other]);
  if (corruption == Corruption::Lost) values[at] = 0;
  if (corruption == Corruption::Scaled) values[at] *= 0x1p61F;  // the same modulo 2^61 - 1
  if (values == before) return {};
  std::memcpy(bits.data(), values.data(), bits.size());
  return {at, corruption == Corruption::Swap ? other : at};
}

/// Random geometries and places: 1D to 3D, groups, strides, dilation, padding, transposed; judged
/// as if too large to compute whole.
TEST(EveryElement, OfALargeCallOnTheExactGridIsCheckedAndLocated) {
  Random random(26);
  JudgeSettings settings;
  settings.largest_macs = 0;
  settings.sampled_products = 0;
  int wrong = 0, by_identity = 0;
  for (int i = 0; i < 6000; ++i) {
    corpus::Case test_case =
        *with_recipe(random_case(random, {}), Distribution::ExactGrid, random.bits());
    // As small as the recipe makes them for large calls, so that their extents prove the grid.
    for (auto& fill : *test_case.data->fills) fill.magnitude = 7;
    Observation seen = observed(test_case, {}, settings);
    const auto right = judge({test_case, settings.profile}, seen, settings);
    ASSERT_NE(right.outcome, Outcome::Disagree) << right.reason;
    if (right.outcome != Outcome::Agree) continue;
    const auto role = static_cast<OutputRole>(random.in(0, 2));
    const auto& evidence = right.outputs[role];
    if (evidence.elements == 0) continue;  // not asked for
    auto& bits = seen.outputs[role].bits;
    const auto at = corrupt(random, static_cast<Corruption>(random.in(0, 4)), bits);
    if (at.empty()) continue;
    const auto verdict = judge({test_case, settings.profile}, seen, settings);
    ASSERT_EQ(verdict.outcome, Outcome::Disagree)
        << name_of(role) << ' ' << at[0] << ": " << right.reason;
    ASSERT_EQ(verdict.culprit, role);
    const auto& worst = verdict.outputs[role].worst->at;
    const auto& shape = tensor(test_case, role)->shape;
    ASSERT_TRUE(worst == coordinate(at[0], shape) || worst == coordinate(at[1], shape))
        << name_of(role) << ' ' << words(coordinate(at[0], shape)) << ", found " << words(worst)
        << ": " << verdict.reason;
    ++wrong;
    if (right.reason.find("by a linear identity") != std::string::npos) ++by_identity;
  }
  EXPECT_GT(wrong, 1000);
  EXPECT_GT(by_identity, 500);
}

}  // namespace
}  // namespace gradproof::oracle
