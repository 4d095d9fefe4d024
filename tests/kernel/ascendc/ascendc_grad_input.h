#pragma once

// A kernel that computes gradInput with Conv3DBackpropInput, cut as a test says, and its operands.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "kernel_launcher.h"
#include "kernel_operator.h"
#include "lib/conv_backprop/conv3d_bp_input_api.h"
#include "lib/conv_backprop/conv3d_bp_input_tiling.h"
#include "tests/support/ascendc_convolution.h"
#include "tests/support/ascendc_device.h"
#include "tests/support/runtime_fixture.h"

namespace gradproof::kernel::ascendc {

using ConvBackpropApi::ConvType;
using ConvCommonApi::ConvFormat;
using ConvCommonApi::TPosition;
using Tiling = AscendC::tiling::TConv3DBackpropInputTiling;

template <typename T, ConvFormat format = ConvFormat::NDC1HWC0>
using BackpropInput =
    ConvBackpropApi::Conv3DBackpropInput<ConvType<TPosition::GM, ConvFormat::FRACTAL_Z_3D, T>,
                                         ConvType<TPosition::GM, ConvFormat::ND, int32_t>,
                                         ConvType<TPosition::GM, ConvFormat::NDC1HWC0, T>,
                                         ConvType<TPosition::GM, format, T>>;

/// One core's task, and where its tensors begin.
struct Task {
  uint32_t batch, depth;
  uint64_t first_row, positions, first_block;
  uint32_t channels;
};

/// Elements before a task's part of each tensor.
struct Slices {
  uint64_t grad_output, weight, grad_input;
};

/// The address contract of the API for group 0.
inline Slices slices_of(const Tiling& t, const Task& task) {
  const int64_t expanded = static_cast<int64_t>(task.first_row) - t.backpropPadUp;
  const uint64_t row =
      expanded < 0 ? 0 : (static_cast<uint64_t>(expanded) + t.strideH - 1) / t.strideH;
  const uint64_t hw = uint64_t{t.ho} * t.wo * t.c0;
  const uint64_t hwi = uint64_t{t.hi} * t.wi * t.c0;
  const uint64_t taps = uint64_t{t.hk} * t.wk * ((uint64_t{t.cout1G} * t.c0 + 15) / 16 * 16) * t.c0;
  return {task.batch * uint64_t{t.dout} * t.cout1 * hw + row * t.wo * t.c0, task.first_block * taps,
          task.batch * uint64_t{t.di} * t.cin1 * hwi + task.first_block * hwi +
              task.first_row * t.wi * t.c0};
}

/// The tasks of a whole gradInput, as a kernel enumerates them: block i takes every count-th.
inline std::vector<Task> tasks_of(const Tiling& t) {
  std::vector<Task> tasks;
  const uint64_t positions = uint64_t{t.hi} * t.wi;
  const uint64_t blocks_per_core = t.singleCoreCin / t.c0;
  for (uint32_t batch = 0; batch < t.batch; ++batch) {
    for (uint32_t depth = 0; depth < t.di; ++depth) {
      for (uint64_t m = 0; m < positions; m += t.singleCoreM) {
        for (uint64_t block = 0; block < t.cin1; block += blocks_per_core) {
          const uint64_t channels = std::min(t.singleCoreCin, t.cin - block * t.c0);
          tasks.push_back({batch, depth, m / t.wi, std::min(t.singleCoreM, positions - m), block,
                           static_cast<uint32_t>(channels)});
        }
      }
    }
  }
  return tasks;
}

/// Where the three tensors lie in device memory.
struct Buffers {
  GM_ADDR grad_output;
  GM_ADDR weight;
  GM_ADDR grad_input;
};

template <typename T, typename Gradient>
__aicore__ void compute(Gradient& gradient, const Tiling& t, const Task& task,
                        const Buffers& buffers, uint8_t atomic) {
  const Slices slices = slices_of(t, task);
  gradient.SetSingleShape(task.positions, uint64_t{t.cout1G} * t.dk * t.hk * t.wk * t.c0,
                          task.channels);
  gradient.SetStartPosition(
      task.depth, static_cast<int32_t>(task.first_row) - static_cast<int32_t>(t.backpropPadUp));
  gradient.SetGradOutput(tensor_at<T>(buffers.grad_output)[slices.grad_output]);
  gradient.SetWeight(tensor_at<T>(buffers.weight)[slices.weight]);
  while (gradient.Iterate()) {
    gradient.GetTensorC(tensor_at<T>(buffers.grad_input)[slices.grad_input], atomic);
  }
  gradient.ctx.isFirstIter_ = true;
}

template <typename T>
__global__ __aicore__ void backprop_input(Buffers buffers, Tiling tiling, uint8_t atomic) {
  BackpropInput<T> gradient;
  gradient.Init(&tiling);
  const std::vector<Task> tasks = tasks_of(tiling);
  for (size_t i = AscendC::GetBlockIdx(); i < tasks.size(); i += AscendC::GetBlockNum()) {
    compute<T>(gradient, tiling, tasks[i], buffers, atomic);
  }
  gradient.End();
}

/// What a caller may choose about the cutting.
struct Cut {
  uint32_t base_m = 16, base_k = 16, base_n = 16, step_ka = 1, step_kb = 1, order = 1;
  uint64_t rows = 1;            ///< of gradInput in one task
  uint64_t channel_blocks = 1;  ///< of gradInput in one task
  int32_t init_output_flag = 0;
};

/// A tiling made by hand, also for what GetTiling would refuse.
inline Tiling tiling_of(const Convolution& conv, uint32_t c0, const Cut& cut) {
  Tiling t;
  t.batch = narrow(conv.batch), t.cin = narrow(conv.cin), t.cout = narrow(conv.cout);
  t.c0 = c0, t.c0Bits = c0 == 16 ? 4 : 3;
  t.cout1 = t.cout1G = (t.cout + c0 - 1) / c0;
  t.cin1 = t.cin1G = (t.cin + c0 - 1) / c0;
  t.dout = narrow(conv.d.output()), t.ho = narrow(conv.h.output()), t.wo = narrow(conv.w.output());
  t.di = narrow(conv.d.input), t.hi = narrow(conv.h.input), t.wi = narrow(conv.w.input);
  t.dk = narrow(conv.d.kernel), t.hk = narrow(conv.h.kernel), t.wk = narrow(conv.w.kernel);
  t.group = 1;
  t.strideD = narrow(conv.d.stride), t.strideH = narrow(conv.h.stride);
  t.strideW = narrow(conv.w.stride);
  t.dilationD = narrow(conv.d.dilation), t.dilationH = narrow(conv.h.dilation);
  t.dilationW = narrow(conv.w.dilation);
  t.padFront = narrow(conv.d.pad_before), t.padUp = narrow(conv.h.pad_before);
  t.padLeft = narrow(conv.w.pad_before);
  t.backpropPadUp = narrow(conv.h.reach() - 1 - conv.h.pad_before);
  t.backpropPadLeft = narrow(conv.w.reach() - 1 - conv.w.pad_before);
  t.al0Pbuffer = t.bl0Pbuffer = 2, t.cl0Pbuffer = t.al1Pbuffer = t.bl1Pbuffer = 1;
  t.singleCoreGroup = t.singleCoreDin = t.singleCoreHo = 1;
  t.singleCoreBatch = t.baseD = t.baseBatch = t.baseGroup = t.stepBatch = t.stepGroup = 1;
  t.singleCoreCout = t.cout1G * c0, t.singleCoreCout1 = t.cout1G;
  t.singleCoreCin1 = narrow(static_cast<int64_t>(cut.channel_blocks));
  t.singleCoreCin = cut.channel_blocks * c0;
  t.singleCoreM = cut.rows * t.wi;
  t.baseM = cut.base_m, t.baseK = cut.base_k, t.baseN = cut.base_n;
  t.stepM = t.stepN = 1, t.stepKa = cut.step_ka, t.stepKb = cut.step_kb;
  t.iterateOrder = cut.order;
  t.initOutputFlag = cut.init_output_flag;
  return t;
}

/// One convolution's operands on the host and on the device.
template <typename T>
struct Operands {
  Operands(const Convolution& of, const std::function<float()>& next)
      : conv(of), dy(filled(of.grad_output(), next)), w(filled(of.weight(), next)) {}

  void upload() {
    grad_output = std::make_unique<DeviceVector>(
        arranged<T>(dy, cube::FeatureMapLayout{conv.grad_output(), c0}));
    weight =
        std::make_unique<DeviceVector>(arranged<T>(w, cube::WeightLayout{conv.weight(), 1, c0}));
    grad_input = std::make_unique<DeviceVector>(storage_of(layout()) * sizeof(T));
  }
  cube::FeatureMapLayout layout() const { return {conv.input(), c0}; }
  Buffers buffers() const {
    return {grad_output->address(), weight->address(), grad_input->address()};
  }

  static constexpr std::int64_t c0 = c0_of_type<T>;
  Convolution conv;
  Dense dy, w;
  std::unique_ptr<DeviceVector> grad_output, weight, grad_input;
};

/// gradInput in memory, zeros where nothing contributes. Channels past Cin are 0.
template <typename T>
std::vector<T> expected_grad_input(const Operands<T>& operands) {
  return arranged<T>(
      grad_input_by_definition(operands.conv, operands.dy, operands.w, Operands<T>::c0),
      operands.layout());
}

class Ascendc : public OnDevice {
 protected:
  template <typename T>
  void expect_definition(Operands<T>& operands, const Tiling& tiling, uint32_t blocks = 5) {
    operands.upload();
    operands.grad_input->fill(0);
    ASSERT_EQ(launch(backprop_input<T>, blocks, operands.buffers(), tiling, uint8_t{0}), 0)
        << error_text();
    EXPECT_EQ(bytes_of(operands.grad_input->template values<T>()),
              bytes_of(expected_grad_input(operands)));
  }
};

}  // namespace gradproof::kernel::ascendc
