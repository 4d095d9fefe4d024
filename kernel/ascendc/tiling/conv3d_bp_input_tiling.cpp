#include "lib/conv_backprop/conv3d_bp_input_tiling.h"

#include <bit>
#include <optional>
#include <string>

#include "kernel/ascendc/tiling/blocks.h"
#include "kernel/ascendc/tiling/fields.h"
#include "kernel/ascendc/tiling/problem.h"
#include "kernel/device/error_text.h"

namespace ConvBackpropApi {
namespace {

namespace tiling = gradproof::kernel::ascendc::tiling;
using AscendC::tiling::TConv3DBackpropInputTiling;
using tiling::narrowed;

bool agree(int64_t before, int64_t now) { return before <= 0 || before == now; }

void write_channels(const tiling::TilingProblem& problem, TConv3DBackpropInputTiling& to) {
  const auto c0 = static_cast<uint32_t>(problem.c0());
  to.cout1 = to.cout1G = narrowed(problem.cout1());
  to.cin1 = narrowed(problem.cin1());
  to.c0 = c0;
  to.c0Bits = static_cast<uint32_t>(std::bit_width(c0) - 1);
  to.initOutputFlag = problem.needs_zeroed_output ? 1 : 0;
}

void write_backprop_pads(const tiling::TilingProblem& problem, TConv3DBackpropInputTiling& to) {
  const tiling::TilingAxis &h = problem.h, &w = problem.w;
  to.backpropPadTail = narrowed(problem.d.backprop_pad_after);
  to.backpropPadUp = narrowed(h.backprop_pad_before);
  to.backpropPadDown = narrowed(h.backprop_pad_after);
  to.backpropPadLeft = narrowed(w.backprop_pad_before);
  to.backpropPadRight = narrowed(w.backprop_pad_after);
}

void write_blocks(const tiling::TilingBlocks& blocks, TConv3DBackpropInputTiling& to) {
  to.cl0Pbuffer = 1;
  to.al1Pbuffer = narrowed(blocks.al1_buffers);
  to.bl1Pbuffer = narrowed(blocks.bl1_buffers);
  to.baseM = narrowed(blocks.base_m);
  to.baseK = narrowed(blocks.base_k);
  to.baseN = narrowed(blocks.base_n);
  to.baseD = to.baseBatch = to.baseGroup = 1;
  to.stepM = to.stepN = to.stepBatch = to.stepGroup = 1;
  to.stepKa = narrowed(blocks.step_ka);
  to.stepKb = narrowed(blocks.step_kb);
  to.iterateOrder = 1;
  to.singleCoreDin = to.singleCoreHo = 1;
  to.singleCoreCout1 = to.cout1G;
  to.singleCoreCout = to.cout1G * to.c0;
  to.singleCoreM = static_cast<uint64_t>(blocks.single_core_m);
  to.singleCoreCin = static_cast<uint64_t>(blocks.base_n);
  to.singleCoreCin1 = (to.baseN + to.c0 - 1) / to.c0;
}

void log(const std::string& what) {
  gradproof::kernel::device::report_error("EZ1001: Conv3DBpInputTiling::GetTiling: " + what);
}

std::optional<TConv3DBackpropInputTiling> tiling_for(const Conv3DBpInputRequest& request) {
  const auto problem = tiling::checked(request);
  if (!problem) {
    log(problem.error());
    return std::nullopt;
  }
  for (const std::string& warning : problem->warnings) log(warning);
  const auto blocks = tiling::blocks_for(*problem);
  if (!blocks) {
    log("no block of grad output and weight fits in L1; shorten the kernel or the rows");
    return std::nullopt;
  }
  TConv3DBackpropInputTiling result;
  tiling::write_convolution(*problem, result);
  write_channels(*problem, result);
  write_backprop_pads(*problem, result);
  write_blocks(*blocks, result);
  return result;
}

}  // namespace

bool Conv3DBpInputTilingBase::SetWeightShape(int64_t cout, int64_t cin, int64_t d, int64_t h,
                                             int64_t w) {
  if (!agree(request_.cout, cout) || !agree(request_.cin, cin)) return false;
  tell_weight(cout, cin, d, h, w);
  return true;
}

bool Conv3DBpInputTilingBase::SetInputShape(int64_t n, int64_t c, int64_t d, int64_t h, int64_t w) {
  if (!agree(request_.batch, n) || !agree(request_.cin, c)) return false;
  tell_input(n, c, d, h, w);
  request_.isTransposed = false;
  for (Conv3DBpInputAxis* axis : {&request_.d, &request_.h, &request_.w}) axis->outputPadding = 0;
  return true;
}

bool Conv3DBpInputTilingBase::SetGradOutputShape(int64_t n, int64_t c, int64_t d, int64_t h,
                                                 int64_t w) {
  if (!agree(request_.batch, n) || !agree(request_.cout, c)) return false;
  tell_grad_output(n, c, d, h, w);
  return true;
}

bool Conv3DBpInputTilingBase::SetOutputPadding(int64_t d, int64_t h, int64_t w) {
  if (!request_.isTransposed) return false;
  request_.d.outputPadding = d;
  request_.h.outputPadding = h;
  request_.w.outputPadding = w;
  return true;
}

int64_t Conv3DBpInputTiling::GetTiling(optiling::Conv3DBackpropInputTilingData& tiling) {
  const auto result = tiling_for(request_);
  if (!result) return -1;
  tiling.conv3DDxTiling.set_plain(*result);
  return 0;
}

int64_t Conv3DBpInputTiling::GetTiling(AscendC::tiling::Conv3DBackpropInputTilingData& tiling) {
  const auto result = tiling_for(request_);
  if (!result) return -1;
  tiling.conv3DDxTiling = *result;
  return 0;
}

}  // namespace ConvBackpropApi
