#ifndef GRADPROOF_LIB_CONV3D_BP_CONTEXT_H
#define GRADPROOF_LIB_CONV3D_BP_CONTEXT_H

#include <cstdint>
#include <type_traits>

#include "kernel_operator.h"
#include "lib/conv_backprop/conv_backprop_types.h"

// What Conv3DBackpropInput and Conv3DBackpropFilter share.

namespace ConvBackpropApi {

/// Ways to load the weight. The simulated core has one way, so these choose nothing here.
enum class B2Condition : uint8_t { BASEK_LT_HKWK = 0, BASEK_GE_HKWK, HKWK_EQ_ONE };
/// Choices of CANN's that the simulated core does not need.
struct Conv3dConfig {
  B2Condition loadB2Condition;
  bool enableKernelSplit;
};
inline constexpr Conv3dConfig CONV3D_CFG_DEFAULT = {B2Condition::BASEK_GE_HKWK, false};

/// Implementation behind the templates, in the library ascendc_runtime.
namespace simulation {

enum class ElementType : uint8_t { Half, BFloat16, Float, None };

template <typename T>
constexpr ElementType element_type() {
  if (std::is_same_v<T, half>) return ElementType::Half;
  if (std::is_same_v<T, bfloat16_t>) return ElementType::BFloat16;
  return std::is_same_v<T, float> ? ElementType::Float : ElementType::None;
}

/// True if a tensor lies in global memory in one of the formats.
template <typename Tensor>
constexpr bool is_global(ConvCommonApi::ConvFormat format, ConvCommonApi::ConvFormat orElse) {
  return Tensor::pos == AscendC::TPosition::GM &&
         (Tensor::format == format || Tensor::format == orElse);
}
template <typename Tensor>
constexpr bool is_global(ConvCommonApi::ConvFormat format) {
  return is_global<Tensor>(format, format);
}

}  // namespace simulation
}  // namespace ConvBackpropApi

#endif
