#include "lib/conv_backprop/conv3d_bp_filter_tiling.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <fmt/core.h>
#include <tl/expected.hpp>

#include "kernel/ascendc/tiling/fields.h"
#include "kernel/ascendc/tiling/filter_search.h"
#include "kernel/ascendc/tiling/problem.h"
#include "kernel/device/error_text.h"

namespace gradproof::kernel::ascendc::tiling {
namespace {

using ConvBackpropApi::Conv3dBpFilterRequest;
using ConvBackpropApi::Conv3DBpInputAxis;
using ConvCommonApi::ConvDtype;
using ConvCommonApi::ConvFormat;
using Reason = std::optional<std::string>;
using Direction = FilterBlocks::Direction;

constexpr std::int64_t largest_extent = std::numeric_limits<std::int32_t>::max();
// Limits of the loads into L1 and L0 in a plane.
constexpr std::int64_t largest_kernel_height = 511, largest_kernel_width = 32, largest_stride = 63,
                       largest_dilation = 255, largest_pad = 255;

/// One value, and where it must lie.
struct Limit {
  std::string_view what;
  std::int64_t value, least, most;
};

Reason first_outside(std::initializer_list<Limit> limits, std::string_view along) {
  for (const Limit& limit : limits) {
    if (limit.value >= limit.least && limit.value <= limit.most) continue;
    return fmt::format("{}{} is {}; it must lie in [{}, {}]", limit.what, along, limit.value,
                       limit.least, limit.most);
  }
  return std::nullopt;
}

/// The largest values along an axis.
struct AxisLimits {
  std::int64_t kernel, stride, dilation, pad;
};

Reason axis_problem(const Conv3DBpInputAxis& a, std::string_view along, const AxisLimits& most) {
  return first_outside({{"kernel", a.kernel, 1, most.kernel},
                        {"input", a.input, 1, largest_extent},
                        {"grad output", a.output, 1, largest_extent},
                        {"stride", a.stride, 1, most.stride},
                        {"dilation", a.dilation, 1, most.dilation},
                        {"padding before", a.padBefore, 0, most.pad},
                        {"padding after", a.padAfter, 0, most.pad}},
                       along);
}

Reason extent_problem(const Conv3dBpFilterRequest& request) {
  if (auto reason = first_outside({{"batch", request.batch, 1, largest_extent},
                                   {"cin", request.cin, 1, largest_extent},
                                   {"cout", request.cout, 1, largest_extent}},
                                  "")) {
    return reason;
  }
  constexpr AxisLimits of_depth{largest_extent, largest_extent, largest_extent, largest_extent};
  constexpr AxisLimits of_height{largest_kernel_height, largest_stride, largest_dilation,
                                 largest_pad};
  constexpr AxisLimits of_width{largest_kernel_width, largest_stride, largest_dilation,
                                largest_pad};
  if (auto reason = axis_problem(request.d, " along D", of_depth)) return reason;
  if (auto reason = axis_problem(request.h, " along H", of_height)) return reason;
  return axis_problem(request.w, " along W", of_width);
}

Reason format_problem(std::string_view what, ConvFormat found, ConvFormat needed,
                      std::string_view name) {
  if (found == needed) return std::nullopt;
  return fmt::format("{} format is {}; it must be {}", what, static_cast<int>(found), name);
}

Reason formats_problem(const Conv3dBpFilterRequest& request) {
  using enum ConvFormat;
  if (auto reason = format_problem("input", request.input.format, NDC1HWC0, "NDC1HWC0")) {
    return reason;
  }
  return format_problem("weight", request.weight.format, FRACTAL_Z_3D, "FRACTAL_Z_3D");
}

std::int64_t bytes_of(ConvDtype dtype) {
  if (dtype == ConvDtype::FLOAT16 || dtype == ConvDtype::BF16) return 2;
  return dtype == ConvDtype::FLOAT32 ? 4 : 0;
}

/// The problem of dw; its backprop pads are not used.
/// Error: the first check of Conv3dBpFilterTiling::GetTiling that fails, in words. As in the
/// released class, extents are not held against each other.
tl::expected<TilingProblem, std::string> problem_of(const Conv3dBpFilterRequest& request) {
  if (auto reason = extent_problem(request)) return tl::unexpected(*reason);
  if (auto reason = formats_problem(request)) return tl::unexpected(*reason);
  const std::int64_t bytes = bytes_of(request.input.dtype);
  if (bytes == 0) {
    return tl::unexpected(fmt::format("input dtype is {}; it must be FLOAT16, BF16 or FLOAT32",
                                      static_cast<int>(request.input.dtype)));
  }
  return TilingProblem{.batch = request.batch,
                       .cin = request.cin,
                       .cout = request.cout,
                       .d = axis_of(request.d),
                       .h = axis_of(request.h),
                       .w = axis_of(request.w),
                       .element_bytes = bytes,
                       .needs_zeroed_output = true};
}

/// Result of the search.
struct FilterCut {
  FilterBlocks blocks;
  Wide bound = 0;                                   ///< elements of input in L1 at a time
  std::int64_t core_m = 0, core_n = 0, core_k = 0;  ///< one core's share of the product
};

/// Blocks of gradOutput and of input in L1.
struct Depths {
  std::int64_t left, right;
};

constexpr Depths of_both[] = {{16, 16}, {14, 14}, {12, 12}, {10, 10}, {8, 8},
                              {6, 6},   {4, 4},   {2, 2},   {1, 1}};
constexpr Depths more_of_left[] = {{8, 8}, {8, 4}, {4, 4}, {4, 2}, {2, 2}, {2, 1}, {1, 1}};
constexpr Depths more_of_right[] = {{8, 8}, {4, 8}, {4, 4}, {2, 4}, {2, 2}, {1, 2}, {1, 1}};

std::span<const Depths> ladder_of(Direction direction) {
  if (direction == Direction::MN) return of_both;
  if (direction == Direction::MK) return more_of_left;
  return more_of_right;
}

bool found_depths(FilterSearch& search) {
  search.blocks.left_buffers = search.blocks.right_buffers = 2;
  for (const Depths& depths : ladder_of(search.blocks.direction)) {
    search.blocks.step_m = search.blocks.step_n = 1;
    search.take_depths(depths.left, depths.right);
    if (search.fits()) return true;
  }
  return false;
}

/// Quotient in whole units, at least one.
std::int64_t whole(std::int64_t length, std::int64_t unit) {
  return std::max<std::int64_t>(length / unit, 1) * unit;
}

FilterCut cut_of(const FilterSearch& search) {
  const FilterBlocks& blocks = search.blocks;
  FilterCut cut{.blocks = blocks, .bound = search.bound()};
  cut.core_m = blocks.step_m * blocks.base_m;
  cut.core_n = whole(blocks.step_n * blocks.base_n, search.taps * search.c0);
  cut.core_k =
      whole(std::max(blocks.step_ka, blocks.step_kb) * blocks.base_k, search.problem.w.output);
  if (blocks.direction == Direction::MK) cut.core_n = search.n;
  if (blocks.direction == Direction::NK) cut.core_m = search.m;
  if (blocks.direction == Direction::MN) cut.core_k = search.k;
  return cut;
}

/// The published search: the deepest buffers of its ladder that fit, else smaller blocks. Nothing
/// is refused: where no block fits, the smallest is the answer.
FilterCut filter_cut_for(const TilingProblem& problem,
                         const ConvBackpropApi::PlatformInfo& platform) {
  FilterSearch search(problem, platform);
  if (!found_depths(search)) {
    shrink(search);
    search.take_depths(1, 1);
  }
  return cut_of(search);
}

}  // namespace
}  // namespace gradproof::kernel::ascendc::tiling

namespace ConvBackpropApi {
namespace {

namespace tiling = gradproof::kernel::ascendc::tiling;
using AscendC::tiling::Conv3DBackpropFilterTilingData;
using AscendC::tiling::TConv3DBpFilterTiling;
using tiling::narrowed;

constexpr int64_t cube_edge = 16;

/// Cout in whole fractals, also where a pack has only 8 channels.
int64_t cout_of_fractals(const tiling::TilingProblem& problem) {
  return (problem.cout + cube_edge - 1) / cube_edge * cube_edge;
}

void write_channels(const tiling::TilingProblem& problem, TConv3DBpFilterTiling& to) {
  to.cout1G = narrowed(cout_of_fractals(problem) / problem.c0());
  to.channelSize = narrowed(problem.c0());
}

void write_blocks(const tiling::FilterCut& cut, TConv3DBpFilterTiling& to) {
  const tiling::FilterBlocks& blocks = cut.blocks;
  to.cl0Pbuffer = narrowed(blocks.sum_buffers);
  to.al1Pbuffer = narrowed(blocks.left_buffers);
  to.bl1Pbuffer = narrowed(blocks.right_buffers);
  to.baseM = narrowed(blocks.base_m);
  to.baseK = narrowed(blocks.base_k);
  to.baseN = narrowed(blocks.base_n);
  to.m0 = to.n0 = narrowed(cube_edge);
  to.k0 = to.channelSize;
  to.stepM = narrowed(blocks.step_m), to.stepN = narrowed(blocks.step_n);
  to.stepKa = narrowed(blocks.step_ka), to.stepKb = narrowed(blocks.step_kb);
  to.iterateOrder = blocks.iterates_m_first ? 1 : 0;
  to.bl1Bound = static_cast<uint32_t>(cut.bound);
}

void write_share(const tiling::TilingProblem& problem, const tiling::FilterCut& cut,
                 TConv3DBpFilterTiling& to) {
  const int64_t pack = problem.h.kernel * problem.w.kernel * problem.c0();
  to.singleCoreDk = 1;
  to.singleCoreCout = narrowed(cut.core_m);
  to.singleCoreHo = narrowed(cut.core_k / problem.w.output);
  to.singleCoreCin = static_cast<uint64_t>(std::max<int64_t>(cut.core_n / pack, 1) * problem.c0());
}

void log(const std::string& what) {
  gradproof::kernel::device::report_error("EZ1001: Conv3dBpFilterTiling::GetTiling: " + what);
}

std::optional<Conv3DBackpropFilterTilingData> tiling_for(const Conv3dBpFilterRequest& request,
                                                         const PlatformInfo& platform) {
  const auto problem = tiling::problem_of(request);
  if (!problem) {
    log(problem.error());
    return std::nullopt;
  }
  const tiling::FilterCut cut = tiling::filter_cut_for(*problem, platform);
  Conv3DBackpropFilterTilingData data;
  tiling::write_convolution(*problem, data.dwTiling);
  write_channels(*problem, data.dwTiling);
  write_blocks(cut, data.dwTiling);
  write_share(*problem, cut, data.dwTiling);
  data.params.totalL1Size = static_cast<uint32_t>(platform.l1Size);
  data.basicBlockTiling = {narrowed(cut.core_m), narrowed(cut.core_n), narrowed(cut.core_k)};
  return data;
}

}  // namespace

int64_t Conv3dBpFilterTiling::GetTiling(optiling::Conv3DBackpropFilterTilingData& tiling) {
  const auto result = tiling_for(request_, platform_);
  if (!result) return -1;
  tiling.params.set_plain(result->params);
  tiling.dwTiling.set_plain(result->dwTiling);
  tiling.basicBlockTiling.set_plain(result->basicBlockTiling);
  return 0;
}

int64_t Conv3dBpFilterTiling::GetTiling(AscendC::tiling::Conv3DBackpropFilterTilingData& tiling) {
  const auto result = tiling_for(request_, platform_);
  if (!result) return -1;
  tiling = *result;
  return 0;
}

}  // namespace ConvBackpropApi
