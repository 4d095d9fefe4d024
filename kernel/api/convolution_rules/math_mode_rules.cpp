#include <algorithm>

#include "kernel/api/convolution_rules/rule.h"
#include "kernel/api/convolution_rules/words.h"

namespace gradproof::kernel::api::parameter_checks {
namespace {

constexpr int keep_dtype = 0, use_fp16 = 2, use_hf32 = 3;

bool on_a1(const Call& call) { return call.set() == ProductSet::A1; }
bool on_a23_or_a5(const Call& call) { return call.set() == ProductSet::A23 || call.on_a5(); }

Finding unknown_math_type(const Call& call) {
  if (call.cube_math_type >= keep_dtype && call.cube_math_type <= use_hf32) return std::nullopt;
  return text("cubeMathType is ", call.cube_math_type,
              "; it must be 0 KEEP_DTYPE, 1 ALLOW_FP32_DOWN_PRECISION, 2 USE_FP16 or 3 USE_HF32");
}

Finding float_on_a1(const Call& call, int type, std::string_view name) {
  if (!on_a1(call) || call.cube_math_type != type || promoted(call) != ACL_FLOAT) {
    return std::nullopt;
  }
  return text("cubeMathType is ", type, " ", name, " and the promoted dtype is FLOAT; ",
              product_words(call), " multiplies FLOAT16 only: use 1 or 2");
}

Finding bfloat16_on_a1(const Call& call) {
  const auto inputs = call.inputs();
  const auto found = std::ranges::find_if(inputs, [](const auto* tensor) {
    return tensor->value && tensor->value->data_type == ACL_BF16;
  });
  if (!on_a1(call) || found == inputs.end()) return std::nullopt;
  return text((*found)->name, " has dtype BFLOAT16; ", product_words(call),
              " supports FLOAT and FLOAT16");
}

Finding bfloat16_as_fp16(const Call& call) {
  if (!on_a23_or_a5(call) || call.cube_math_type != use_fp16 || promoted(call) != ACL_BF16) {
    return std::nullopt;
  }
  return "cubeMathType is 2 USE_FP16 and the promoted dtype is BFLOAT16; BFLOAT16 allows 0, 1 and "
         "3";
}

Finding half_with_hf32(const Call& call) {
  const auto type = promoted(call);
  const bool is_half = type == ACL_FLOAT16 || type == ACL_BF16;
  if (!on_a23_or_a5(call) || call.cube_math_type != use_hf32 || !is_half) return std::nullopt;
  return "cubeMathType is 3 USE_HF32 and the promoted dtype is not FLOAT";
}

Finding float_grad_weight_of_grouped_halves(const Call& call) {
  const bool applies = call.set() == ProductSet::A23 && call.rank() == 5 &&
                       call.mask().grad_weight && call.groups > 1 && call.grad_weight.value &&
                       call.grad_weight.value->data_type == ACL_FLOAT;
  const auto type = promoted(call);
  const bool halves =
      type && (call.cube_math_type == use_fp16 || type == ACL_FLOAT16 || type == ACL_BF16);
  if (!applies || !halves) return std::nullopt;
  return text("gradWeight is FLOAT in a 3D problem of ", call.groups,
              " groups that is computed in half precision");
}

Finding eight_bit_with_math_type(const Call& call) {
  const auto type = promoted(call);
  const bool ignored = call.cube_math_type > keep_dtype && call.cube_math_type <= use_hf32;
  if (!call.on_a5() || !type || !is_eight_bit(*type) || !ignored) return std::nullopt;
  return text("cubeMathType is ", call.cube_math_type, " and the tensors are ", words(*type));
}

constexpr Rule math_mode_rows[] = {
    {"CUBE-01", "parameter cubeMathType", invalid, invalid, unknown_math_type},
    {"CUBE-02", "parameter cubeMathType", invalid, invalid,
     [](const Call& call) { return float_on_a1(call, keep_dtype, "KEEP_DTYPE"); }},
    {"CUBE-03", "parameter cubeMathType", invalid, invalid,
     [](const Call& call) { return float_on_a1(call, use_hf32, "USE_HF32"); }},
    {"CUBE-04", "parameter cubeMathType", invalid, invalid, bfloat16_on_a1},
    {"CUBE-05", "parameter cubeMathType", invalid, success, bfloat16_as_fp16},
    {"CUBE-06", "parameter cubeMathType", success, success, half_with_hf32},
    {"CUBE-07", "parameter gradWeight", success, invalid, float_grad_weight_of_grouped_halves},
    {"CUBE-08", "parameter cubeMathType", success, success, eight_bit_with_math_type},
};

}  // namespace

Rules math_mode_rules() { return math_mode_rows; }

}  // namespace gradproof::kernel::api::parameter_checks
