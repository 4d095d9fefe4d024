#include "fuzz/ascendc/ascendc_problem.h"

#include <algorithm>

#include "corpus/random_source.h"
#include "fuzz/records/case_from_bytes.h"
#include "fuzz/records/choices.h"
#include "kernel/include/lib/conv_backprop/conv3d_bp_input_tiling.h"
#include "properties/cases/calls/case_convolution.h"

namespace gradproof::fuzz {
namespace {

using cases::Convolution;
using cases::SpatialAxis;
using ConvBackpropApi::Conv3DBpInputTiling;
using ConvCommonApi::ConvDtype;
using ConvCommonApi::ConvFormat;
using ConvCommonApi::TPosition;

/// The cube works in blocks of 16 channels, whatever the call has.
constexpr CaseLimits cube_calls{500, 256};

/// Changes an axis to what GetTiling accepts: padding below the kernel's length, a short stride.
SpatialAxis tileable(SpatialAxis axis, bool is_depth) {
  constexpr std::int64_t longest_stride = 63;
  const std::int64_t positions = std::max<std::int64_t>(cases::small_length(axis), 1);
  axis.kernel = std::max<std::int64_t>(axis.kernel, 1);
  axis.stride = std::min(axis.stride, is_depth ? axis.kernel : longest_stride);
  axis.padding_begin = std::min(axis.padding_begin, axis.kernel - 1);
  axis.padding_end = std::min(axis.padding_end, axis.kernel - 1);
  const std::int64_t reach = (positions - 1) * axis.stride + (axis.kernel - 1) * axis.dilation + 1;
  axis.big = std::max<std::int64_t>(1, reach - axis.padding_begin - axis.padding_end);
  return axis;
}

std::optional<Convolution> convolution_of(CaseGenes genes) {
  genes.rank = static_cast<std::uint8_t>(place_of(ranks, 5));
  genes.groups = 0;
  genes.flags = genes.nulls = 0;
  genes.edits.clear();
  auto convolution = cases::convolution_of(case_of_genes(genes, cube_calls));
  if (!convolution) return std::nullopt;
  convolution->batch = std::max<std::int64_t>(convolution->batch, 1);
  for (std::int64_t* channels :
       {&convolution->small_channels_per_group, &convolution->big_channels_per_group}) {
    *channels = std::max<std::int64_t>(*channels, 1);
  }
  for (std::size_t i = 0; i < convolution->axes.size(); ++i) {
    convolution->axes[i] = tileable(convolution->axes[i], i == 0);
  }
  return fitted(*convolution, cube_calls);
}

std::optional<InputTiling> tiling_of(const Convolution& it, ConvDtype type) {
  const SpatialAxis &d = it.axes[0], &h = it.axes[1], &w = it.axes[2];
  const std::int64_t cout = it.small_channels_per_group, cin = it.big_channels_per_group;
  Conv3DBpInputTiling host;
  host.SetWeightType(TPosition::GM, ConvFormat::FRACTAL_Z_3D, type);
  host.SetGradOutputType(TPosition::GM, ConvFormat::NDC1HWC0, type);
  host.SetWeightShape(cout, cin, d.kernel, h.kernel, w.kernel);
  host.SetInputShape(it.batch, cin, d.big, h.big, w.big);
  host.SetGradOutputShape(it.batch, cout, cases::small_length(d), cases::small_length(h),
                          cases::small_length(w));
  host.SetPadding(d.padding_begin, d.padding_end, h.padding_begin, h.padding_end, w.padding_begin,
                  w.padding_end);
  host.SetStride(d.stride, h.stride, w.stride);
  host.SetDilation(d.dilation, h.dilation, w.dilation);
  AscendC::tiling::Conv3DBackpropInputTilingData data;
  if (host.GetTiling(data) != 0) return std::nullopt;
  return data.conv3DDxTiling;
}

/// A program enumerates at most as many.
constexpr std::size_t most_tasks = 12;

std::vector<AscendcTask> tasks_of(const InputTiling& t) {
  std::vector<AscendcTask> tasks;
  const std::uint64_t positions = std::uint64_t{t.hi} * t.wi;
  for (std::uint64_t batch = 0; batch < t.batch; ++batch) {
    for (std::uint64_t depth = 0; depth < t.di; ++depth) {
      for (std::uint64_t first = 0; first < positions; first += t.singleCoreM) {
        for (std::uint64_t block = 0; block < t.cin1; block += t.singleCoreCin / t.c0) {
          if (tasks.size() == most_tasks) return tasks;
          tasks.push_back({batch, depth, first / t.wi, std::min(t.singleCoreM, positions - first),
                           block, std::min(t.singleCoreCin, t.cin - block * t.c0)});
        }
      }
    }
  }
  return tasks;
}

std::uint64_t padded_rows(const InputTiling& t) {
  constexpr std::uint64_t fractal = 16;
  return (std::uint64_t{t.cout1G} * t.c0 + fractal - 1) / fractal * fractal;
}

/// Positions of one element: batch and channel, or output and input channel; and D, H, W.
struct Place {
  std::uint64_t outer, channel, d, h, w;
};

std::uint64_t place_in_map(const Place& at, std::uint64_t depths, std::uint64_t blocks,
                           std::uint64_t rows, std::uint64_t columns, std::uint64_t c0) {
  const std::uint64_t plane = (at.outer * depths + at.d) * blocks + at.channel / c0;
  return ((plane * rows + at.h) * columns + at.w) * c0 + at.channel % c0;
}

std::uint64_t place_in_weight(const Place& at, const InputTiling& t) {
  const std::uint64_t plane = at.d * t.cin1G + at.channel / t.c0;
  const std::uint64_t tap = (plane * t.hk + at.h) * t.wk + at.w;
  return (tap * padded_rows(t) + at.outer) * t.c0 + at.channel % t.c0;
}

/// Small enough for every sum of `cube_calls` to be exact in half.
float drawn(corpus::RandomSource& random) { return static_cast<float>(random.between(-1, 1)); }

template <typename Visit>
void for_each(std::uint64_t outer, std::uint64_t channels, std::uint64_t d, std::uint64_t h,
              std::uint64_t w, Visit&& visit) {
  const std::uint64_t count = outer * channels * d * h * w;
  for (std::uint64_t i = 0; i < count; ++i) {
    visit(Place{i / (w * h * d * channels), i / (w * h * d) % channels, i / (w * h) % d, i / w % h,
                i % w});
  }
}

void draw_operands(AscendcProblem& it, std::uint64_t seed) {
  const InputTiling& t = it.tiling;
  corpus::RandomSource random(seed, 0);
  it.grad_output.resize(std::size_t{t.batch} * t.dout * t.cout1 * t.ho * t.wo * t.c0);
  it.weight.resize(std::size_t{t.dk} * t.cin1G * t.hk * t.wk * padded_rows(t) * t.c0);
  it.grad_input.resize(std::size_t{t.batch} * t.di * t.cin1 * t.hi * t.wi * t.c0);
  for_each(t.batch, t.cout, t.dout, t.ho, t.wo, [&](const Place& at) {
    it.grad_output[place_in_map(at, t.dout, t.cout1, t.ho, t.wo, t.c0)] = drawn(random);
  });
  for_each(t.cout, t.cin, t.dk, t.hk, t.wk,
           [&](const Place& at) { it.weight[place_in_weight(at, t)] = drawn(random); });
}

/// The element that a tap of the output at `at` meets in gradInput along one axis; nullopt:
/// padding.
std::optional<std::uint64_t> met(std::uint64_t at, std::uint64_t tap, const SpatialAxis& axis) {
  const std::int64_t place = static_cast<std::int64_t>(at) * axis.stride - axis.padding_begin +
                             static_cast<std::int64_t>(tap) * axis.dilation;
  if (place < 0 || place >= axis.big) return std::nullopt;
  return static_cast<std::uint64_t>(place);
}

/// Computes gradInput by definition: each product of gradOutput and weight goes to its place.
void add_products(AscendcProblem& it) {
  const InputTiling& t = it.tiling;
  const auto& axes = it.convolution.axes;
  for_each(t.cout, t.cin, t.dk, t.hk, t.wk, [&](const Place& tap) {
    const float factor = it.weight[place_in_weight(tap, t)];
    for_each(t.batch, 1, t.dout, t.ho, t.wo, [&](const Place& at) {
      const auto d = met(at.d, tap.d, axes[0]), h = met(at.h, tap.h, axes[1]),
                 w = met(at.w, tap.w, axes[2]);
      if (!d || !h || !w) return;
      const Place from{at.outer, tap.outer, at.d, at.h, at.w};
      const Place to{at.outer, tap.channel, *d, *h, *w};
      it.grad_input[place_in_map(to, t.di, t.cin1, t.hi, t.wi, t.c0)] +=
          factor * it.grad_output[place_in_map(from, t.dout, t.cout1, t.ho, t.wo, t.c0)];
    });
  });
}

}  // namespace

std::uint64_t AscendcProblem::grad_output_slice(const AscendcTask& task) const {
  const std::int64_t expanded =
      static_cast<std::int64_t>(task.first_row) - std::int64_t{tiling.backpropPadUp};
  const std::uint64_t row =
      expanded < 0 ? 0
                   : (static_cast<std::uint64_t>(expanded) + tiling.strideH - 1) / tiling.strideH;
  const std::uint64_t plane = std::uint64_t{tiling.ho} * tiling.wo * tiling.c0;
  return task.batch * tiling.dout * tiling.cout1 * plane + row * tiling.wo * tiling.c0;
}

std::uint64_t AscendcProblem::weight_slice(const AscendcTask& task) const {
  return task.first_block * tiling.hk * tiling.wk * padded_rows(tiling) * tiling.c0;
}

std::uint64_t AscendcProblem::grad_input_slice(const AscendcTask& task) const {
  const std::uint64_t plane = std::uint64_t{tiling.hi} * tiling.wi * tiling.c0;
  return (task.batch * tiling.di * tiling.cin1 + task.first_block) * plane +
         task.first_row * tiling.wi * tiling.c0;
}

bool AscendcProblem::is_whole() const {
  std::uint64_t computed = 0;
  for (const AscendcTask& task : tasks) computed += task.positions * task.channels;
  return computed == std::uint64_t{tiling.batch} * tiling.di * tiling.hi * tiling.wi * tiling.cin;
}

std::size_t AscendcProblem::tiles(const AscendcTask& task) const {
  const auto blocks = [](std::uint64_t all, std::uint64_t part) { return (all + part - 1) / part; };
  const std::uint64_t channels = blocks(task.channels, tiling.c0) * tiling.c0;
  return blocks(task.positions, tiling.baseM) * blocks(channels, tiling.baseN);
}

bool fits_l0(const InputTiling& tiling, std::uint64_t element_bytes) {
  constexpr std::uint64_t edge = 16, l0_bytes = 65'536, l0c_bytes = 131'072;
  const auto fractals = [](std::uint64_t length) { return (length + edge - 1) / edge * edge; };
  const std::uint64_t m = fractals(tiling.baseM), n = fractals(tiling.baseN), k = tiling.baseK;
  return m * k * tiling.al0Pbuffer * element_bytes <= l0_bytes &&
         n * k * tiling.bl0Pbuffer * element_bytes <= l0_bytes &&
         m * n * tiling.cl0Pbuffer * sizeof(float) <= l0c_bytes;
}

std::optional<AscendcProblem> ascendc_problem(const CaseGenes& genes, std::uint32_t element_bytes) {
  const auto convolution = convolution_of(genes);
  if (!convolution || convolution->axes.size() != 3) return std::nullopt;
  const auto tiling =
      tiling_of(*convolution, element_bytes == 4 ? ConvDtype::FLOAT32 : ConvDtype::FLOAT16);
  if (!tiling) return std::nullopt;
  AscendcProblem problem;
  problem.convolution = *convolution;
  problem.tiling = *tiling;
  problem.tasks = tasks_of(*tiling);
  draw_operands(problem, genes.seed);
  add_products(problem);
  return problem;
}

}  // namespace gradproof::fuzz
