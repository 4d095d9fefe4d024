#include "lib/conv_backprop/conv3d_bp_input_tiling.h"

#include <bit>
#include <optional>
#include <string>
#include <tuple>

#include <fmt/core.h>

#include "kernel/ascendc/tiling/blocks.h"
#include "kernel/ascendc/tiling/platform_info.h"
#include "kernel/ascendc/tiling/problem.h"
#include "kernel/device/error_text.h"

namespace ConvBackpropApi {
namespace {

namespace tiling = gradproof::kernel::ascendc::tiling;
using AscendC::tiling::TConv3DBackpropInputTiling;
using platform_ascendc::PlatformAscendC;

using tiling::default_platform;
using tiling::info_of;

bool agree(int64_t before, int64_t now) { return before <= 0 || before == now; }

uint32_t narrowed(int64_t value) { return static_cast<uint32_t>(value); }

void write_problem(const tiling::Problem& problem, TConv3DBackpropInputTiling& to) {
  const auto c0 = static_cast<uint32_t>(problem.c0());
  to.batch = narrowed(problem.batch);
  to.cin = narrowed(problem.cin);
  to.cout = narrowed(problem.cout);
  to.cout1 = to.cout1G = narrowed(problem.cout1());
  to.cin1 = to.cin1G = narrowed(problem.cin1());
  to.c0 = c0;
  to.c0Bits = static_cast<uint32_t>(std::bit_width(c0) - 1);
  to.initOutputFlag = problem.needs_zeroed_output ? 1 : 0;
  to.group = to.singleCoreGroup = 1;
}

void write_axes(const tiling::Problem& problem, TConv3DBackpropInputTiling& to) {
  const auto& [d, h, w] = std::tie(problem.d, problem.h, problem.w);
  to.dout = narrowed(d.output), to.ho = narrowed(h.output), to.wo = narrowed(w.output);
  to.di = narrowed(d.input), to.hi = narrowed(h.input), to.wi = narrowed(w.input);
  to.dk = narrowed(d.kernel), to.hk = narrowed(h.kernel), to.wk = narrowed(w.kernel);
  to.strideD = narrowed(d.stride);
  to.strideH = narrowed(h.stride);
  to.strideW = narrowed(w.stride);
  to.padFront = narrowed(d.pad_before), to.padBack = narrowed(d.pad_after);
  to.padUp = narrowed(h.pad_before), to.padDown = narrowed(h.pad_after);
  to.padLeft = narrowed(w.pad_before), to.padRight = narrowed(w.pad_after);
  to.backpropPadTail = narrowed(d.backprop_pad_after);
  to.backpropPadUp = narrowed(h.backprop_pad_before);
  to.backpropPadDown = narrowed(h.backprop_pad_after);
  to.backpropPadLeft = narrowed(w.backprop_pad_before);
  to.backpropPadRight = narrowed(w.backprop_pad_after);
  to.dilationD = narrowed(d.dilation);
  to.dilationH = narrowed(h.dilation);
  to.dilationW = narrowed(w.dilation);
}

void write_blocks(const tiling::Blocks& blocks, TConv3DBackpropInputTiling& to) {
  to.al0Pbuffer = to.bl0Pbuffer = 2;
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
  to.singleCoreBatch = 1;
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
  write_problem(*problem, result);
  write_axes(*problem, result);
  write_blocks(*blocks, result);
  return result;
}

}  // namespace

Conv3DBpInputTilingBase::Conv3DBpInputTilingBase() : platform_(default_platform()) {}
Conv3DBpInputTilingBase::Conv3DBpInputTilingBase(const PlatformAscendC& platform)
    : platform_(info_of(platform)) {}
Conv3DBpInputTilingBase::Conv3DBpInputTilingBase(const PlatformInfo& platform)
    : platform_(platform) {}
Conv3DBpInputTilingBase::~Conv3DBpInputTilingBase() = default;

bool Conv3DBpInputTilingBase::SetWeightShape(int64_t cout, int64_t cin, int64_t d, int64_t h,
                                             int64_t w) {
  if (!agree(request_.cout, cout) || !agree(request_.cin, cin)) return false;
  request_.cout = cout;
  request_.cin = cin;
  request_.d.kernel = d;
  request_.h.kernel = h;
  request_.w.kernel = w;
  return true;
}

bool Conv3DBpInputTilingBase::SetInputShape(int64_t n, int64_t c, int64_t d, int64_t h, int64_t w) {
  if (!agree(request_.batch, n) || !agree(request_.cin, c)) return false;
  request_.batch = n;
  request_.cin = c;
  request_.d.input = d;
  request_.h.input = h;
  request_.w.input = w;
  request_.isTransposed = false;
  for (Conv3DBpInputAxis* axis : {&request_.d, &request_.h, &request_.w}) axis->outputPadding = 0;
  return true;
}

bool Conv3DBpInputTilingBase::SetGradOutputShape(int64_t n, int64_t c, int64_t d, int64_t h,
                                                 int64_t w) {
  if (!agree(request_.batch, n) || !agree(request_.cout, c)) return false;
  request_.batch = n;
  request_.cout = c;
  request_.d.output = d;
  request_.h.output = h;
  request_.w.output = w;
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
