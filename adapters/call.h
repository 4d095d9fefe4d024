#pragma once

#include <optional>
#include <vector>

#include "adapters/convolution.h"
#include "adapters/objects.h"

namespace gradproof::adapters {

inline constexpr aclnnStatus null_pointer = 161001, invalid_parameter = 161002,
                             unsupported = 561103, runtime_failure = 361001;

/// Decisions of phase one that phase two carries out; keeps no pointer to the caller's objects.
struct Call {
  aclDataType data_type{};
  Convolution convolution;
  bool transposed = false, is_forward = false;
  aclTensor grad_output, input, weight;
  std::optional<aclTensor> grad_input, grad_weight, grad_bias;  ///< nullopt: not asked for
};

/// The arguments of phase one. A forward call's output is `grad_output`, its bias, which it may
/// lack, `grad_bias`, and its mask asks for nothing; in a Call likewise.
struct Arguments {
  const aclTensor *grad_output, *input, *weight;
  const aclIntArray *stride, *padding, *dilation;
  bool transposed;
  int groups;
  std::vector<bool> output_mask;
  std::int8_t cube_math_type;
  const aclTensor *grad_input, *grad_weight, *grad_bias;
  bool is_forward = false;
};

/// The call lowered to three axes. An error is the status of phase one: a required pointer is null,
/// the arguments do not fit together, or the library lacks what they ask for.
aclnnStatus lower(const Arguments& arguments, Call& call);

/// Computes all gradients asked for, or the output, and writes them. Errors: the runtime's copy
/// that failed.
aclnnStatus carry_out(const Call& call);

}  // namespace gradproof::adapters
