#include "properties/targets/tiling/gradient_kernels.h"

#include <algorithm>
#include <cstdint>

#include "lib/conv_backprop/conv3d_bp_filter_api.h"
#include "lib/conv_backprop/conv3d_bp_input_api.h"

// Written as a user of Ascend C writes kernels, against the headers alone.

namespace gradproof::targets {
namespace {

using ConvBackpropApi::ConvType;
using ConvCommonApi::ConvFormat;
using ConvCommonApi::TPosition;
using DxTiling = AscendC::tiling::TConv3DBackpropInputTiling;
using DwTiling = AscendC::tiling::TConv3DBpFilterTiling;

template <typename T>
using FeatureMap = ConvType<TPosition::GM, ConvFormat::NDC1HWC0, T>;
template <typename T>
using Filter = ConvType<TPosition::GM, ConvFormat::FRACTAL_Z_3D, T>;
using Sizes = ConvType<TPosition::GM, ConvFormat::ND, std::int32_t>;

template <typename T>
using DxApi = ConvBackpropApi::Conv3DBackpropInput<Filter<T>, Sizes, FeatureMap<T>, FeatureMap<T>>;
template <typename T>
using DwApi =
    ConvBackpropApi::Conv3DBackpropFilter<FeatureMap<T>, Sizes, FeatureMap<T>, Filter<float>>;

constexpr std::int64_t rows_of_fractal = 16;

std::int64_t parts(std::int64_t length, std::int64_t part) { return (length + part - 1) / part; }
std::uint64_t offset(std::int64_t elements) { return static_cast<std::uint64_t>(elements); }
std::int64_t padded(std::int64_t channels) {
  return parts(channels, rows_of_fractal) * rows_of_fractal;
}

template <typename T>
AscendC::GlobalTensor<T> tensor_at(GM_ADDR address, std::int64_t elements) {
  AscendC::GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(address), offset(elements));
  return tensor;
}

/// Some rows of one D slice of dx, and some of its channels.
struct DxTask {
  std::int64_t batch, depth, first_position, first_channel;
};

template <typename T>
class Dx {
 public:
  Dx(const KernelOperands& operands, const DxTiling& tiling) : t_(tiling) {
    const std::int64_t out = std::int64_t{t_.batch} * t_.dout * t_.cout1 * t_.ho * t_.wo * t_.c0;
    const std::int64_t in = std::int64_t{t_.batch} * t_.di * t_.cin1 * plane();
    grad_output_ = tensor_at<T>(operands.grad_output, out);
    weight_ = tensor_at<T>(operands.other, t_.dk * t_.cin1 * weight_block());
    grad_input_ = tensor_at<T>(operands.result, in);
  }

  void run() {
    const std::int64_t m = parts(std::int64_t{t_.hi} * t_.wi, share()),
                       n = parts(t_.cin, channels());
    const std::int64_t tasks = std::int64_t{t_.batch} * t_.di * m * n;
    if (AscendC::GetBlockIdx() >= tasks) return;
    api_.Init(&t_);
    for (std::int64_t i = AscendC::GetBlockIdx(); i < tasks; i += AscendC::GetBlockNum()) {
      compute({i / n / m / t_.di, i / n / m % t_.di, i / n % m * share(), i % n * channels()});
    }
    api_.End();
  }

 private:
  std::int64_t plane() const { return std::int64_t{t_.hi} * t_.wi * t_.c0; }
  std::int64_t share() const { return static_cast<std::int64_t>(t_.singleCoreM); }
  std::int64_t channels() const { return static_cast<std::int64_t>(t_.singleCoreCin); }
  std::int64_t weight_block() const {
    return std::int64_t{t_.hk} * t_.wk * padded(std::int64_t{t_.cout1} * t_.c0) * t_.c0;
  }

  void compute(const DxTask& task) {
    const std::int64_t row = task.first_position / t_.wi - t_.backpropPadUp;
    const std::int64_t row_of_grad_output = row < 0 ? 0 : parts(row, t_.strideH);
    const std::int64_t block = task.first_channel / t_.c0;
    api_.SetSingleShape(
        offset(std::min(share(), std::int64_t{t_.hi} * t_.wi - task.first_position)),
        offset(std::int64_t{t_.cout1} * t_.dk * t_.hk * t_.wk * t_.c0),
        static_cast<std::uint32_t>(std::min(channels(), t_.cin - task.first_channel)));
    api_.SetStartPosition(static_cast<std::uint32_t>(task.depth), static_cast<std::int32_t>(row));
    api_.SetGradOutput(grad_output_[offset(
        (task.batch * t_.dout * t_.cout1 * t_.ho + row_of_grad_output) * t_.wo * t_.c0)]);
    api_.SetWeight(weight_[offset(block * weight_block())]);
    const std::int64_t first = (task.batch * t_.di * t_.cin1 + block) * plane();
    while (api_.Iterate()) {
      api_.GetTensorC(grad_input_[offset(first + task.first_position * t_.c0)]);
    }
    api_.ctx.isFirstIter_ = true;
  }

  const DxTiling& t_;
  DxApi<T> api_;
  AscendC::GlobalTensor<T> grad_output_, weight_, grad_input_;
};

/// Some rows of one D slice of gradOutput, against the slice of the input that one plane of the
/// kernel reads for it.
struct DwTask {
  std::int64_t batch, depth, kernel_depth, first_row, first_output, first_channel;
};

template <typename T>
class Dw {
 public:
  Dw(const KernelOperands& operands, const DwTiling& tiling) : t_(tiling) {
    const std::int64_t c0 = t_.channelSize, samples = t_.batch;
    grad_output_ = tensor_at<T>(operands.grad_output,
                                samples * t_.dout * packs_of_outputs() * t_.ho * t_.wo * c0);
    input_ = tensor_at<T>(operands.other, samples * t_.di * t_.cin1G * t_.hi * t_.wi * c0);
    grad_weight_ = tensor_at<float>(operands.result, t_.dk * t_.cin1G * weight_block());
  }

  void run() {
    const std::int64_t rows = parts(t_.ho, t_.singleCoreHo),
                       outputs = parts(t_.cout, t_.singleCoreCout),
                       inputs = parts(t_.cin, channels());
    const std::int64_t tasks = std::int64_t{t_.batch} * t_.dout * t_.dk * rows * outputs * inputs;
    if (AscendC::GetBlockIdx() >= tasks) return;
    api_.Init(&t_);
    for (std::int64_t i = AscendC::GetBlockIdx(); i < tasks; i += AscendC::GetBlockNum()) {
      DwTask task{};
      std::int64_t rest = i;
      const auto digit = [&](std::int64_t base) {
        const std::int64_t value = rest % base;
        rest /= base;
        return value;
      };
      task.first_channel = digit(inputs) * channels();
      task.first_output = digit(outputs) * t_.singleCoreCout;
      task.first_row = digit(rows) * t_.singleCoreHo;
      task.kernel_depth = digit(t_.dk);
      task.depth = digit(t_.dout);
      task.batch = rest;
      compute(task);
    }
    api_.End();
  }

 private:
  std::int64_t channels() const { return static_cast<std::int64_t>(t_.singleCoreCin); }
  /// Number of packs in gradOutput; cout1G counts those of whole fractals.
  std::int64_t packs_of_outputs() const { return parts(t_.cout, t_.channelSize); }
  std::int64_t weight_block() const {
    return std::int64_t{t_.hk} * t_.wk * padded(std::int64_t{t_.cout1G} * t_.channelSize) *
           t_.channelSize;
  }

  void compute(const DwTask& task) {
    const std::int64_t c0 = t_.channelSize, taps = std::int64_t{t_.hk} * t_.wk;
    const std::int64_t slice =
        task.depth * t_.strideD - t_.padFront + task.kernel_depth * t_.dilationD;
    if (slice < 0 || slice >= t_.di) return;
    const std::int64_t row_of_input =
        std::max<std::int64_t>(task.first_row * t_.strideH - t_.padUp, 0);
    const std::int64_t rows = std::min<std::int64_t>(t_.singleCoreHo, t_.ho - task.first_row);
    api_.SetSingleShape(
        offset(std::min<std::int64_t>(t_.singleCoreCout, t_.cout - task.first_output)),
        offset(std::min(channels(), t_.cin - task.first_channel) * taps), offset(rows * t_.wo));
    api_.SetStartPosition(static_cast<std::uint32_t>(task.first_row));
    const std::int64_t dy =
        (task.batch * t_.dout + task.depth) * packs_of_outputs() + task.first_output / c0;
    api_.SetGradOutput(grad_output_[offset((dy * t_.ho + task.first_row) * t_.wo * c0)]);
    const std::int64_t x = (task.batch * t_.di + slice) * t_.cin1G + task.first_channel / c0;
    api_.SetInput(input_[offset((x * t_.hi + row_of_input) * t_.wi * c0)]);
    const std::int64_t block = task.kernel_depth * t_.cin1G + task.first_channel / c0;
    while (api_.Iterate()) {
      api_.GetTensorC(grad_weight_[offset(block * weight_block() + task.first_output * c0)]);
    }
    api_.ctx.isFirstIter_ = true;
  }

  const DwTiling& t_;
  DwApi<T> api_;
  AscendC::GlobalTensor<T> grad_output_, input_;
  AscendC::GlobalTensor<float> grad_weight_;
};

}  // namespace

template <typename T>
__global__ __aicore__ void dx_kernel(KernelOperands operands, DxTiling tiling) {
  Dx<T>(operands, tiling).run();
}

template <typename T>
__global__ __aicore__ void dw_kernel(KernelOperands operands, DwTiling tiling) {
  Dw<T>(operands, tiling).run();
}

template __global__ __aicore__ void dx_kernel<half>(KernelOperands, DxTiling);
template __global__ __aicore__ void dx_kernel<bfloat16_t>(KernelOperands, DxTiling);
template __global__ __aicore__ void dx_kernel<float>(KernelOperands, DxTiling);
template __global__ __aicore__ void dw_kernel<half>(KernelOperands, DwTiling);
template __global__ __aicore__ void dw_kernel<bfloat16_t>(KernelOperands, DwTiling);
template __global__ __aicore__ void dw_kernel<float>(KernelOperands, DwTiling);

}  // namespace gradproof::targets
