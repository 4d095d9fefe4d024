// Exact products per second of the oracle, on one core: by how many bits the operands span (which
// decides how they are added) and by reduction length, over the 20 distinct convolutions of
// ResNet-50, and over sizes from a thousand multiply-accumulates on. `items_per_second` counts
// products that meet, so that the fast and the plain way are measured by the same unit.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "bench/oracle_layers.h"
#include "oracle/gradients/accumulation.h"
#include "oracle/gradients/binned/binned_gradient.h"
#include "oracle/gradients/dense/dense_gradient.h"
#include "oracle/gradients/fast_gradients.h"
#include "oracle/gradients/gradients.h"
#include "oracle/numbers/instruction_set.h"

namespace gradproof::bench {
namespace {

using corpus::InputRole;
using corpus::OutputRole;
using namespace oracle;

/// All that FLOAT spans.
constexpr int full_span = 277;

/// Numbers of random signs and significands whose bits lie between 2^0 and 2^span.
Dense<Number> random_numbers(const Shape& shape, int span, unsigned seed) {
  std::mt19937_64 random(seed);
  const int bits = std::min(span, precision(NumberFormat::Float));
  const int exponents = span - bits + 1;
  const int lowest = std::min(-span / 2, 128 - span);  // FLOAT's numbers: others take GMP
  Dense<Number> numbers(shape);
  for (std::size_t index = 0; index < numbers.size(); ++index) {
    const std::uint64_t draw = random();
    Number& number = numbers[index];
    number.negative = (draw & 1U) != 0;
    number.significand = 1U | static_cast<std::uint32_t>(draw >> 8U & ((1U << bits) - 1));
    number.exponent = static_cast<int>(draw >> 40U) % exponents + lowest;
  }
  return numbers;
}

/// Random bit patterns of FLOAT16 that stand for finite numbers.
Dense<Number> random_float16(const Shape& shape, unsigned seed) {
  std::mt19937_64 random(seed);
  Dense<Number> numbers(shape);
  for (std::size_t index = 0; index < numbers.size(); ++index) {
    do {
      numbers[index] =
          decode(NumberFormat::Float16, static_cast<std::uint32_t>(random() & 0xFFFFU));
    } while (!numbers[index].is_finite());
  }
  return numbers;
}

struct Problem {
  Geometry geometry;
  OutputRole role = OutputRole::GradInput;
  Dense<Number> grad_output, other;

  FastGradient gradient() const { return {geometry, role, grad_output, other}; }
  std::int64_t products() const {
    std::int64_t sum = 0;
    for (const std::uint32_t terms : gradient().terms()) sum += terms;
    return sum;
  }
};

InputRole other_role(OutputRole role) {
  return role == OutputRole::GradInput ? InputRole::Weight : InputRole::Input;
}

/// gradInput of a convolution over 28x28 with 64 input channels and a reduction of this length.
Problem problem_of(std::int64_t length, int span) {
  Problem problem;
  const std::int64_t edge = length % 9 == 0 ? 3 : 1;
  problem.geometry = geometry_of(
      OracleLayer{"",
                  {.channels = 64, .filters = length / (edge * edge), .edge = 28, .kernel = edge}},
      1);
  problem.grad_output = random_numbers(problem.geometry.small_shape(), span, 1);
  problem.other = random_numbers(problem.geometry.weight_shape(), span, 2);
  return problem;
}

Problem problem_of(const OracleLayer& layer, OutputRole role) {
  Problem problem{.geometry = geometry_of(layer, 2), .role = role, .grad_output = {}, .other = {}};
  problem.grad_output = random_float16(problem.geometry.shape(InputRole::GradOutput), 1);
  problem.other = random_float16(problem.geometry.shape(other_role(role)), 2);
  return problem;
}

void measure_sums(benchmark::State& state, const Problem& problem) {
  for (auto _ : state) benchmark::DoNotOptimize(problem.gradient().sums());
  state.SetItemsProcessed(state.iterations() * problem.products());
}

/// Products per second that one core should add, or 0 where no goal is set: a machine without
/// 52-bit multiply-adds has less to reach.
double goal(int span, std::int64_t length) {
  if (length < 64) return 0;
  if (span > 62) return 1e9;
  if (span > 51) return 2.5e9;
  if (length < 576) return 0;
  return widest_instruction_set() >= InstructionSet::Avx512Ifma ? 15e9 : 5e9;
}

/// Measures sums; `of_goal` is 1 where the goal is reached.
void sums(benchmark::State& state) {
  const auto span = static_cast<int>(state.range(0));
  const Problem problem = problem_of(state.range(1), span);
  measure_sums(state, problem);
  const double wanted = goal(span, state.range(1));
  if (wanted == 0) return;
  state.counters["of_goal"] = benchmark::Counter(static_cast<double>(problem.products()) / wanted,
                                                 benchmark::Counter::kIsIterationInvariantRate);
}

/// Measures the way that suits sparse and small data, on data that are neither.
void sums_by_element(benchmark::State& state) {
  const Problem problem = problem_of(state.range(1), static_cast<int>(state.range(0)));
  for (auto _ : state) {
    const Extent left = extent_of(problem.grad_output);
    const Extent right = extent_of(problem.other);
    benchmark::DoNotOptimize(accumulated_by_element(
        problem.geometry, problem.role, {problem.grad_output, left}, {problem.other, right}));
  }
  state.SetItemsProcessed(state.iterations() * problem.products());
}

/// Measures large dense gradients as processors with fewer instructions add them.
void dense_sums(benchmark::State& state) {
  const auto instructions = static_cast<InstructionSet>(state.range(0));
  if (instructions > widest_instruction_set()) {
    return state.SkipWithError("this processor lacks the instructions");
  }
  state.SetLabel(std::string(oracle::name_of(instructions)));
  const Problem problem = problem_of(state.range(2), static_cast<int>(state.range(1)));
  const auto add = [&](const auto& accumulated) {
    for (auto _ : state) {
      const Extent left = extent_of(problem.grad_output);
      const Extent right = extent_of(problem.other);
      benchmark::DoNotOptimize(accumulated(problem.geometry, problem.role,
                                           MeasuredOperand{problem.grad_output, left},
                                           MeasuredOperand{problem.other, right}, instructions));
    }
  };
  if (state.range(1) <= 62) {
    add(dense_accumulated);
  } else {
    add(binned_accumulated);
  }
  state.SetItemsProcessed(state.iterations() * problem.products());
}

/// Times what an error bound needs in addition to the sums.
void magnitudes_and_terms(benchmark::State& state) {
  const Problem problem = problem_of(state.range(1), static_cast<int>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(problem.gradient().magnitudes());
    benchmark::DoNotOptimize(problem.gradient().terms());
  }
  state.SetItemsProcessed(state.iterations() * problem.products());
}

void plain(benchmark::State& state) {
  const Problem problem = problem_of(state.range(1), static_cast<int>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        plain_grad_input(problem.geometry, problem.grad_output, problem.other));
  }
  state.SetItemsProcessed(state.iterations() * problem.products());
}

/// Measures one edge of a square image after another, so that cost can be plotted against size.
void sums_by_size(benchmark::State& state) {
  const OracleLayer layer{"", {.channels = 16, .filters = 16, .edge = state.range(0), .kernel = 3}};
  measure_sums(state, problem_of(layer, OutputRole::GradInput));
  state.counters["macs"] = static_cast<double>(mac_count(layer, 2));
}

std::string name_of(const OracleLayer& layer, OutputRole role) {
  return std::string("resnet50/") + layer.name + (role == OutputRole::GradInput ? "/dx" : "/dw");
}

constexpr OutputRole both_roles[] = {OutputRole::GradInput, OutputRole::GradWeight};

void measure_layer(benchmark::State& state, const OracleLayer& layer, OutputRole role) {
  measure_sums(state, problem_of(layer, role));
}

/// Measures dx and dw of every layer in turn, 40 gradients, which should take a second.
void resnet50_all(benchmark::State& state) {
  std::vector<Problem> problems;
  std::int64_t products = 0;
  for (const OracleLayer& layer : resnet50_layers) {
    for (const OutputRole role : both_roles) {
      problems.push_back(problem_of(layer, role));
      products += problems.back().products();
    }
  }
  for (auto _ : state) {
    for (const Problem& problem : problems) benchmark::DoNotOptimize(problem.gradient().sums());
  }
  state.SetItemsProcessed(state.iterations() * products);
  constexpr double seconds_wanted = 1.0;
  state.counters["of_goal"] =
      benchmark::Counter(seconds_wanted, benchmark::Counter::kIsIterationInvariantRate);
}

void spans_and_lengths(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"span", "length"})->Unit(benchmark::kMillisecond);
  for (const int span : {12, 24, 40, 51, 62, full_span}) {
    for (const std::int64_t length : {9, 64, 576, 4608}) bench->Args({span, length});
  }
}

BENCHMARK(sums)->Apply(spans_and_lengths);
BENCHMARK(dense_sums)
    ->ArgNames({"instructions", "span", "length"})
    ->ArgsProduct({{0, 1, 2, 3}, {24, 40, 51, 62, full_span}, {64, 576, 4608}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(sums_by_element)->Apply(spans_and_lengths);
BENCHMARK(magnitudes_and_terms)->Apply(spans_and_lengths);
BENCHMARK(plain)
    ->ArgNames({"span", "length"})
    ->ArgsProduct({{12, full_span}, {9, 64}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(sums_by_size)->ArgName("edge")->RangeMultiplier(2)->Range(1, 512);

const bool layers_are_registered = [] {
  for (const OracleLayer& layer : resnet50_layers) {
    for (const OutputRole role : both_roles) {
      benchmark::RegisterBenchmark(name_of(layer, role).c_str(), measure_layer, layer, role)
          ->Unit(benchmark::kMillisecond);
    }
  }
  benchmark::RegisterBenchmark("resnet50_all", resnet50_all)->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace
}  // namespace gradproof::bench
