#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "kernel/api/conv_tbc/rule.h"
#include "kernel/api/convolution_rules/words.h"
#include "kernel/operators/call/checked.h"

namespace gradproof::kernel::api::conv_tbc {
namespace {

using operators::Checked;
using parameter_checks::ProductSet;
using parameter_checks::text;
using parameter_checks::words;

constexpr std::int64_t highest_pad = std::numeric_limits<std::int32_t>::max();
constexpr int keep_dtype = 0, use_fp16 = 2, use_hf32 = 3;

bool has_rank(const Argument<Tensor>& tensor, std::size_t rank) {
  return tensor.value && tensor.value->view_shape.size() == rank;
}

Finding input_channels_differ(const Call& call) {
  if (!has_rank(call.input, 3) || !has_rank(call.weight, 3)) return std::nullopt;
  if (length(call.input, 2) == length(call.weight, 1)) return std::nullopt;
  return text("axis 2 of input has ", length(call.input, 2), " channels, axis 1 of weight ",
              length(call.weight, 1), "; they must be equal");
}

Finding bias_differs(const Call& call) {
  if (!has_rank(call.bias, 1) || !has_rank(call.weight, 3)) return std::nullopt;
  if (length(call.bias, 0) == length(call.weight, 2)) return std::nullopt;
  return text("bias has ", length(call.bias, 0), " elements, axis 2 of weight ",
              length(call.weight, 2), "; they must be equal");
}

Finding pad_outside(const Call& call) {
  if (call.pad >= 0 && call.pad <= highest_pad) return std::nullopt;
  return text("pad is ", call.pad, "; it must lie in [0, ", highest_pad, "]");
}

/// The highest value is the page's alone.
aclnnStatus invalid_if_negative(const Call& call) {
  return call.pad < 0 ? ACLNN_ERR_PARAM_INVALID : ACLNN_SUCCESS;
}

Finding self_differs(const Call& call) {
  const bool is_defined = has_rank(call.self, 3) && has_rank(call.input, 3) &&
                          has_rank(call.weight, 3) && call.pad >= 0;
  if (!is_defined) return std::nullopt;
  const auto positions =
      (Checked(call.pad) * 2 + length(call.input, 0) + 1 - length(call.weight, 0)).value();
  if (!positions || *positions < 0) {
    return text("weight has ", length(call.weight, 0), " taps; input with its padding must have ",
                "as many positions, and 64 bits must hold them");
  }
  const std::array due{*positions, length(call.input, 1), length(call.weight, 2)};
  if (std::ranges::equal(call.self.value->view_shape, due)) return std::nullopt;
  return text("self has shape ", words(call.self.value->view_shape),
              "; input, weight and pad make it ", words(due));
}

using Pair = std::pair<const Argument<Tensor>*, const Argument<Tensor>*>;

/// Each gradient and what it is the gradient of.
std::array<Pair, 3> gradients(const Call& call) {
  return {Pair{&call.grad_input, &call.input},
          {&call.grad_weight, &call.weight},
          {&call.grad_bias, &call.bias}};
}

Finding gradient_shape_differs(const Call& call) {
  for (const auto& [gradient, of] : gradients(call)) {
    if (!gradient->value || !of->value) continue;
    if (gradient->value->view_shape == of->value->view_shape) continue;
    return text(gradient->name, " has shape ", words(gradient->value->view_shape),
                "; it must be that of ", of->name, ", ", words(of->value->view_shape));
  }
  return std::nullopt;
}

Finding gradient_dtype_differs(const Call& call) {
  for (const auto& [gradient, of] : gradients(call)) {
    if (!gradient->value || !of->value) continue;
    if (gradient->value->data_type == of->value->data_type) continue;
    return text(gradient->name, " has dtype ", words(gradient->value->data_type),
                "; it must be that of ", of->name, ", ", words(of->value->data_type));
  }
  return std::nullopt;
}

aclnnStatus invalid_on_a5(const Call& call) {
  return call.on_a5() ? ACLNN_ERR_PARAM_INVALID : ACLNN_SUCCESS;
}

bool is_bfloat16_as_fp16(const Call& call) {
  return call.set() != ProductSet::A1 && call.cube_math_type == use_fp16 &&
         promoted(call) == ACL_BF16;
}

Finding mode_not_allowed(const Call& call) {
  const int mode = call.cube_math_type;
  if (mode < keep_dtype || mode > use_hf32) {
    return text("cubeMathType is ", mode,
                "; it must be 0 KEEP_DTYPE, 1 ALLOW_FP32_DOWN_PRECISION, ",
                "2 USE_FP16 or 3 USE_HF32");
  }
  const bool is_old_float = call.set() == ProductSet::A1 && promoted(call) == ACL_FLOAT;
  if (is_old_float && (mode == keep_dtype || mode == use_hf32)) {
    return text("cubeMathType is ", mode, " and the promoted dtype is FLOAT; ",
                device::name_of(call.product), " multiplies FLOAT16 only: use 1 or 2");
  }
  if (!is_bfloat16_as_fp16(call)) return std::nullopt;
  return "cubeMathType is 2 USE_FP16 and the promoted dtype is BFLOAT16; it allows 0, 1 and 3";
}

/// The released library computes BFLOAT16 in its own type then.
aclnnStatus invalid_but_for_bfloat16(const Call& call) {
  return is_bfloat16_as_fp16(call) ? ACLNN_SUCCESS : ACLNN_ERR_PARAM_INVALID;
}

Finding dtypes_differ(const Call& call) {
  for (const auto* tensor : {&call.input, &call.weight, &call.bias}) {
    if (!call.self.value || !tensor->value) continue;
    if (tensor->value->data_type == call.self.value->data_type) continue;
    return text(tensor->name, " has dtype ", words(tensor->value->data_type),
                "; it must be that of self, ", words(call.self.value->data_type));
  }
  return std::nullopt;
}

constexpr ConvTbcRule relation_rows[] = {
    {"TBC-06", "shape of weight", invalid, invalid, input_channels_differ},
    {"TBC-07", "shape of bias", invalid, invalid, bias_differs},
    {"TBC-08", "parameter pad", invalid, invalid_if_negative, pad_outside},
    {"TBC-09", "shape of self", invalid, invalid, self_differs},
    {"TBC-10", "shapes of the gradients", invalid, invalid, gradient_shape_differs},
    {"TBC-11", "parameter cubeMathType", invalid, invalid_but_for_bfloat16, mode_not_allowed},
    {"TBC-12", "dtypes of the gradients", invalid, invalid_on_a5, gradient_dtype_differs},
    {"TBC-13", "dtypes of the parameters", invalid, success, dtypes_differ},
};

}  // namespace

Rules relation_rules() { return relation_rows; }

}  // namespace gradproof::kernel::api::conv_tbc
