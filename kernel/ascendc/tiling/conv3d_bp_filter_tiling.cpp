#include "lib/conv_backprop/conv3d_bp_filter_tiling.h"

#include <algorithm>
#include <optional>
#include <string>

#include "kernel/ascendc/tiling/fields.h"
#include "kernel/ascendc/tiling/filter_blocks.h"
#include "kernel/ascendc/tiling/filter_problem.h"
#include "kernel/device/error_text.h"

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
  const auto problem = tiling::checked(request);
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
