#include "lib/conv_backprop/conv3d_bp_filter_tiling.h"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>

#include "kernel/ascendc/tiling/filter_blocks.h"
#include "kernel/ascendc/tiling/filter_problem.h"
#include "kernel/ascendc/tiling/platform_info.h"
#include "kernel/device/error_text.h"

namespace ConvBackpropApi {
namespace {

namespace tiling = gradproof::kernel::ascendc::tiling;
using AscendC::tiling::Conv3DBackpropFilterTilingData;
using AscendC::tiling::TConv3DBpFilterTiling;
using platform_ascendc::PlatformAscendC;

constexpr int64_t cube_edge = 16;

uint32_t narrowed(int64_t value) { return static_cast<uint32_t>(value); }

/// Cout in whole fractals, also where a pack has only 8 channels.
int64_t cout_of_fractals(const tiling::Problem& problem) {
  return (problem.cout + cube_edge - 1) / cube_edge * cube_edge;
}

void write_problem(const tiling::Problem& problem, TConv3DBpFilterTiling& to) {
  const auto& [d, h, w] = std::tie(problem.d, problem.h, problem.w);
  to.batch = narrowed(problem.batch);
  to.cin = narrowed(problem.cin), to.cin1G = narrowed(problem.cin1());
  to.cout = narrowed(problem.cout), to.cout1G = narrowed(cout_of_fractals(problem) / problem.c0());
  to.channelSize = narrowed(problem.c0());
  to.dout = narrowed(d.output), to.ho = narrowed(h.output), to.wo = narrowed(w.output);
  to.di = narrowed(d.input), to.hi = narrowed(h.input), to.wi = narrowed(w.input);
  to.dk = narrowed(d.kernel), to.hk = narrowed(h.kernel), to.wk = narrowed(w.kernel);
  to.strideD = narrowed(d.stride), to.strideH = narrowed(h.stride);
  to.strideW = narrowed(w.stride);
  to.padFront = narrowed(d.pad_before), to.padBack = narrowed(d.pad_after);
  to.padUp = narrowed(h.pad_before), to.padDown = narrowed(h.pad_after);
  to.padLeft = narrowed(w.pad_before), to.padRight = narrowed(w.pad_after);
  to.dilationD = narrowed(d.dilation), to.dilationH = narrowed(h.dilation);
  to.dilationW = narrowed(w.dilation);
  to.group = 1;
}

void write_blocks(const tiling::FilterCut& cut, TConv3DBpFilterTiling& to) {
  const tiling::FilterBlocks& blocks = cut.blocks;
  to.al0Pbuffer = to.bl0Pbuffer = 2;
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

void write_share(const tiling::Problem& problem, const tiling::FilterCut& cut,
                 TConv3DBpFilterTiling& to) {
  const int64_t pack = problem.h.kernel * problem.w.kernel * problem.c0();
  to.singleCoreDk = to.singleCoreGroup = 1;
  to.singleCoreBatch = 1;
  to.singleCoreCout = narrowed(cut.core_m);
  to.singleCoreHo = narrowed(cut.core_k / problem.w.output);
  to.singleCoreCin = static_cast<uint64_t>(std::max<int64_t>(cut.core_n / pack, 1) * problem.c0());
}

void log(const std::string& what) {
  gradproof::kernel::device::report_error("EZ1001: Conv3dBpFilterTiling::GetTiling: " + what);
}

std::optional<Conv3DBackpropFilterTilingData> tiling_for(const Conv3dBpFilterRequest& request,
                                                         const PlatformInfo& platform) {
  const auto problem = tiling::checked(request);
  if (!problem) {
    log(problem.error());
    return std::nullopt;
  }
  const tiling::FilterCut cut = tiling::filter_cut_for(*problem, platform);
  Conv3DBackpropFilterTilingData data;
  write_problem(*problem, data.dwTiling);
  write_blocks(cut, data.dwTiling);
  write_share(*problem, cut, data.dwTiling);
  data.params.totalL1Size = static_cast<uint32_t>(platform.l1Size);
  data.basicBlockTiling = {narrowed(cut.core_m), narrowed(cut.core_n), narrowed(cut.core_k)};
  return data;
}

}  // namespace

Conv3dBpFilterTilingBase::Conv3dBpFilterTilingBase() : platform_(tiling::default_platform()) {}
Conv3dBpFilterTilingBase::Conv3dBpFilterTilingBase(const PlatformAscendC& platform)
    : platform_(tiling::info_of(platform)) {}
Conv3dBpFilterTilingBase::Conv3dBpFilterTilingBase(const PlatformInfo& platform)
    : platform_(platform) {}
Conv3dBpFilterTilingBase::~Conv3dBpFilterTilingBase() = default;

void Conv3dBpFilterTilingBase::SetWeightShape(int64_t cout, int64_t cin, int64_t d, int64_t h,
                                              int64_t w) {
  request_.cout = cout;
  request_.cin = cin;
  request_.d.kernel = d;
  request_.h.kernel = h;
  request_.w.kernel = w;
}

void Conv3dBpFilterTilingBase::SetInputShape(int64_t n, int64_t c, int64_t d, int64_t h,
                                             int64_t w) {
  request_.batch = n;
  request_.cin = c;
  request_.d.input = d;
  request_.h.input = h;
  request_.w.input = w;
}

void Conv3dBpFilterTilingBase::SetGradOutputShape(int64_t n, int64_t c, int64_t d, int64_t h,
                                                  int64_t w) {
  request_.batch = n;
  request_.cout = c;
  request_.d.output = d;
  request_.h.output = h;
  request_.w.output = w;
}

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
