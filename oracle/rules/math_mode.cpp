#include <fmt/core.h>

#include <algorithm>

#include "oracle/rules/all.h"
#include "oracle/rules/messages.h"

namespace gradproof::oracle::rules {
namespace {

using namespace codes;
using corpus::DataType;
using corpus::OutputRole;

constexpr std::string_view source_of_modes = "aclnnConvolutionBackward, parameter cubeMathType";

constexpr int keep_dtype = 0;
constexpr int use_fp16 = 2;
constexpr int use_hf32 = 3;

int mode(const Facts& facts) { return facts.test_case.cube_math_type; }

bool is_half(DataType type) { return type == DataType::Float16 || type == DataType::BFloat16; }

std::string words_for_mode(const Facts& facts) {
  return fmt::format(
      "cubeMathType is {} and the promoted dtype is {}; {} does not support that", mode(facts),
      facts.promoted ? corpus::name_of(*facts.promoted) : std::string_view("none"), chip(facts));
}

std::string words_for_harmless_mode(const Facts& facts) {
  return fmt::format("cubeMathType {} is legal with promoted dtype {} on {} and has no effect",
                     mode(facts), corpus::name_of(facts.promoted.value_or(DataType::Float)),
                     chip(facts));
}

/// The promoted dtype, not that of a tensor, is computed with (see the table of
/// docs/gradients.md).
template <DataType type, int refused>
Standing is_not_combined(const Facts& facts) {
  if (!facts.promoted) return Standing::Undefined;
  return met_if(*facts.promoted != type || mode(facts) != refused);
}

/// Older releases knew a fourth and a fifth mode.
Consequence no_such_mode(const Facts& facts) {
  if (mode(facts) == 4 || mode(facts) == 5) return {invalid, invalid, {success, invalid}};
  return always_invalid(facts);
}

Standing no_bfloat16(const Facts& facts) {
  return met_if(std::ranges::none_of(facts.inputs(), [](const corpus::TensorCase* tensor) {
    return tensor && tensor->dtype == DataType::BFloat16;
  }));
}

/// D-01: the released library computes it in FLOAT16; its values are judged so
/// (arithmetic_model.cpp).
Consequence bfloat16_as_fp16(const Facts&) { return {invalid, success, {success, invalid, inner}}; }

Consequence half_with_hf32(const Facts& facts) {
  return facts.product_class == ProductClass::A5 ? always_legal(facts) : legal_or_invalid(facts);
}

// CUBE-07: a FLOAT weight gradient of several groups, computed in half precision.

bool has_float_dw_of_half_groups(const Facts& facts) {
  return facts.is_requested(OutputRole::GradWeight) && facts.test_case.groups > 1 &&
         facts.grad_weight->dtype == DataType::Float &&
         (mode(facts) == use_fp16 || is_half(*facts.promoted));
}

/// Standing of a FLOAT dw with half groups. In 1D and 2D the documents and the library allow it,
/// the latter not where it lifts the call to 3D.
Standing no_float_dw_of_half_groups(const Facts& facts) {
  const bool defined =
      facts.rank != 0 && facts.mask_is_known && facts.grad_weight && facts.promoted;
  if (!defined) return Standing::Undefined;
  if (facts.rank == 5) return met_if(!has_float_dw_of_half_groups(facts));
  return permitted_if(has_float_dw_of_half_groups(facts));
}

/// Released in 1D and 2D: a deterministic call without gradInput is lifted to 3D and then refused
/// as there.
Consequence float_dw_of_half_groups(const Facts& facts) {
  if (facts.rank == 5) {
    // An empty problem returns before this check is reached.
    const StatusSet released =
        facts.path == Path::EmptyInput ? StatusSet{success, invalid} : StatusSet(invalid);
    return {success, released, {success, invalid}};
  }
  const bool lifted = facts.path != Path::EmptyInput && facts.test_case.deterministic &&
                      !facts.is_requested(OutputRole::GradInput);
  return {success, lifted ? StatusSet{success, inner} : StatusSet(success), {success, inner}};
}

std::string words_for_float_dw(const Facts& facts) {
  return fmt::format(
      "gradWeight is FLOAT, groups is {}, cubeMathType {} and the promoted dtype {}: legal, though "
      "the released library refuses it in 3D",
      facts.test_case.groups, mode(facts),
      corpus::name_of(facts.promoted.value_or(DataType::Float)));
}

constexpr StatusRule math_mode_rows[] = {
    {"CUBE-01",
     {"cubeMathType is 0, 1, 2 or 3", "cubeMathType 须为 0、1、2 或 3"},
     source_of_modes,
     on_supported,
     any_path,
     [](const Facts& facts) { return met_if(mode(facts) >= 0 && mode(facts) <= 3); },
     no_such_mode,
     [](const Facts& facts) {
       return fmt::format("cubeMathType is {}; it must be 0, 1, 2 or 3", mode(facts));
     }},
    {"CUBE-02",
     {"FLOAT is not computed with cubeMathType 0",
      "该产品上，数据类型 FLOAT 不能使用 cubeMathType 0"},
     source_of_modes,
     on_a1,
     any_path,
     is_not_combined<DataType::Float, keep_dtype>,
     always_invalid,
     words_for_mode},
    {"CUBE-03",
     {"FLOAT is not computed with cubeMathType 3",
      "该产品上，数据类型 FLOAT 不能使用 cubeMathType 3"},
     source_of_modes,
     on_a1,
     any_path,
     is_not_combined<DataType::Float, use_hf32>,
     always_invalid,
     words_for_mode},
    {"CUBE-04",
     {"no BF16", "该产品不支持数据类型 BF16"},
     source_of_modes,
     on_a1,
     any_path,
     no_bfloat16,
     always_invalid,
     [](const Facts& facts) {
       return fmt::format("an input has dtype BF16, which {} cannot compute in any mode",
                          chip(facts));
     }},
    {"CUBE-05",
     {"BF16 is not computed with cubeMathType 2", "数据类型 BF16 不能使用 cubeMathType 2"},
     source_of_modes,
     on_a23_a5,
     any_path,
     is_not_combined<DataType::BFloat16, use_fp16>,
     bfloat16_as_fp16,
     words_for_mode},
    {"CUBE-06",
     {"cubeMathType 3 has no effect on FLOAT16 and BF16",
      "数据类型 FLOAT16 和 BF16 可以使用 cubeMathType 3，它不起作用"},
     source_of_modes,
     on_a23_a5,
     any_path,
     [](const Facts& facts) {
       if (!facts.promoted) return Standing::Undefined;
       return permitted_if(mode(facts) == use_hf32 && is_half(*facts.promoted));
     },
     half_with_hf32,
     words_for_harmless_mode},
    {"CUBE-07",
     {"no FLOAT gradWeight of several groups from half precision (the library's, 3D)",
      "分组数 groups 大于 1 的 3D 卷积：输入为半精度时，gradWeight 的数据类型不能为 "
      "FLOAT（实现库的限制）"},
     source_of_modes,
     on_a23,
     any_path,
     no_float_dw_of_half_groups,
     float_dw_of_half_groups,
     words_for_float_dw},
    {"CUBE-08",
     {"cubeMathType 1, 2 and 3 have no effect on 8-bit floats",
      "8 位浮点数据类型可以使用 cubeMathType 1、2 和 3，它们不起作用"},
     source_of_modes,
     on_a5,
     any_path,
     [](const Facts& facts) {
       if (!facts.promoted) return Standing::Undefined;
       return permitted_if(mode(facts) >= 1 && mode(facts) <= 3 &&
                           corpus::is_8_bit_float(*facts.promoted));
     },
     always_legal,
     words_for_harmless_mode},
};

}  // namespace

std::span<const StatusRule> math_mode_rules() { return math_mode_rows; }

}  // namespace gradproof::oracle::rules
