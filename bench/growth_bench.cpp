// How the cost of one call grows with its size: the simulated device's time and the oracle's, over
// six decades of multiply-accumulates. Processor time of all threads, of three gradients;
// bench_plot draws it.

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <memory>

#include "bench/process_usage.h"
#include "oracle/geometry/workload.h"
#include "oracle/recipes/recipe_plan.h"
#include "properties/cases/check/check.h"
#include "properties/cases/generators/valid_case.h"
#include "properties/targets/session/loaded_library.h"
#include "properties/targets/target/library.h"
#include "properties/targets/target/target.h"

namespace gradproof::bench {
namespace {

using corpus::Case;

/// A 3x3 convolution with as many channels on both sides, on a square map.
struct Layer {
  std::int64_t channels, edge;
};
constexpr Layer layers[] = {{2, 5},   {4, 8},   {8, 8},   {8, 14},   {16, 14},   {16, 28},
                            {32, 28}, {64, 28}, {64, 56}, {128, 56}, {128, 112}, {256, 112}};

Case call_of(const Layer& layer) {
  cases::Convolution sizes;
  sizes.small_channels_per_group = sizes.big_channels_per_group = layer.channels;
  const auto along = decltype(sizes.axes)::value_type{
      .big = layer.edge, .kernel = 3, .padding_begin = 1, .padding_end = 1};
  sizes.axes = {along, along};
  const Case test_case = cases::plain_case(sizes, cases::Frame{});
  return *oracle::with_recipe(test_case, corpus::Distribution::SparseFullMantissa, 7);
}

const std::shared_ptr<const targets::Library>& library() {
  static const std::shared_ptr<const targets::Library> loaded = *targets::LoadedLibrary::load({});
  return loaded;
}

/// Measures processor seconds of one run, without what is made once.
template <typename Work>
void measure(benchmark::State& state, const Case& test_case, Work&& work) {
  if (test_case.data && oracle::mac_count(test_case).value_or(0) < 10'000'000) work();
  for (auto _ : state) {
    const double begin = processor_seconds();
    work();
    state.SetIterationTime(processor_seconds() - begin);
  }
  state.counters["MACs"] = static_cast<double>(oracle::mac_count(test_case).value_or(0));
  state.counters["peak_MB"] = peak_megabytes();
}

void kernel(benchmark::State& state, const Layer& layer) {
  const Case test_case = call_of(layer);
  const auto target = library()->new_target();
  measure(state, test_case, [&] { benchmark::DoNotOptimize(target->run_case(test_case)); });
}

void oracle_judge(benchmark::State& state, const Layer& layer) {
  const Case test_case = call_of(layer);
  const auto target = library()->new_target();
  const auto seen = target->run_case(test_case);
  measure(state, test_case, [&] {
    benchmark::DoNotOptimize(cases::judged({test_case, oracle::Profile::Documented}, seen, {}));
  });
}

/// Small calls many times, large ones once.
void add(const std::string& name, const Layer& layer,
         void (*function)(benchmark::State&, const Layer&)) {
  auto* const bench = benchmark::RegisterBenchmark(
      fmt::format("growth/{}/{}x{}", name, layer.channels, layer.edge).c_str(),
      [=](benchmark::State& state) { function(state, layer); });
  bench->UseManualTime()->Unit(benchmark::kMicrosecond);
  if (layer.channels * layer.edge > 1000) bench->Iterations(1);
}

}  // namespace
}  // namespace gradproof::bench

int main(int count, char** arguments) {
  for (const auto& layer : gradproof::bench::layers) {
    gradproof::bench::add("kernel", layer, gradproof::bench::kernel);
  }
  for (const auto& layer : gradproof::bench::layers) {
    gradproof::bench::add("oracle", layer, gradproof::bench::oracle_judge);
  }
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
