// Exact products per second of the fast oracle and of the plain one, on gradInput of a convolution
// whose reduction has a given length. `items_per_second` counts products that meet, so that both
// are measured by the same unit.

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <random>

#include "oracle/fast_gradients.h"
#include "oracle/gradients.h"

namespace gradproof::oracle {
namespace {

enum class Range : std::int64_t { Narrow, Full };

struct Problem {
  Geometry geometry;
  Dense<Number> grad_output, weight;
  std::int64_t products = 0;
};

/// Channels and kernel edge that give a reduction of this length.
std::pair<std::int64_t, std::int64_t> shape_of_reduction(std::int64_t length) {
  return length % 9 == 0 ? std::pair{length / 9, std::int64_t{3}}
                         : std::pair{length, std::int64_t{1}};
}

int precision_bits(NumberFormat format) { return precision(format) - 1; }

/// Random significands; exponents within 8 of 0, or over the format's whole range as far as
/// products stay finite.
Dense<Number> random_numbers(const Shape& shape, NumberFormat format, Range range, unsigned seed) {
  std::mt19937_64 random(seed);
  const int bits = precision_bits(format);
  const int widest = format == NumberFormat::Float16 ? 14 : 60;
  const int spread = range == Range::Narrow ? 8 : 2 * widest;
  Dense<Number> numbers(shape);
  for (std::size_t index = 0; index < numbers.size(); ++index) {
    const std::uint64_t draw = random();
    Number number;
    number.negative = (draw & 1U) != 0;
    number.significand =
        (1U << bits) | (static_cast<std::uint32_t>(draw >> 8) & ((1U << bits) - 1));
    number.exponent = static_cast<int>(draw >> 40 & 0xFFFF) % spread - spread / 2 - bits;
    numbers[index] = number;
  }
  return numbers;
}

Problem problem_of(NumberFormat format, std::int64_t length, Range range) {
  const auto [channels, edge] = shape_of_reduction(length);
  Problem problem;
  problem.geometry.batch = 1;
  problem.geometry.big_channels = 8;
  problem.geometry.small_channels = channels;
  for (const std::size_t axis : {1, 2}) {
    auto& along = problem.geometry.axes.at(axis);
    along.big = 14;
    along.small = 14;
    along.kernel = edge;
    along.padding_begin = edge / 2;
  }
  problem.grad_output = random_numbers(problem.geometry.small_shape(), format, range, 1);
  problem.weight = random_numbers(problem.geometry.weight_shape(), format, range, 2);
  const FastGradient gradient(problem.geometry, corpus::OutputRole::GradInput, problem.grad_output,
                              problem.weight);
  for (const std::uint32_t terms : gradient.terms()) problem.products += terms;
  return problem;
}

Problem problem_of(const benchmark::State& state) {
  return problem_of(static_cast<NumberFormat>(state.range(0)), state.range(1),
                    static_cast<Range>(state.range(2)));
}

void fast(benchmark::State& state) {
  const Problem problem = problem_of(state);
  for (auto _ : state) {
    const FastGradient gradient(problem.geometry, corpus::OutputRole::GradInput,
                                problem.grad_output, problem.weight);
    benchmark::DoNotOptimize(gradient.sums());
  }
  state.SetItemsProcessed(state.iterations() * problem.products);
}

void plain(benchmark::State& state) {
  const Problem problem = problem_of(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        plain_grad_input(problem.geometry, problem.grad_output, problem.weight));
  }
  state.SetItemsProcessed(state.iterations() * problem.products);
}

void formats_lengths_ranges(benchmark::internal::Benchmark* bench, std::int64_t longest) {
  bench->ArgNames({"format", "length", "range"});
  for (const auto format : {NumberFormat::Float16, NumberFormat::BFloat16, NumberFormat::Float}) {
    for (const std::int64_t length : {9, 64, 576, 4608}) {
      for (const Range range : {Range::Narrow, Range::Full}) {
        if (length > longest) continue;
        bench->Args({static_cast<std::int64_t>(format), length, static_cast<std::int64_t>(range)});
      }
    }
  }
}

BENCHMARK(fast)->Apply([](auto* bench) { formats_lengths_ranges(bench, 4608); });
BENCHMARK(plain)->Apply([](auto* bench) { formats_lengths_ranges(bench, 4608); })
    -> Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gradproof::oracle
