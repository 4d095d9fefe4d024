#ifndef GRADPROOF_LIB_CONV3D_BP_INPUT_API_H
#define GRADPROOF_LIB_CONV3D_BP_INPUT_API_H

#include <cstdint>
#include <memory>

#include "kernel_operator.h"
#include "lib/conv_backprop/conv3d_bp_context.h"
#include "lib/conv_backprop/conv3d_bp_input_tiling_data.h"

namespace ConvBackpropApi {

using AscendC::tiling::TConv3DBackpropInputTiling;

namespace simulation {

/// One object of Conv3DBackpropInput on one core. Misuse ends the block with a diagnostic that
/// names the call and the core.
class BackpropInput {
 public:
  /// isScratch: tiles go to a scratch tile of the block (gradInput in NCDHW), not into the tensor.
  BackpropInput(ElementType element, bool isScratch);
  ~BackpropInput();
  BackpropInput(const BackpropInput&) = delete;
  BackpropInput& operator=(const BackpropInput&) = delete;

  void init(const TConv3DBackpropInputTiling* tiling);
  void set_weight(const AscendC::simulation::GlobalWindow& weight);
  void set_grad_output(const AscendC::simulation::GlobalWindow& gradOutput);
  void set_single_shape(uint64_t m, uint64_t k, uint32_t n);
  void set_start_position(uint32_t dIn, int32_t hOut);
  bool iterate(bool& isFirstIter);
  void get_tensor_c(const AscendC::simulation::GlobalWindow& output, uint8_t enAtomic,
                    bool enSequentialWrite);
  void end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace simulation

/// The types of one computation, and what is computed on.
template <class WEIGHT_TYPE, class INPUT_TYPE, class GRAD_OUTPUT_TYPE, class GRAD_INPUT_TYPE>
struct ConvBpContext {
  using WeightType = WEIGHT_TYPE;
  using InputType = INPUT_TYPE;
  using GradOutputType = GRAD_OUTPUT_TYPE;
  using GradInputType = GRAD_INPUT_TYPE;
  using SrcT = typename WEIGHT_TYPE::Type;
  using DstT = typename GRAD_INPUT_TYPE::Type;

  static constexpr simulation::ElementType element = simulation::element_type<SrcT>();
  static constexpr bool isScratch = GRAD_INPUT_TYPE::format == ConvCommonApi::ConvFormat::NCDHW;

  static_assert(element != simulation::ElementType::None,
                "weight: its elements must be half, bfloat16_t or float");
  static_assert(std::is_same_v<SrcT, typename GRAD_OUTPUT_TYPE::Type>,
                "gradOutput: its elements must be the weight's");
  static_assert(std::is_same_v<SrcT, DstT>, "gradInput: its elements must be the weight's");
  static_assert(std::is_same_v<typename INPUT_TYPE::Type, int32_t>,
                "inputSize: its elements must be int32_t");
  static_assert(simulation::is_global<WEIGHT_TYPE>(ConvCommonApi::ConvFormat::FRACTAL_Z_3D),
                "weight: it must be FRACTAL_Z_3D in GM");
  static_assert(simulation::is_global<INPUT_TYPE>(ConvCommonApi::ConvFormat::ND),
                "inputSize: it must be ND in GM");
  static_assert(simulation::is_global<GRAD_OUTPUT_TYPE>(ConvCommonApi::ConvFormat::NDC1HWC0),
                "gradOutput: it must be NDC1HWC0 in GM");
  static_assert(simulation::is_global<GRAD_INPUT_TYPE>(ConvCommonApi::ConvFormat::NDC1HWC0,
                                                       ConvCommonApi::ConvFormat::NCDHW),
                "gradInput: it must be NDC1HWC0 or NCDHW in GM");
};

/// Types and configuration of a Conv3DBackpropInput, as one template argument.
template <class WEIGHT_TYPE, class INPUT_TYPE, class GRAD_OUTPUT_TYPE, class GRAD_INPUT_TYPE,
          const Conv3dConfig& CONV3D_CONFIG = CONV3D_CFG_DEFAULT>
struct Conv3DBpInputCfg
    : public ConvBpContext<WEIGHT_TYPE, INPUT_TYPE, GRAD_OUTPUT_TYPE, GRAD_INPUT_TYPE> {
  static constexpr const Conv3dConfig& config = CONV3D_CONFIG;
};

template <typename Intf, class Config>
struct Conv3DBpInputImpl {
  /// State of one Conv3DBackpropInput object.
  struct ContextData : public Config {
    /// The next Iterate computes the first tile of a task. Set when another task begins.
    bool isFirstIter_ = true;
    simulation::BackpropInput gradient{Config::element, Config::isScratch};
  };
};

/// Conv3DBackpropInput of one core: gradInput of one task after the other, tile by tile.
///
///   Init(&tiling);
///   for each task {
///     SetSingleShape; SetStartPosition; SetGradOutput; SetWeight   (any order)
///     while (Iterate()) GetTensorC(gradInput);
///     ctx.isFirstIter_ = true;
///   }
///   End();
template <class Config_, template <typename, class> class Impl>
struct Conv3DBpInputIntf {
  using Config = Config_;
  using Ext = Impl<Conv3DBpInputIntf, Config>;
  using SrcT = typename Config::SrcT;
  using DstT = typename Config::DstT;
  using ContextData = typename Ext::ContextData;

  ContextData ctx;

  /// The tiling must stay as it is until End.
  __aicore__ inline void Init(const TConv3DBackpropInputTiling* __restrict tiling) {
    ctx.gradient.init(tiling);
    ctx.isFirstIter_ = true;
  }

  /// From the first channel block that the task computes.
  __aicore__ inline void SetWeight(const AscendC::GlobalTensor<SrcT>& weight) {
    ctx.gradient.set_weight(weight.window());
  }

  /// From the sample's first D slice, at the first row that the task reads.
  __aicore__ inline void SetGradOutput(const AscendC::GlobalTensor<SrcT>& gradOutput) {
    ctx.gradient.set_grad_output(gradOutput.window());
  }

  /// M: positions, whole rows of one D slice. K: Cout in whole blocks times the kernel's taps. N:
  /// input channels.
  __aicore__ inline void SetSingleShape(uint64_t singleShapeM, uint64_t singleShapeK,
                                        uint32_t singleShapeN) {
    ctx.gradient.set_single_shape(singleShapeM, singleShapeK, singleShapeN);
  }

  /// The D slice of gradInput, and its first row less backpropPadUp.
  __aicore__ inline void SetStartPosition(uint32_t curDinStartIdx, int32_t curHoStartIdx) {
    ctx.gradient.set_start_position(curDinStartIdx, curHoStartIdx);
  }

  /// Computes the next tile; false once there is none. Its arguments are reserved.
  template <bool sync = true>
  __aicore__ inline bool Iterate([[maybe_unused]] bool enPartialSum = false) {
    return ctx.gradient.iterate(ctx.isFirstIter_);
  }

  /// Stores the tile, or adds it to memory where enAtomic is 1. From batch and group, at the first
  /// channel block and the first row of the task; D slices are counted from the first.
  template <bool sync = true>
  __aicore__ inline void GetTensorC(const AscendC::GlobalTensor<DstT>& output, uint8_t enAtomic = 0,
                                    bool enSequentialWrite = false) {
    ctx.gradient.get_tensor_c(output.window(), enAtomic, enSequentialWrite);
  }

  __aicore__ inline void End() { ctx.gradient.end(); }
};

template <class WEIGHT_TYPE, class INPUT_TYPE, class GRAD_OUTPUT_TYPE, class GRAD_INPUT_TYPE>
using Conv3DBackpropInput =
    Conv3DBpInputIntf<Conv3DBpInputCfg<WEIGHT_TYPE, INPUT_TYPE, GRAD_OUTPUT_TYPE, GRAD_INPUT_TYPE,
                                       CONV3D_CFG_DEFAULT>,
                      Conv3DBpInputImpl>;

}  // namespace ConvBackpropApi

#endif
