#include <fmt/core.h>

#include <algorithm>

#include "oracle/rules/all.h"
#include "oracle/rules/forward_call.h"
#include "oracle/rules/messages.h"

namespace gradproof::oracle::rules {
namespace {

// Products and null pointers.

using namespace codes;
using corpus::DataType;
using corpus::Product;

Standing product_has_operator(const Facts& facts) {
  if (is_tbc(facts) || is_depthwise(facts)) return met_if(is_a23(facts) || is_a5(facts));
  return met_if(facts.product != Product::Ascend910 && facts.product != Product::Ascend310);
}

/// The released checks let 910 and 310P through, and depthwise calls on 310B.
Consequence product_lacks_operator(const Facts& facts) {
  const bool passes = facts.product == Product::Ascend910 || is_310p(facts) ||
                      (is_310b(facts) && is_depthwise(facts));
  if (passes) return {invalid, success, {success, invalid, device_refuses}};
  return {invalid, invalid, {invalid, device_refuses}};
}

std::string words_for_product(const Facts& facts) {
  return fmt::format("soc is {}, which {} does not run on", chip(facts),
                     corpus::name_of(facts.test_case.api));
}

Standing is_plane_on_310b(const Facts& facts) {
  if (!is_310b(facts) || axes_of(facts) == 0) return Standing::Undefined;
  return met_if(axes_of(facts) == 2 && !is_transposed(facts));
}

Standing is_no_transposed_volume(const Facts& facts) {
  if (!is_310p(facts) || axes_of(facts) == 0) return Standing::Undefined;
  return met_if(!(axes_of(facts) == 3 && is_transposed(facts)));
}

bool is_half(const corpus::TensorCase* tensor) {
  return tensor == nullptr || tensor->dtype == DataType::Float16;
}

Standing volume_is_half(const Facts& facts) {
  if (!is_310p(facts) || axes_of(facts) != 3) return Standing::Undefined;
  return met_if(is_half(x_of(facts)) && is_half(w_of(facts)) && is_half(y_of(facts)) &&
                is_half(b_of(facts)));
}

std::string words_for_dimensions(const Facts& facts) {
  return fmt::format("a{} {}D convolution on {}", is_transposed(facts) ? " transposed" : "",
                     axes_of(facts), chip(facts));
}

Standing maps_are_there(const Facts& facts) {
  const auto maps = maps_of(facts);
  return met_if(
      std::ranges::all_of(maps, [](const auto& named) { return named.tensor != nullptr; }));
}

Standing arrays_are_there(const Facts& facts) {
  return met_if(facts.stride && facts.padding && facts.dilation);
}

Standing output_padding_is_there(const Facts& facts) {
  if (!is_transposed(facts)) return Standing::Undefined;
  return met_if(facts.output_padding != nullptr);
}

/// Null, of any length, with any values.
Standing output_padding_is_not_read(const Facts& facts) {
  if (is_transposed(facts)) return Standing::Undefined;
  const auto* values = facts.output_padding;
  if (values == nullptr) return Standing::Permitted;
  const bool has_others = axes_of(facts) != 0 && values->size() != axes_of(facts);
  return permitted_if(has_others ||
                      std::ranges::any_of(*values, [](auto value) { return value != 0; }));
}

constexpr StatusRule rows[] = {
    forward_rule("FW-PROD-01", {"the product has the operator", "产品须支持该算子"}, forward_calls,
                 product_has_operator, product_lacks_operator, words_for_product),
    forward_rule(
        "FW-PROD-02",
        {"Ascend310B: 2D and not transposed", "Ascend310B 仅支持 2D 且 transposed 为 false"},
        of_convolution, is_plane_on_310b,
        [](const Facts&) -> Consequence {
          return {invalid, invalid, {invalid, device_refuses}};
        },
        words_for_dimensions),
    forward_rule(
        "FW-PROD-03",
        {"Ascend310P: a 3D call is not transposed", "Ascend310P 的 3D 场景 transposed 须为 false"},
        of_convolution, is_no_transposed_volume,
        [](const Facts&) -> Consequence {
          return {invalid, {success, device_refuses}, {success, invalid, device_refuses}};
        },
        words_for_dimensions),
    forward_rule("FW-PROD-04",
                 {"Ascend310P: the tensors of a 3D call are FLOAT16",
                  "Ascend310P 的 3D 场景数据类型须为 FLOAT16"},
                 of_convolution, volume_is_half, refused_by_the_pages,
                 [](const Facts&) { return std::string("a tensor of a 3D call is not FLOAT16"); }),
    forward_rule("FW-NULL-01",
                 {"input, weight and output are not null", "input、weight 和 output 不能为空指针"},
                 forward_calls, maps_are_there, always_nullptr,
                 [](const Facts& facts) {
                   const auto maps = maps_of(facts);
                   const auto* null = std::ranges::find_if(
                       maps, [](const auto& named) { return named.tensor == nullptr; });
                   return fmt::format("{} is a null pointer", null->name);
                 }),
    forward_rule(
        "FW-NULL-02",
        {"stride, padding and dilation are not null", "stride、padding 和 dilation 不能为空指针"},
        of_maps, arrays_are_there, always_nullptr,
        [](const Facts& facts) {
          return fmt::format("{} is a null pointer", !facts.stride    ? "stride"
                                                     : !facts.padding ? "padding"
                                                                      : "dilation");
        }),
    forward_rule("FW-NULL-03",
                 {"transposed: outputPadding is not null",
                  "transposed 为 true 时 outputPadding 不能为空指针"},
                 of_convolution, output_padding_is_there, always_nullptr,
                 [](const Facts&) { return std::string("outputPadding is a null pointer"); }),
    forward_rule(
        "FW-NULL-04",
        {"not transposed: outputPadding is not read", "transposed 为 false 时不读取 outputPadding"},
        of_convolution, output_padding_is_not_read, always_legal,
        [](const Facts&) {
          return std::string("outputPadding is not read, the call is not transposed");
        }),
    forward_rule(
        "FW-NULL-05", {"bias may be null", "bias 可以为空指针"}, of_maps,
        [](const Facts& facts) { return permitted_if(b_of(facts) == nullptr); }, always_legal,
        [](const Facts&) { return std::string("bias is a null pointer: none is added"); }),
    forward_rule(
        "FW-NULL-06", {"bias is not null", "bias 不能为空指针"}, of_tbc,
        [](const Facts& facts) { return met_if(b_of(facts) != nullptr); }, always_nullptr,
        [](const Facts&) { return std::string("bias is a null pointer"); }),
    forward_rule(
        "FW-NULL-07", {"kernelSize is not null", "kernelSize 不能为空指针"}, of_depthwise,
        [](const Facts& facts) { return met_if(facts.test_case.kernel_size.has_value()); },
        always_nullptr, [](const Facts&) { return std::string("kernelSize is a null pointer"); }),
};

}  // namespace

std::span<const StatusRule> forward_presence_rules() { return rows; }

}  // namespace gradproof::oracle::rules
