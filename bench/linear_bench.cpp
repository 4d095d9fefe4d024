// The complete check of large calls: processor time of the verdict on every element of three
// gradients, and of drawing the three inputs once, for the convolutions of ResNet-50 at batch 32.
// The simulated device's own time is not part of either.

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <array>
#include <memory>
#include <string>

#include "bench/oracle_layers.h"
#include "bench/process_usage.h"
#include "corpus/element_values.h"
#include "oracle/judge/judge.h"
#include "oracle/recipes/recipe_plan.h"
#include "properties/cases/generators/valid_case.h"
#include "properties/targets/session/loaded_library.h"
#include "properties/targets/target/library.h"
#include "properties/targets/target/target.h"

namespace gradproof::bench {
namespace {

using corpus::Case;

/// Number of times that each of resnet50_layers occurs in the network: 53 convolutions.
constexpr std::array<int, 20> occurrences{1, 4, 1, 3, 2, 1, 1, 4, 4, 3,
                                          1, 1, 6, 6, 5, 1, 1, 3, 3, 2};

constexpr std::int64_t usual_batch = 32;

Case call_of(const SquareConvolution& layer, std::int64_t batch) {
  cases::Convolution sizes;
  sizes.batch = batch;
  sizes.small_channels_per_group = layer.filters;
  sizes.big_channels_per_group = layer.channels;
  const auto along = decltype(sizes.axes)::value_type{.big = layer.edge,
                                                      .kernel = layer.kernel,
                                                      .stride = layer.stride,
                                                      .padding_begin = layer.padding(),
                                                      .padding_end = layer.padding()};
  sizes.axes = {along, along};
  return *oracle::with_recipe(cases::plain_case(sizes, cases::Frame{}),
                              corpus::Distribution::ExactGrid, 7);
}

struct Seconds {
  double check = 0, draw = 0;
};

/// Sums over the whole network, as far as its layers have been measured.
Seconds network;

Seconds measured(benchmark::State& state, const SquareConvolution& layer, std::int64_t batch) {
  static const std::shared_ptr<const targets::Library> library = *targets::LoadedLibrary::load({});
  const Case test_case = call_of(layer, batch);
  const auto seen = library->new_target()->run_case(test_case);
  Seconds result;
  for (auto _ : state) {
    const double begin = processor_seconds();
    const auto verdict = oracle::judge({test_case, oracle::Profile::Documented}, seen, {});
    result.check = processor_seconds() - begin;
    state.SetIterationTime(result.check);
    if (verdict.reason.find("by a linear identity") == std::string::npos) {
      state.SkipWithError(verdict.reason.c_str());
    }
  }
  const double begin = processor_seconds();
  for (const auto role : corpus::input_roles) {
    benchmark::DoNotOptimize(corpus::element_values(test_case, role));
  }
  result.draw = processor_seconds() - begin;
  state.counters["draw_s"] = result.draw;
  state.counters["of_draw"] = result.check / result.draw;
  state.counters["peak_MB"] = peak_megabytes();
  return result;
}

void layer_at(benchmark::State& state, const SquareConvolution& layer, std::int64_t batch,
              int times) {
  const Seconds seconds = measured(state, layer, batch);
  network.check += times * seconds.check;
  network.draw += times * seconds.draw;
}

/// Reports the whole network's time, the sum of its layers'; at most ten seconds are wanted.
void whole_network(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(network.check);
  state.counters["draw_s"] = network.draw;
  state.counters["of_draw"] = network.check / network.draw;
}

template <typename Function>
void add(const std::string& name, Function function) {
  benchmark::RegisterBenchmark(("linear/" + name).c_str(), function)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(1);
}

void add_all() {
  for (std::size_t i = 0; i < resnet50_layers.size(); ++i) {
    const auto& [name, sizes] = resnet50_layers.at(i);
    add(name, [sizes = sizes, times = occurrences.at(i)](benchmark::State& state) {
      layer_at(state, sizes, usual_batch, times);
    });
  }
  add("resnet50_all", whole_network);
  for (const std::int64_t batch : {8, 32, 128}) {
    add(fmt::format("growth/{}", batch), [batch](benchmark::State& state) {
      measured(state, {.channels = 64, .filters = 64, .edge = 56, .kernel = 3}, batch);
    });
  }
}

}  // namespace
}  // namespace gradproof::bench

int main(int count, char** arguments) {
  gradproof::bench::add_all();
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
