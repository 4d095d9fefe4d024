#include <algorithm>

#include "kernel/api/forward/rule.h"

namespace gradproof::kernel::api::forward {
namespace {

using parameter_checks::is_eight_bit;
using parameter_checks::text;
using parameter_checks::words;

constexpr int keep_dtype = 0, use_fp16 = 2, use_hf32 = 3, one_more = 4;

std::optional<aclDataType> dtype_of(const Argument<Tensor>& tensor) {
  if (!tensor.value) return std::nullopt;
  return tensor.value->data_type;
}

bool is_listed_wide(const ForwardCall& call, aclDataType type) {
  return type == ACL_FLOAT || type == ACL_FLOAT16 || (type == ACL_BF16 && !call.on_a1());
}

Finding unlisted_dtype(const ForwardCall& call) {
  for (const auto* tensor : call.maps()) {
    const auto type = dtype_of(*tensor);
    if (!type || is_listed_wide(call, *type)) continue;
    const bool is_listed =
        call.on_a5() && (*type == ACL_HIFLOAT8 ||
                         (is_eight_bit(*type) && call.is_convolution() && call.transposed));
    if (is_listed) continue;
    return text(tensor->name, " has dtype ", words(*type), ", which ",
                device::name_of(call.product), " does not list for this operator");
  }
  return std::nullopt;
}

Finding unlisted_bias_dtype(const ForwardCall& call) {
  const auto type = dtype_of(call.bias);
  if (!type || is_listed_wide(call, *type)) return std::nullopt;
  return text("bias has dtype ", words(*type), ", which ", device::name_of(call.product),
              " does not list for it");
}

/// The released aclnnConvolution takes a BFLOAT16 bias on Ascend310P.
aclnnStatus invalid_but_for_bfloat16_bias(const ForwardCall& call) {
  const bool passes = call.on_310p() && call.is_convolution() && dtype_of(call.bias) == ACL_BF16;
  return passes ? ACLNN_SUCCESS : ACLNN_ERR_PARAM_INVALID;
}

Finding output_dtype_differs(const ForwardCall& call) {
  if (!call.is_convolution() || !call.transposed) return std::nullopt;
  const auto type = dtype_of(call.output), input = dtype_of(call.input), common = promoted(call);
  if (!type || !common || *type == *input || *type == *common) return std::nullopt;
  return text(call.output.name, " has dtype ", words(*type), "; if transposed it must be that of ",
              call.input.name, ", ", words(*input), ", or the promoted one, ", words(*common));
}

/// The released library finds no kernel where a half type would leave the cores as FLOAT.
aclnnStatus failing_if_widened(const ForwardCall& call) {
  const auto common = promoted(call);
  const bool is_widened = dtype_of(call.output) == ACL_FLOAT && !call.on_a1() &&
                          (common == ACL_FLOAT16 || common == ACL_BF16) &&
                          call.cube_math_type != use_fp16;
  return is_widened ? ACLNN_ERR_RUNTIME_ERROR : ACLNN_SUCCESS;
}

Finding dtypes_differ(const ForwardCall& call) {
  if (call.is_convolution()) return std::nullopt;
  const auto type = dtype_of(call.input);
  for (const auto* tensor : call.maps()) {
    const auto other = dtype_of(*tensor);
    if (!type || !other || *other == *type) continue;
    return text(tensor->name, " has dtype ", words(*other), "; it must be that of ",
                call.input.name, ", ", words(*type));
  }
  return std::nullopt;
}

Finding depthwise_bias_differs(const ForwardCall& call) {
  const auto type = dtype_of(call.bias), due = dtype_of(call.input);
  if (!call.is_depthwise() || !type || !due || *type == *due || *due == ACL_HIFLOAT8) {
    return std::nullopt;
  }
  return text("bias has dtype ", words(*type), "; it must be that of ", call.input.name, ", ",
              words(*due));
}

bool is_eight_bit_of(const Argument<Tensor>& tensor) {
  const auto type = dtype_of(tensor);
  return type && is_eight_bit(*type);
}

Finding one_eight_bit_operand(const ForwardCall& call) {
  if (!call.on_a5() || !call.is_convolution() || call.transposed) return std::nullopt;
  if (!dtype_of(call.input) || !dtype_of(call.weight)) return std::nullopt;
  if (is_eight_bit_of(call.input) == is_eight_bit_of(call.weight)) return std::nullopt;
  return text("input has dtype ", words(*dtype_of(call.input)), " and weight ",
              words(*dtype_of(call.weight)), "; both or neither must be of 8 bits");
}

Finding mixed_eight_bits(const ForwardCall& call) {
  if (!call.on_a5() || !call.transposed) return std::nullopt;
  const auto maps = call.maps();
  const auto found = std::ranges::find_if(maps, [](auto* map) { return is_eight_bit_of(*map); });
  if (found == maps.end()) return std::nullopt;
  for (const auto* tensor : maps) {
    if (!dtype_of(*tensor) || dtype_of(*tensor) == dtype_of(**found)) continue;
    return text(tensor->name, " has dtype ", words(*dtype_of(*tensor)), " next to ", (*found)->name,
                " of ", words(*dtype_of(**found)), "; if transposed all three must be of one");
  }
  return std::nullopt;
}

Finding eight_bits_with_bias(const ForwardCall& call) {
  if (!call.on_a5() || !call.transposed || !call.bias.given) return std::nullopt;
  const auto maps = call.maps();
  if (std::ranges::none_of(maps, [](auto* map) { return is_eight_bit_of(*map); })) {
    return std::nullopt;
  }
  return "bias is given; a transposed call of 8-bit tensors takes none";
}

Finding unknown_math_type(const ForwardCall& call) {
  if (call.cube_math_type >= keep_dtype && call.cube_math_type <= use_hf32) return std::nullopt;
  return text("cubeMathType is ", call.cube_math_type,
              "; it must be 0 KEEP_DTYPE, 1 ALLOW_FP32_DOWN_PRECISION, ",
              "2 USE_FP16 or 3 USE_HF32");
}

aclnnStatus invalid_but_for_4(const ForwardCall& call) {
  return call.cube_math_type == one_more ? ACLNN_SUCCESS : ACLNN_ERR_PARAM_INVALID;
}

Finding float_on_half_cube(const ForwardCall& call) {
  const int mode = call.cube_math_type;
  const bool keeps = mode == keep_dtype || mode == use_hf32 || mode == one_more;
  if (!call.on_a1() || promoted(call) != ACL_FLOAT || !keeps) return std::nullopt;
  return text("cubeMathType is ", mode, " and the promoted dtype of ", call.input.name,
              " and weight is FLOAT; ", device::name_of(call.product),
              " multiplies FLOAT16 only: use 1 or 2");
}

Finding bfloat16_as_fp16(const ForwardCall& call) {
  if (call.on_a1() || call.cube_math_type != use_fp16 || promoted(call) != ACL_BF16) {
    return std::nullopt;
  }
  return "cubeMathType is 2 USE_FP16 and the promoted dtype is BFLOAT16; it allows 0, 1 and 3";
}

constexpr ForwardRule dtype_rows[] = {
    {"FW-DTYPE-01", "dtypes of the parameters", invalid, invalid, unlisted_dtype},
    {"FW-DTYPE-02", "dtype of bias", invalid, invalid_but_for_bfloat16_bias, unlisted_bias_dtype},
    {"FW-DTYPE-04", "dtype of output", invalid, failing_if_widened, output_dtype_differs},
    {"FW-DTYPE-05", "dtypes of the parameters", invalid, invalid, dtypes_differ},
    {"FW-DTYPE-06", "dtype of bias", invalid, invalid, depthwise_bias_differs},
    {"FW-F8-01", "8-bit dtypes", invalid, refused, one_eight_bit_operand},
    {"FW-F8-02", "8-bit dtypes, transposed", invalid, success, mixed_eight_bits},
    {"FW-F8-03", "8-bit dtypes, transposed", invalid, invalid, eight_bits_with_bias},
    {"FW-CUBE-01", "parameter cubeMathType", invalid, invalid_but_for_4, unknown_math_type},
    {"FW-CUBE-02", "parameter cubeMathType", invalid, invalid, float_on_half_cube},
    {"FW-CUBE-04", "parameter cubeMathType", invalid, success, bfloat16_as_fp16},
};

}  // namespace

Rules dtype_rules() { return dtype_rows; }

}  // namespace gradproof::kernel::api::forward
