// What a call in a child process costs over the same call in this one.

#include <benchmark/benchmark.h>

#include <memory>

#include "oracle/recipes/recipe_plan.h"
#include "properties/cases/check/check.h"
#include "properties/cases/generators/valid_case.h"
#include "properties/targets/isolation/isolated_library.h"
#include "properties/targets/session/loaded_library.h"
#include "properties/targets/target/library.h"
#include "properties/targets/target/target.h"

namespace {

using namespace gradproof;

corpus::Case small_case() {
  cases::Convolution sizes;
  sizes.batch = 2;
  sizes.small_channels_per_group = 2;
  sizes.big_channels_per_group = 3;
  sizes.axes = {{.big = 5, .kernel = 2},
                {.big = 6, .kernel = 3, .padding_begin = 1, .padding_end = 1}};
  corpus::Case test_case = cases::plain_case(sizes, cases::Frame{});
  test_case.id = "small";
  return *oracle::with_recipe(test_case, corpus::Distribution::ExactGrid, 7);
}

/// Isolated first: a child must not inherit a library that this process has loaded.
const auto isolated = targets::IsolatedLibrary::load({});

void run_case_of(benchmark::State& state, const std::shared_ptr<const targets::Library>& library) {
  const auto target = library->new_target();
  const corpus::Case test_case = small_case();
  for (auto _ : state) benchmark::DoNotOptimize(target->run_case(test_case));
}

void check_of(benchmark::State& state, const std::shared_ptr<const targets::Library>& library) {
  const auto target = library->new_target();
  const corpus::Case test_case = small_case();
  for (auto _ : state) benchmark::DoNotOptimize(cases::check(*target, test_case, {}));
}

/// Checks the runs of one case at once, as the campaign does. Time is that of all of them.
void check_together_of(benchmark::State& state,
                       const std::shared_ptr<const targets::Library>& library) {
  const auto target = library->new_target();
  const std::vector<corpus::Case> cases(2, small_case());
  for (auto _ : state) {
    const auto seen = target->run_cases(cases);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      benchmark::DoNotOptimize(cases::judged({cases[i], oracle::Profile::Documented}, seen[i], {}));
    }
  }
}

const auto inside = [] { return *targets::LoadedLibrary::load({}); };

void round_trip(benchmark::State& state) {
  const auto target = (*isolated)->new_target();
  target->run_case(small_case());  // free_memory asks for the current device
  for (auto _ : state) benchmark::DoNotOptimize(target->free_memory());
}
void run_case_isolated(benchmark::State& state) { run_case_of(state, *isolated); }
void run_case_in_process(benchmark::State& state) { run_case_of(state, inside()); }
void check_isolated(benchmark::State& state) { check_of(state, *isolated); }
void check_in_process(benchmark::State& state) { check_of(state, inside()); }
void check_two_isolated(benchmark::State& state) { check_together_of(state, *isolated); }
void check_two_in_process(benchmark::State& state) { check_together_of(state, inside()); }

BENCHMARK(round_trip)->UseRealTime();
BENCHMARK(run_case_isolated)->UseRealTime();
BENCHMARK(run_case_in_process)->UseRealTime();
BENCHMARK(check_isolated)->UseRealTime();
BENCHMARK(check_in_process)->UseRealTime();
BENCHMARK(check_two_isolated)->UseRealTime();
BENCHMARK(check_two_in_process)->UseRealTime();

}  // namespace
