#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "kernel/api/convolution_rules/call.h"

namespace gradproof::kernel::api::conv_tbc {

using parameter_checks::Argument;

/// Name in messages.
inline constexpr std::string_view function = "aclnnConvTbcBackward";

/// One call of aclnnConvTbcBackwardGetWorkspaceSize and the device it is for. Maps have shape
/// [length, batch, channels], the weight [kernel, input channels, output channels].
struct Call : parameter_checks::AnyCall {
  Argument<Tensor> self{.name = "self"}, input{.name = "input"}, weight{.name = "weight"},
      bias{.name = "bias"};
  std::int64_t pad = 0;
  int cube_math_type = 0;
  Argument<Tensor> grad_input{.name = "gradInput"}, grad_weight{.name = "gradWeight"},
      grad_bias{.name = "gradBias"};

  /// Tensors in the order of the parameters.
  std::array<const Argument<Tensor>*, 7> tensors() const {
    return {&self, &input, &weight, &bias, &grad_input, &grad_weight, &grad_bias};
  }
};

/// The dtype that cubeMathType applies to: that of self, input and weight, FLOAT where they differ.
/// Nullopt where one of them has no dtype of the operator.
std::optional<aclDataType> promoted(const Call& call);

/// Returns 0, or the code of phase one after reporting each rule that the call breaks.
aclnnStatus check(const Call& call);

}  // namespace gradproof::kernel::api::conv_tbc
