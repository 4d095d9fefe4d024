#ifndef GRADPROOF_LIB_CONV3D_BP_FILTER_API_H
#define GRADPROOF_LIB_CONV3D_BP_FILTER_API_H

#include <cstdint>
#include <type_traits>

#include "lib/conv_backprop/conv3d_bp_filter_tiling_data.h"
#include "lib/conv_backprop/conv_backprop_intf.h"

namespace ConvBackpropApi {

using AscendC::tiling::TConv3DBpFilterTiling;

namespace simulation {
template <>
std::unique_ptr<Backprop<TConv3DBpFilterTiling>> new_backprop(ElementType element, bool isScratch);
}

/// The types of one computation.
template <class INPUT_TYPE, class WEIGHT_SIZE_TYPE, class GRAD_OUTPUT_TYPE, class GRAD_WEIGHT_TYPE,
          const Conv3dConfig& CONV3D_CONFIG = CONV3D_CFG_DEFAULT>
struct Conv3DBpFilterCfg {
  using SrcT = typename INPUT_TYPE::Type;
  using DstT = typename GRAD_WEIGHT_TYPE::Type;
  using Tiling = TConv3DBpFilterTiling;

  static constexpr simulation::ElementType element = simulation::element_type<SrcT>();
  static constexpr bool isScratch = false;
  static constexpr uint8_t enAtomicByDefault = 1;
  static constexpr const Conv3dConfig& config = CONV3D_CONFIG;

  static_assert(element != simulation::ElementType::None,
                "input: its elements must be half, bfloat16_t or float");
  static_assert(std::is_same_v<SrcT, typename GRAD_OUTPUT_TYPE::Type>,
                "gradOutput: its elements must be the input's");
  static_assert(std::is_same_v<DstT, float>, "gradWeight: its elements must be float");
  static_assert(std::is_same_v<typename WEIGHT_SIZE_TYPE::Type, int32_t>,
                "weightSize: its elements must be int32_t");
  static_assert(simulation::is_global<INPUT_TYPE>(ConvCommonApi::ConvFormat::NDC1HWC0),
                "input: it must be NDC1HWC0 in GM");
  static_assert(simulation::is_global<WEIGHT_SIZE_TYPE>(ConvCommonApi::ConvFormat::ND),
                "weightSize: it must be ND in GM");
  static_assert(simulation::is_global<GRAD_OUTPUT_TYPE>(ConvCommonApi::ConvFormat::NDC1HWC0),
                "gradOutput: it must be NDC1HWC0 in GM");
  static_assert(simulation::is_global<GRAD_WEIGHT_TYPE>(ConvCommonApi::ConvFormat::FRACTAL_Z_3D),
                "gradWeight: it must be FRACTAL_Z_3D in GM");
};

template <typename Intf, class Config>
using Conv3DBpFilterImpl = ConvBackpropImpl<Intf, Config>;

/// Conv3DBackpropFilter of one core: what one sample and one D slice of gradOutput add to one
/// kernel depth of gradWeight.
template <class Config_, template <typename, class> class Impl>
struct Conv3DBpFilterIntf
    : public ConvBackpropIntf<Config_, Impl, Conv3DBpFilterIntf<Config_, Impl>> {
  /// Sets the D slice that the kernel depth meets, from the task's first channel block, at the
  /// first row that is read: row hoStartIdx * strideH - padUp, or 0 where that is negative.
  __aicore__ inline void SetInput(const AscendC::GlobalTensor<typename Config_::SrcT>& input) {
    this->ctx.gradient->set_operand(input.window());
  }

  /// Sets the task's shape. M: output channels. N: input channels times taps of H and W. K: rows.
  __aicore__ inline void SetSingleShape(uint64_t singleShapeM, uint64_t singleShapeN,
                                        uint64_t singleShapeK) {
    this->ctx.gradient->set_single_shape(singleShapeM, singleShapeN, singleShapeK);
  }

  /// Sets the first row of gradOutput.
  __aicore__ inline void SetStartPosition(uint32_t hoStartIdx) {
    this->ctx.gradient->set_start_position(0, hoStartIdx);
  }
};

template <class INPUT_TYPE, class WEIGHT_SIZE_TYPE, class GRAD_OUTPUT_TYPE, class GRAD_WEIGHT_TYPE>
using Conv3DBackpropFilter =
    Conv3DBpFilterIntf<Conv3DBpFilterCfg<INPUT_TYPE, WEIGHT_SIZE_TYPE, GRAD_OUTPUT_TYPE,
                                         GRAD_WEIGHT_TYPE, CONV3D_CFG_DEFAULT>,
                       Conv3DBpFilterImpl>;

}  // namespace ConvBackpropApi

#endif
