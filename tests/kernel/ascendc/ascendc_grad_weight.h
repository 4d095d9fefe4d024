#pragma once

// gradWeight on the simulated cores by Conv3DBackpropFilter, and by its definition.

#include <memory>
#include <vector>

#include "kernel_launcher.h"
#include "kernel_operator.h"
#include "lib/conv_backprop/conv3d_bp_filter_api.h"
#include "lib/conv_backprop/conv3d_bp_filter_tiling.h"
#include "tests/support/ascendc_device.h"
#include "tests/support/runtime_fixture.h"
#include "tiling/conv_backprop/conv3d_bp_filter_tiling.h"

namespace gradproof::kernel::ascendc {

using ConvBackpropApi::Conv3dBpFilterTiling;
using ConvBackpropApi::ConvType;
using ConvCommonApi::ConvDtype;
using ConvCommonApi::ConvFormat;
using ConvCommonApi::TPosition;
using Tiling = AscendC::tiling::TConv3DBpFilterTiling;

template <typename T>
using BackpropFilter =
    ConvBackpropApi::Conv3DBackpropFilter<ConvType<TPosition::GM, ConvFormat::NDC1HWC0, T>,
                                          ConvType<TPosition::GM, ConvFormat::ND, int32_t>,
                                          ConvType<TPosition::GM, ConvFormat::NDC1HWC0, T>,
                                          ConvType<TPosition::GM, ConvFormat::FRACTAL_Z_3D, float>>;

struct Buffers {
  GM_ADDR input;
  GM_ADDR grad_output;
  GM_ADDR grad_weight;
};

/// One core's task.
struct Task {
  int64_t batch, depth, input_depth, kernel_depth;
  int64_t first_output, outputs, first_channel, channels, first_row, rows;
};

/// All pairs of gradOutput's D slices and kernel depths that meet an input slice, cut into the
/// tiling's shares.
inline std::vector<Task> tasks_of(const Tiling& t) {
  std::vector<Task> tasks;
  const auto share = [](int64_t all, int64_t first, int64_t part) {
    return std::min(part, all - first);
  };
  const int64_t cin_part = static_cast<int64_t>(t.singleCoreCin);
  for (int64_t batch = 0; batch < t.batch; ++batch)
    for (int64_t depth = 0; depth < t.dout; ++depth)
      for (int64_t kd = 0; kd < t.dk; ++kd) {
        const int64_t di = depth * t.strideD - t.padFront + kd * t.dilationD;
        if (di < 0 || di >= t.di) continue;
        for (int64_t row = 0; row < t.ho; row += t.singleCoreHo)
          for (int64_t co = 0; co < t.cout; co += t.singleCoreCout)
            for (int64_t ci = 0; ci < t.cin; ci += cin_part)
              tasks.push_back({batch, depth, di, kd, co, share(t.cout, co, t.singleCoreCout), ci,
                               share(t.cin, ci, cin_part), row, share(t.ho, row, t.singleCoreHo)});
      }
  return tasks;
}

inline uint64_t unsigned_of(int64_t value) { return static_cast<uint64_t>(value); }

/// What a caller may choose about the cutting.
struct Cut {
  uint32_t base_m = 16, base_k = 16, base_n = 16, step_ka = 1, step_kb = 1, order = 1;
  uint32_t step_m = 1, step_n = 1;
  int64_t rows = 2, output_blocks = 1, channel_blocks = 1;  ///< of one task
};

inline Tiling tiling_of(const Convolution& conv, uint32_t c0, const Cut& cut) {
  Tiling t;
  t.batch = narrow(conv.batch), t.cin = narrow(conv.cin), t.cout = narrow(conv.cout);
  t.cin1G = (t.cin + c0 - 1) / c0, t.cout1G = (t.cout + c0 - 1) / c0;
  t.dout = narrow(conv.d.output()), t.ho = narrow(conv.h.output()), t.wo = narrow(conv.w.output());
  t.di = narrow(conv.d.input), t.hi = narrow(conv.h.input), t.wi = narrow(conv.w.input);
  t.dk = narrow(conv.d.kernel), t.hk = narrow(conv.h.kernel), t.wk = narrow(conv.w.kernel);
  t.group = 1, t.channelSize = c0;
  t.strideD = narrow(conv.d.stride), t.strideH = narrow(conv.h.stride);
  t.strideW = narrow(conv.w.stride);
  t.dilationD = narrow(conv.d.dilation), t.dilationH = narrow(conv.h.dilation);
  t.dilationW = narrow(conv.w.dilation);
  t.padFront = narrow(conv.d.pad_before), t.padUp = narrow(conv.h.pad_before);
  t.padLeft = narrow(conv.w.pad_before);
  t.al0Pbuffer = t.bl0Pbuffer = 2, t.cl0Pbuffer = t.al1Pbuffer = t.bl1Pbuffer = 1;
  t.baseM = cut.base_m, t.baseK = cut.base_k, t.baseN = cut.base_n;
  t.stepM = cut.step_m, t.stepN = cut.step_n, t.stepKa = cut.step_ka, t.stepKb = cut.step_kb;
  t.iterateOrder = cut.order;
  t.singleCoreDk = t.singleCoreGroup = 1, t.singleCoreBatch = 1;
  t.singleCoreHo = narrow(cut.rows);
  t.singleCoreCout = narrow(cut.output_blocks) * 16;
  t.singleCoreCin = unsigned_of(cut.channel_blocks) * c0;
  return t;
}

/// gradWeight as the program above adds it: for each task one FLOAT sum over its rows, added to
/// what is there, tasks in order.
inline Dense grad_weight_by_definition(const Convolution& conv, const Dense& dy, const Dense& x,
                                       const Tiling& t) {
  Dense dw(conv.weight());
  const bool fused = fuses_products();
  for (const Task& task : tasks_of(t)) {
    cube::for_each_position(
        {task.outputs, task.channels, 1, conv.h.kernel, conv.w.kernel}, [&](auto at) {
          float sum = 0.0F;
          for (int64_t i = 0; i < task.rows * conv.w.output(); ++i) {
            const int64_t row = task.first_row + i / conv.w.output(), column = i % conv.w.output();
            const int64_t h = row * conv.h.stride - conv.h.pad_before + at.h * conv.h.dilation;
            const int64_t w = column * conv.w.stride - conv.w.pad_before + at.w * conv.w.dilation;
            if (h < 0 || h >= conv.h.input || w < 0 || w >= conv.w.input) continue;
            sum = with_product(
                sum, dy.at({task.batch, task.first_output + at.n, task.depth, row, column}),
                x.at({task.batch, task.first_channel + at.c, task.input_depth, h, w}), fused);
          }
          dw.at({task.first_output + at.n, task.first_channel + at.c, task.kernel_depth, at.h,
                 at.w}) += sum;
        });
  }
  return dw;
}

/// One convolution's operands on the host and on the device.
template <typename T>
struct Operands {
  Operands(const Convolution& of, const std::function<float()>& next)
      : conv(of), dy(filled(of.grad_output(), next)), x(filled(of.input(), next)) {
    grad_output = std::make_unique<DeviceVector>(
        arranged<T>(dy, cube::FeatureMapLayout{conv.grad_output(), c0}));
    input =
        std::make_unique<DeviceVector>(arranged<T>(x, cube::FeatureMapLayout{conv.input(), c0}));
    grad_weight = std::make_unique<DeviceVector>(storage_of(layout()) * sizeof(float));
    grad_weight->fill(0);
  }
  cube::WeightLayout layout() const { return {conv.weight(), 1, c0}; }
  Buffers buffers() const {
    return {input->address(), grad_output->address(), grad_weight->address()};
  }
  std::vector<uint8_t> found() const { return bytes_of(grad_weight->values<float>()); }
  std::vector<uint8_t> expected(const Tiling& tiling) const {
    return bytes_of(arranged<float>(grad_weight_by_definition(conv, dy, x, tiling), layout()));
  }

  static constexpr std::int64_t c0 = c0_of_type<T>;
  Convolution conv;
  Dense dy, x;
  std::unique_ptr<DeviceVector> grad_output, input, grad_weight;
};

class AscendcFilter : public OnDevice {};

inline Convolution split_convolution() {
  return {2, 20, 18, {4, 2, 1}, {9, 3, 2, 1, 1, 1}, {11, 3, 1, 2, 2, 1}};
}

inline Conv3dBpFilterTiling told(const Convolution& conv, ConvDtype dtype) {
  Conv3dBpFilterTiling tiling;
  tiling.SetInputType(TPosition::GM, ConvFormat::NDC1HWC0, dtype);
  tiling.SetGradOutputType(TPosition::GM, ConvFormat::NDC1HWC0, dtype);
  tiling.SetWeightType(TPosition::GM, ConvFormat::FRACTAL_Z_3D, ConvDtype::FLOAT32);
  tiling.SetInputShape(conv.batch, conv.cin, conv.d.input, conv.h.input, conv.w.input);
  tiling.SetWeightShape(conv.cout, conv.cin, conv.d.kernel, conv.h.kernel, conv.w.kernel);
  tiling.SetGradOutputShape(conv.batch, conv.cout, conv.d.output(), conv.h.output(),
                            conv.w.output());
  tiling.SetPadding(conv.d.pad_before, conv.d.pad_after, conv.h.pad_before, conv.h.pad_after,
                    conv.w.pad_before, conv.w.pad_after);
  tiling.SetStride(conv.d.stride, conv.h.stride, conv.w.stride);
  tiling.SetDilation(conv.d.dilation, conv.h.dilation, conv.w.dilation);
  return tiling;
}

}  // namespace gradproof::kernel::ascendc
