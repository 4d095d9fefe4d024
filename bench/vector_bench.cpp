// The kernel's innermost loops and the drawing of test data, for each instruction set that the
// processor has.

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "corpus/element_lanes.h"
#include "corpus/element_values.h"
#include "kernel/operators/vector/block_shape.h"
#include "kernel/operators/vector/vector_conversions.h"
#include "kernel/operators/vector/vector_kernels.h"

namespace gradproof::bench {
namespace {

using corpus::Lanes;
using kernel::operators::VectorConversions;
using kernel::operators::VectorKernels;

/// Begins where a line of the cache does, so that runs can be compared.
template <typename T>
struct LineAligned : std::allocator<T> {
  template <typename U>
  struct rebind {  // NOLINT(readability-identifier-naming): the standard's name
    using other = LineAligned<U>;
  };
  static constexpr std::align_val_t line{64};
  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), line));
  }
  void deallocate(T* values, std::size_t) { ::operator delete(values, line); }
};
using Floats = std::vector<float, LineAligned<float>>;
using Bytes = std::vector<std::byte, LineAligned<std::byte>>;

/// Numbers with all bits of a FLOAT in use, in [0.5, 1).
Floats numbers(std::size_t count) {
  Floats values(count);
  std::uint32_t state = 1;
  for (float& value : values) {
    state = state * 1664525U + 1013904223U;
    value = 0.5F + static_cast<float>(state >> 9) * 0x1p-24F;
  }
  return values;
}

/// Measures `rows` scalars times `vectors` vectors, `k` steps long, in the first-level cache.
void multiply(benchmark::State& state, const VectorKernels& kernels,
              VectorKernels::Multiply function, std::int64_t vectors, std::int64_t rows) {
  constexpr std::int64_t k = 96;
  const std::int64_t width = vectors * kernels.lanes;
  const auto size = [](std::int64_t count) { return to_size(count); };
  const Floats factors = numbers(size(k * width));
  const Floats scalars = numbers(size(rows * k * kernels.lanes));
  Floats sums(size(rows * width));
  std::vector<std::int64_t> vector_offsets, scalar_offsets;
  std::vector<const float*> rows_of_scalars;
  for (std::int64_t i = 0; i < k; ++i) vector_offsets.push_back(i * width);
  for (std::int64_t i = 0; i < k; ++i) scalar_offsets.push_back(i * kernels.lanes);
  for (std::int64_t i = 0; i < rows; ++i) {
    rows_of_scalars.push_back(scalars.data() + i * k * kernels.lanes);
  }
  const kernel::operators::BlockProduct product{.k = k,
                                                .vectors = factors.data(),
                                                .vector_offsets = vector_offsets.data(),
                                                .scalars = rows_of_scalars.data(),
                                                .scalar_offsets = scalar_offsets.data(),
                                                .sums = sums.data(),
                                                .row_step = width};
  for (auto _ : state) {
    function(product);
    benchmark::DoNotOptimize(sums.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * k * width * rows);
}

void add_multiplications(const std::string& set, const VectorKernels& kernels) {
  struct Shape {
    std::int64_t vectors, rows;
  };
  for (const Shape shape : {Shape{1, 1}, {1, 8}, {2, 4}, {3, 8}, {4, 2}, {4, 5}}) {
    const auto column = to_size(shape.vectors - 1);
    const auto row = to_size(shape.rows - 1);
    const auto add = [&](const char* name, const VectorKernels::ByShape& functions) {
      const VectorKernels::Multiply function = functions.at(column).at(row);
      if (function == nullptr) return;
      const auto label = fmt::format("{}/{}/{}x{}", set, name, shape.vectors, shape.rows);
      benchmark::RegisterBenchmark(label.c_str(), multiply, kernels, function, shape.vectors,
                                   shape.rows);
    };
    add("multiply", kernels.multiply);
    add("multiply_fused", kernels.multiply_fused);
  }
  benchmark::RegisterBenchmark((set + "/multiply_lanes/8").c_str(), multiply, kernels,
                               kernels.multiply_lanes.at(7), 1, 8);
  benchmark::RegisterBenchmark((set + "/multiply_lanes_fused/8").c_str(), multiply, kernels,
                               kernels.multiply_lanes_fused.at(7), 1, 8);
}

/// Measures as many rows as lanes, of a count that fills no whole number of vectors.
void add_rows_and_columns(const std::string& set, const VectorKernels& kernels) {
  constexpr std::int64_t count = 250;
  const auto rows_of = [&](const Floats& values) {
    return kernel::operators::RowMajor{
        .first = values.data(), .row_step = 256, .rows = kernels.lanes, .count = count};
  };
  const auto items = kernels.lanes * count;
  benchmark::RegisterBenchmark((set + "/transpose").c_str(), [=](benchmark::State& state) {
    const Floats values = numbers(std::size_t{256} * 16);
    Floats to(std::size_t{256} * 16);
    for (auto _ : state) {
      kernels.transpose(rows_of(values), to.data(), kernels.lanes);
      benchmark::DoNotOptimize(to.data());
      benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * items);
  });
  benchmark::RegisterBenchmark((set + "/add_rows").c_str(), [=](benchmark::State& state) {
    const Floats values = numbers(std::size_t{256} * 16);
    std::array<float, 16> sums{};
    for (auto _ : state) {
      kernels.add_rows(rows_of(values), sums.data());
      benchmark::DoNotOptimize(sums.data());
      benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * items);
  });
  benchmark::RegisterBenchmark((set + "/magnitudes").c_str(), [=](benchmark::State& state) {
    const Floats values = numbers(4000);
    const VectorConversions& conversions = conversions_of(kernels);
    for (auto _ : state) benchmark::DoNotOptimize(conversions.magnitudes(values.data(), 4000));
    state.SetItemsProcessed(state.iterations() * 4000);
  });
}

/// Registers conversions of a row of usual length, and of one that is hardly longer than a vector.
void add_conversions(const std::string& set, const VectorConversions& conversions) {
  for (const std::int64_t count : {4000, 21}) {
    const auto add = [&](const char* name, auto convert) {
      benchmark::RegisterBenchmark(
          (set + "/" + name + "/" + std::to_string(count)).c_str(), [=](benchmark::State& state) {
            const Floats values = numbers(4000);
            Bytes halves(8001);
            conversions.narrow_half(values.data(), halves.data() + 1, 4000);
            Floats to(4000);
            for (auto _ : state) {
              convert(values, halves, to, count);
              benchmark::DoNotOptimize(to.data());
              benchmark::DoNotOptimize(halves.data());
              benchmark::ClobberMemory();
            }
            state.SetItemsProcessed(state.iterations() * count);
          });
    };
    add("widen_half", [conversions](const Floats&, Bytes& halves, Floats& to, std::int64_t n) {
      conversions.widen_half(halves.data() + 1, to.data(), n);
    });
    add("widen_bfloat16", [conversions](const Floats&, Bytes& halves, Floats& to, std::int64_t n) {
      conversions.widen_bfloat16(halves.data() + 1, to.data(), n);
    });
    add("narrow_half", [conversions](const Floats& from, Bytes& halves, Floats&, std::int64_t n) {
      conversions.narrow_half(from.data(), halves.data() + 1, n);
    });
    add("narrow_bfloat16",
        [conversions](const Floats& from, Bytes& halves, Floats&, std::int64_t n) {
          conversions.narrow_bfloat16(from.data(), halves.data() + 1, n);
        });
    add("cut", [conversions](const Floats& from, Bytes&, Floats& to, std::int64_t n) {
      conversions.cut(from.data(), to.data(), n, {});
    });
  }
}

void add_drawing(const std::string& set, Lanes lanes) {
  using corpus::DataType;
  using corpus::Distribution;
  for (const DataType dtype : {DataType::Float, DataType::Float16, DataType::HiFloat8}) {
    for (const Distribution distribution :
         {Distribution::Uniform, Distribution::ExactGrid, Distribution::SparseFullMantissa}) {
      const std::string name = set + "/draw/" + std::string(corpus::name_of(dtype)) + "/" +
                               std::string(corpus::name_of(distribution));
      benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
        corpus::Case test_case;
        test_case.input = corpus::TensorCase{};
        test_case.input->dtype = dtype;
        test_case.input->shape = {4, 8, 10, 12};
        test_case.data = corpus::DataRecipe{};
        test_case.data->distribution = distribution;
        test_case.data->fills.emplace();
        for (auto _ : state) {
          benchmark::DoNotOptimize(
              corpus::element_values(test_case, corpus::InputRole::Input, lanes));
        }
        state.SetItemsProcessed(state.iterations() * 4 * 8 * 10 * 12);
      });
    }
  }
}

void add_all() {
  for (const auto instructions : kernel::operators::instruction_sets) {
    const auto* const kernels = kernel::operators::vector_kernels(instructions);
    if (kernels == nullptr) continue;
    const std::string set(kernel::operators::name_of(instructions));
    add_multiplications(set, *kernels);
    add_rows_and_columns(set, *kernels);
    add_conversions(set, kernel::operators::conversions_of(*kernels));
  }
  for (const auto lanes :
       {corpus::Lanes::None, corpus::Lanes::Baseline, corpus::Lanes::Avx2, corpus::Lanes::Avx512}) {
    if (lanes > corpus::widest_lanes()) continue;
    add_drawing(std::string(corpus::name_of(lanes)), lanes);
  }
}

}  // namespace
}  // namespace gradproof::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  gradproof::bench::add_all();
  benchmark::RunSpecifiedBenchmarks();
}
