#ifndef GRADPROOF_LIB_CONV3D_BP_INPUT_API_H
#define GRADPROOF_LIB_CONV3D_BP_INPUT_API_H

#include <cstdint>
#include <type_traits>

#include "lib/conv_backprop/conv3d_bp_input_tiling_data.h"
#include "lib/conv_backprop/conv_backprop_intf.h"

namespace ConvBackpropApi {

using AscendC::tiling::TConv3DBackpropInputTiling;

namespace simulation {
template <>
std::unique_ptr<Backprop<TConv3DBackpropInputTiling>> new_backprop(ElementType element,
                                                                   bool isScratch);
}

/// The types of one computation, and what is computed on.
template <class WEIGHT_TYPE, class INPUT_TYPE, class GRAD_OUTPUT_TYPE, class GRAD_INPUT_TYPE>
struct ConvBpContext {
  using WeightType = WEIGHT_TYPE;
  using InputType = INPUT_TYPE;
  using GradOutputType = GRAD_OUTPUT_TYPE;
  using GradInputType = GRAD_INPUT_TYPE;
  using SrcT = typename WEIGHT_TYPE::Type;
  using DstT = typename GRAD_INPUT_TYPE::Type;
  using Tiling = TConv3DBackpropInputTiling;

  static constexpr simulation::ElementType element = simulation::element_type<SrcT>();
  static constexpr bool isScratch = GRAD_INPUT_TYPE::format == ConvCommonApi::ConvFormat::NCDHW;
  static constexpr uint8_t enAtomicByDefault = 0;

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
using Conv3DBpInputImpl = ConvBackpropImpl<Intf, Config>;

/// Conv3DBackpropInput of one core: rows of one D slice of gradInput, in one sample.
template <class Config_, template <typename, class> class Impl>
struct Conv3DBpInputIntf
    : public ConvBackpropIntf<Config_, Impl, Conv3DBpInputIntf<Config_, Impl>> {
  /// Sets the weight, from the first channel block that the task computes.
  __aicore__ inline void SetWeight(const AscendC::GlobalTensor<typename Config_::SrcT>& weight) {
    this->ctx.gradient->set_operand(weight.window());
  }

  /// Sets the shape of the task. M: positions, whole rows of one D slice. K: Cout in whole blocks
  /// times the kernel's taps. N: input channels.
  __aicore__ inline void SetSingleShape(uint64_t singleShapeM, uint64_t singleShapeK,
                                        uint32_t singleShapeN) {
    this->ctx.gradient->set_single_shape(singleShapeM, singleShapeK, singleShapeN);
  }

  /// Sets the D slice of gradInput, and its first row less backpropPadUp.
  __aicore__ inline void SetStartPosition(uint32_t curDinStartIdx, int32_t curHoStartIdx) {
    this->ctx.gradient->set_start_position(curDinStartIdx, curHoStartIdx);
  }
};

template <class WEIGHT_TYPE, class INPUT_TYPE, class GRAD_OUTPUT_TYPE, class GRAD_INPUT_TYPE>
using Conv3DBackpropInput =
    Conv3DBpInputIntf<Conv3DBpInputCfg<WEIGHT_TYPE, INPUT_TYPE, GRAD_OUTPUT_TYPE, GRAD_INPUT_TYPE,
                                       CONV3D_CFG_DEFAULT>,
                      Conv3DBpInputImpl>;

}  // namespace ConvBackpropApi

#endif
