#include "properties/runs/probes/algorithm_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "oracle/judge/judge.h"
#include "oracle/recipes/recipe_plan.h"
#include "tests/oracle/judge/correct_kernel.h"
#include "tests/support/twins/winograd_twin.h"

// What a probe makes of right kernels in tiles, of direct ones, and of wrong ones that look alike.

namespace gradproof::runs {
namespace {

using corpus::Algorithm;
using corpus::Case;
using corpus::Observation;
using corpus::OutputRole;
using oracle::JudgeSettings;
using oracle::WinogradTwin;
using testing::HasSubstr;

FoundAlgorithms asked(const RunCase& run, const JudgeSettings& settings = {}) {
  return find_algorithms(run, settings, "Ascend910B");
}

std::vector<float> elements_of(const Observation& seen, OutputRole role) {
  const auto& bits = seen.outputs.at(static_cast<std::size_t>(role)).bits;
  std::vector<float> result(bits.size() / sizeof(float));
  if (!result.empty()) std::memcpy(result.data(), bits.data(), bits.size());
  return result;
}

void set_elements(Observation& seen, OutputRole role, const std::vector<float>& elements) {
  auto& bits = seen.outputs.at(static_cast<std::size_t>(role)).bits;
  if (!bits.empty()) std::memcpy(bits.data(), elements.data(), bits.size());
}

/// True of calls with few channels; a call of many costs a plain kernel seconds.
bool is_small(const Case& test_case) { return test_case.input->shape[1] <= 16; }

Observation refused() {
  Observation seen;
  seen.phase_one = corpus::Status::InnerNullptr;
  return seen;
}

RunCase of_twin(const WinogradTwin& twin) {
  return [twin](const Case& test_case) {
    return is_small(test_case) ? observed_in_tiles(test_case, twin, {}) : refused();
  };
}

TEST(AlgorithmProbe, FindsEachFormWhereverItsTilesBegin) {
  for (const Algorithm algorithm : {Algorithm::Winograd3x2, Algorithm::Winograd3x4,
                                    Algorithm::Winograd2x3, Algorithm::Winograd4x3}) {
    for (const bool variant : {false, true}) {
      const bool is_map = oracle::role_of(algorithm) == OutputRole::GradInput;
      const auto found = asked(of_twin({.algorithm = algorithm,
                                        .borders_directly = variant && is_map,
                                        .skips_zero_tiles = variant && !is_map,
                                        .fused = variant}));
      ASSERT_EQ(found.algorithms.size(), 1U) << name_of(algorithm);
      EXPECT_EQ(found.algorithms[0].algorithm, algorithm);
      EXPECT_TRUE(found.algorithms[0].tiles_anywhere);
      EXPECT_EQ(found.algorithms[0].least_channels, 1);
      EXPECT_THAT(found.remarks.at(0), HasSubstr(std::string(name_of(algorithm))));
    }
    const auto shifted = asked(of_twin({.algorithm = algorithm, .shift = 1}));
    ASSERT_EQ(shifted.algorithms.size(), 1U) << name_of(algorithm);
    EXPECT_EQ(shifted.algorithms[0].algorithm, algorithm);
  }
}

TEST(AlgorithmProbe, FindsNothingInDirectKernelsHoweverImprecise) {
  const auto direct = asked([](const Case& test_case) {
    return is_small(test_case) ? oracle::observed(test_case, {}, {}) : refused();
  });
  EXPECT_TRUE(direct.algorithms.empty());
  EXPECT_TRUE(direct.remarks.empty());
  EXPECT_EQ(direct.calls, 4U);
  oracle::Faults lossy;
  lossy.operand = [](corpus::InputRole, float value) { return value * (1 + 0x1p-20F); };
  const auto imprecise = asked([&](const Case& test_case) {
    return is_small(test_case) ? oracle::observed(test_case, {}, {}, lossy) : refused();
  });
  EXPECT_TRUE(imprecise.algorithms.empty());
}

/// A direct kernel with a fault in its results: `spoil` is given them and those of the call with
/// the operands as they are.
struct IndexBug {
  const char* name;
  OutputRole role;
  std::function<void(std::vector<float>&, const Case&)> spoil;
};

std::size_t row_of(const Case& test_case) {
  return static_cast<std::size_t>(test_case.grad_input->shape[3]);
}

std::vector<IndexBug> index_bugs() {
  using Elements = std::vector<float>;
  const auto map = OutputRole::GradInput, weight = OutputRole::GradWeight;
  return {
      {"reads one column too far", map,
       [](Elements& e, const Case&) {
         for (std::size_t i = e.size(); i-- > 1;) e[i] += e[i - 1];
       }},
      {"wraps around at the end of a row", map,
       [](Elements& e, const Case& c) {
         for (std::size_t i = row_of(c); i < e.size(); i += row_of(c)) e[i] += e[i - 1];
       }},
      {"shifts the taps by one", weight,
       [](Elements& e, const Case&) { std::rotate(e.begin(), e.begin() + 1, e.end()); }},
      {"turns the kernel round", weight,
       [](Elements& e, const Case&) {
         for (std::size_t i = 0; i + 9 <= e.size(); i += 9) {
           std::reverse(e.begin() + static_cast<std::ptrdiff_t>(i),
                        e.begin() + static_cast<std::ptrdiff_t>(i + 9));
         }
       }},
      {"adds another channel's result", weight,
       [](Elements& e, const Case&) {
         for (std::size_t i = 9; i < e.size(); ++i) e[i] += e[i - 9];
       }},
      {"adds one stray product, a tail's", map,
       [](Elements& e, const Case&) { e.back() += 1.2345678F; }},
      {"exchanges a product for one nearly alike", weight,
       [](Elements& e, const Case&) {
         for (std::size_t i = 4; i + 1 < e.size(); i += 9) e[i] += 1e-4F * e[i + 1];
       }},
      {"reads the bytes of its results one too far", map,
       [](Elements& e, const Case&) {
         std::memmove(e.data(), reinterpret_cast<const char*>(e.data()) + 1,
                      e.size() * sizeof(float) - 1);
       }},
      {"leaves a little of its neighbour", map,
       [](Elements& e, const Case&) {
         for (std::size_t i = e.size(); i-- > 1;) e[i] += 4e-5F * e[i - 1];
       }},
      {"leaves what was in the buffer", weight,
       [](Elements& e, const Case&) {
         for (std::size_t i = 0; i < e.size(); ++i) {
           if (e[i] == 0) e[i] = 1e-7F;
         }
       }},
  };
}

RunCase with_bug(const IndexBug& bug) {
  return [&bug](const Case& test_case) {
    if (!is_small(test_case)) return refused();
    Observation seen = oracle::observed(test_case, {}, {});
    auto elements = elements_of(seen, bug.role);
    if (!is_requested(test_case, bug.role)) return seen;
    bug.spoil(elements, test_case);
    set_elements(seen, bug.role, elements);
    return seen;
  };
}

/// A call under both recipes, and one with a product in one channel alone.
std::vector<Case> calls_to_judge() {
  const Case call = oracle::twin_case({.channels = 3, .kernels = 3});
  std::vector<Case> calls;
  for (const auto recipe : oracle::default_recipes) {
    calls.push_back(*oracle::with_recipe(call, recipe, 1));
  }
  Case& sparse = calls.emplace_back(call);
  sparse.data.emplace().distribution = corpus::Distribution::Listed;
  constexpr std::uint64_t one_and_a_half = 0x3FC00000;
  for (auto& listed : sparse.data->listed) listed = {{{0, 0, 1, 1}, one_and_a_half}};
  return calls;
}

/// What an index bug leaves where no product is looks like the signature. It must not be taken for
/// it, and must be found.
TEST(AlgorithmProbe, TakesNoIndexBugForAnAlgorithm) {
  for (const IndexBug& bug : index_bugs()) {
    const RunCase run = with_bug(bug);
    const auto found = asked(run);
    EXPECT_TRUE(found.algorithms.empty()) << bug.name;
    JudgeSettings settings;
    settings.found_algorithms = found.algorithms;
    bool is_found = false;
    for (const Case& call : calls_to_judge()) {
      const auto verdict = oracle::judge({call, settings.profile}, run(call), settings);
      is_found = is_found || verdict.outcome == corpus::Outcome::Disagree;
    }
    EXPECT_TRUE(is_found) << bug.name;
  }
}

/// The same faults in a kernel that does compute in tiles.
TEST(AlgorithmProbe, AdmitsNoWinogradKernelWithAnIndexBug) {
  for (const IndexBug& bug : index_bugs()) {
    const bool is_map = bug.role == OutputRole::GradInput;
    const WinogradTwin twin{.algorithm = is_map ? Algorithm::Winograd2x3 : Algorithm::Winograd3x2};
    const auto found = asked([&](const Case& test_case) {
      if (!is_small(test_case)) return refused();
      return observed_in_tiles(test_case, twin, {}, [&](std::vector<float>& elements) {
        bug.spoil(elements, test_case);
      });
    });
    EXPECT_TRUE(found.algorithms.empty()) << bug.name;
  }
}

TEST(AlgorithmProbe, SaysWhatContradictsADeclaration) {
  JudgeSettings settings;
  settings.algorithms = {{OutputRole::GradWeight, Algorithm::Direct},
                         {OutputRole::GradInput, Algorithm::Winograd4x3}};
  const auto found = asked(of_twin({}), settings);
  ASSERT_EQ(found.contradictions.size(), 1U);
  EXPECT_EQ(found.contradictions[0],
            "it says that gradWeight is computed by direct, and the target's results are those of "
            "winograd_f3x3_2x2");
  EXPECT_THAT(found.remarks.at(0), HasSubstr("gradInput is declared to be computed by "
                                             "winograd_f4x4_3x3"));
}

/// Two right algorithms in turn: the row of neither is admitted unless it was declared, and what is
/// said of it is true in both cases.
TEST(AlgorithmProbe, SaysThatTheAlgorithmChangesBetweenCalls) {
  const auto found_under = [](const JudgeSettings& settings) {
    int calls = 0;
    return asked(
        [&](const Case& test_case) {
          if (!is_small(test_case)) return refused();
          return ++calls % 2 == 1 ? oracle::observed(test_case, {}, {})
                                  : observed_in_tiles(test_case, WinogradTwin{}, {});
        },
        settings);
  };
  const std::string words =
      "gradWeight is not 0 where no product is, and is when the same call is asked again: its "
      "algorithm changes";
  JudgeSettings declared;
  declared.algorithms = {{OutputRole::GradWeight, Algorithm::Winograd3x2}};
  for (const JudgeSettings& settings : {JudgeSettings{}, declared}) {
    const auto found = found_under(settings);
    EXPECT_TRUE(found.algorithms.empty());
    ASSERT_FALSE(found.remarks.empty());
    EXPECT_EQ(found.remarks.back(),
              settings.algorithms.empty() ? words + "; held to sums of products" : words);
  }
}

/// A method that is taken for many channels alone is admitted there alone.
TEST(AlgorithmProbe, SaysFromHowManyChannelsOnATargetComputesSo) {
  const auto found = asked([](const Case& test_case) {
    return is_small(test_case)
               ? oracle::observed(test_case, {}, {})
               : oracle::observed_in_tiles(test_case, {.skips_zero_tiles = true}, {});
  });
  ASSERT_EQ(found.algorithms.size(), 1U);
  EXPECT_EQ(found.algorithms[0].least_channels, 5);
}

}  // namespace
}  // namespace gradproof::runs
