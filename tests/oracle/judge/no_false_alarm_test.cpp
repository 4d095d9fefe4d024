#include <fmt/core.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <map>
#include <string>

#include "corpus/case_json.h"
#include "oracle/judge/judge.h"
#include "oracle/recipes/recipe_plan.h"
#include "tests/oracle/judge/correct_kernel.h"
#include "tests/support/random_case.h"

namespace gradproof::oracle {
namespace {

using corpus::Distribution;
using corpus::Outcome;

struct Trial {
  corpus::Case test_case;
  CorrectKernel kernel;
  JudgeSettings settings;
};

corpus::Case with_random_data(Random& random, const corpus::Case& test_case) {
  constexpr std::array planned{Distribution::ExactGrid,    Distribution::SparseFullMantissa,
                               Distribution::NearOverflow, Distribution::NearUnderflow,
                               Distribution::Specials,     Distribution::Cancellation};
  const auto choice = random.in(0, 9);
  if (choice < 8) {
    return *with_recipe(test_case, planned.at(to_size(choice % 6)), random.bits());
  }
  corpus::Case result = test_case;
  if (choice == 8) {
    result.data = random_bits(random, test_case);
    return result;
  }
  result.data.emplace().seed = random.bits();
  const std::array<std::pair<double, double>, 4> intervals{
      {{-1, 1}, {0.5, 1}, {-1e-6, 1e-6}, {-300, 300}}};
  const auto& [low, high] = intervals.at(to_size(random.in(0, 3)));
  result.data->range_low = low;
  result.data->range_high = high;
  return result;
}

Trial random_trial(std::uint64_t seed) {
  Random random(seed);
  Trial trial;
  trial.test_case = with_random_data(random, random_case(random, random_mode(random)));
  trial.kernel = {.order = static_cast<Order>(random.in(0, 4)),
                  .fused = random.one_in(3),
                  .multiplies_padding = random.one_in(4),
                  .seed = random.bits()};
  if (random.one_in(4)) {
    const bool is_block = random.one_in(2);
    trial.kernel.addition = is_block ? Addition::Block : Addition::Truncated;
    trial.settings.adder = is_block ? Adder::Block : Adder::Faithful;
    trial.kernel.flushes_operands = random.one_in(2);
    trial.kernel.flushes_results = random.one_in(2);
  }
  trial.settings.profile = random.one_in(3) ? Profile::Tolerant : Profile::Documented;
  trial.settings.hf32_rounding = static_cast<Hf32Rounding>(random.in(0, 2));
  return trial;
}

/// GRADPROOF_FALSE_ALARM_SECONDS and _SEED set how long and where from.
double number_from_environment(const char* name, double otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtod(text, nullptr) : otherwise;
}

/// A disagreement with a correct kernel, whatever its order of summation, is a defect of the
/// highest priority.
TEST(Judge, NeverDisagreesWithACorrectKernel) {
  const double seconds = number_from_environment("GRADPROOF_FALSE_ALARM_SECONDS", 20);
  auto seed = static_cast<std::uint64_t>(number_from_environment("GRADPROOF_FALSE_ALARM_SEED", 1));
  const auto start = std::chrono::steady_clock::now();
  std::map<std::string, int> outcomes;
  int verdicts = 0;
  for (; std::chrono::steady_clock::now() - start < std::chrono::duration<double>(seconds);
       ++seed) {
    const Trial trial = random_trial(seed);
    const auto verdict =
        judge({trial.test_case, trial.settings.profile},
              observed(trial.test_case, trial.kernel, trial.settings), trial.settings);
    ++outcomes[std::string(name_of(verdict.outcome))];
    ++verdicts;
    ASSERT_TRUE(verdict.outcome == Outcome::Agree || verdict.outcome == Outcome::Vacuous ||
                verdict.outcome == Outcome::NotComparable)
        << "seed " << seed << ": " << verdict.reason << '\n'
        << to_json_line(trial.test_case);
  }
  fmt::print("{} verdicts:", verdicts);
  for (const auto& [name, count] : outcomes) fmt::print(" {} {}", count, name);
  fmt::print("\n");
  EXPECT_GT(outcomes["agree"], verdicts * 8 / 10);
}

}  // namespace
}  // namespace gradproof::oracle
