#include <algorithm>
#include <limits>

#include "kernel/api/convolution_rules/rule.h"
#include "kernel/api/convolution_rules/words.h"

// Ranges beyond the lower bounds. The device refuses what lies outside, so a breach is a failure of
// phase one's planning.
namespace gradproof::kernel::api::parameter_checks {
namespace {

constexpr std::int64_t million = 1'000'000;
constexpr std::int64_t size_limit = 2'147'483'646;

struct ValueRange {
  std::int64_t lowest, highest;
};

std::string outside_words(std::string_view name, std::size_t index, std::int64_t value,
                          ValueRange range, const Call& call) {
  return text(name, "[", index, "] is ", value, "; on ", product_words(call),
              " with transposed = ", call.transposed ? "true" : "false", " it must lie in [",
              range.lowest, ", ", range.highest, "]");
}

/// `values` holds the last axes of D, H, W.
Finding outside(const Call& call, std::string_view name, ByAxis values, ValueRange depth,
                ValueRange plane) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ValueRange range = values.size() == 3 && i == 0 ? depth : plane;
    if (values[i] >= range.lowest && values[i] <= range.highest) continue;
    return outside_words(name, i, values[i], range, call);
  }
  return std::nullopt;
}

constexpr ValueRange unlimited{std::numeric_limits<std::int64_t>::min(),
                               std::numeric_limits<std::int64_t>::max()};

bool on_a23_ordinary(const Call& call) { return call.set() == ProductSet::A23 && !call.transposed; }

bool on_a5_transposed(const Call& call) { return call.on_a5() && call.transposed; }

Finding weight_outside(const Call& call) {
  if (!call.weight.value) return std::nullopt;
  const auto& shape = call.weight.value->view_shape;
  if (shape.size() < 3 || shape.size() > 5) return std::nullopt;
  const ValueRange plane{1, 255};
  for (std::size_t axis = shape.size() == 5 ? 3 : 2; axis < shape.size(); ++axis) {
    if (shape[axis] >= plane.lowest && shape[axis] <= plane.highest) continue;
    return outside_words("weight.shape", axis, shape[axis], plane, call);
  }
  return std::nullopt;
}

Finding outside_by_axis(const Call& call, const Argument<Ints>& argument, ValueRange depth,
                        ValueRange plane) {
  const auto values = by_axis(call, argument);
  return values ? outside(call, argument.name, *values, depth, plane) : std::nullopt;
}

/// Four values in 2D are all of H and W.
Finding padding_outside(const Call& call, ValueRange depth, ValueRange plane) {
  if (has_four_paddings(call)) {
    return outside(call, call.padding.name, *call.padding.value, plane, plane);
  }
  return outside_by_axis(call, call.padding, depth, plane);
}

std::string too_large_words(std::string_view name, std::size_t index, std::int64_t value) {
  return text(name, "[", index, "] is ", value, "; it must not exceed ", size_limit);
}

Finding size_too_large(const Call& call) {
  for (const auto* tensor : call.inputs()) {
    if (!tensor->value) continue;
    const auto& shape = tensor->value->view_shape;
    const auto large = std::ranges::find_if(shape, [](std::int64_t n) { return n > size_limit; });
    if (large == shape.end()) continue;
    return too_large_words(tensor->name, static_cast<std::size_t>(large - shape.begin()), *large);
  }
  return std::nullopt;
}

Finding anything_too_large(const Call& call) {
  if (!on_a23_ordinary(call)) return std::nullopt;
  if (Finding finding = size_too_large(call)) return finding;
  const auto stride = by_axis(call, call.stride).value_or(ByAxis{});
  for (std::size_t i = 0; i < stride.size(); ++i) {
    if (stride[i] > size_limit) return too_large_words("stride", i, stride[i]);
  }
  const auto padding = by_axis(call, call.padding).value_or(ByAxis{});
  if (padding.size() != 3 || padding[0] <= size_limit) return std::nullopt;
  return too_large_words("padding", 0, padding[0]);
}

constexpr Rule range_rows[] = {
    {"RANGE-01", "constraints of the Atlas A2 and A3 series, parameter weight", refused_if_planned,
     refused_if_planned,
     [](const Call& call) { return on_a23_ordinary(call) ? weight_outside(call) : std::nullopt; }},
    {"RANGE-02", "constraints of Ascend 950, parameter weight", refused_if_planned,
     refused_if_planned,
     [](const Call& call) { return on_a5_transposed(call) ? weight_outside(call) : std::nullopt; }},
    {"RANGE-03", "constraints of the Atlas A2 and A3 series, parameter stride", refused_if_planned,
     refused_if_planned,
     [](const Call& call) -> Finding {
       if (!on_a23_ordinary(call) || call.rank() != 5) return std::nullopt;
       return outside_by_axis(call, call.stride, unlimited, {1, 63});
     }},
    {"RANGE-04", "constraints of Ascend 950, parameter stride", refused_if_planned,
     refused_if_planned,
     [](const Call& call) -> Finding {
       if (!on_a5_transposed(call)) return std::nullopt;
       return outside_by_axis(call, call.stride, {1, million}, {1, 63});
     }},
    {"RANGE-05", "constraints of the Atlas A2 and A3 series, parameter padding", refused_if_planned,
     refused_if_planned,
     [](const Call& call) -> Finding {
       if (!on_a23_ordinary(call) || call.rank() != 5) return std::nullopt;
       return padding_outside(call, unlimited, {0, 255});
     }},
    {"RANGE-06", "constraints of the Atlas A2 and A3 series, parameter padding", refused_if_planned,
     refused_if_planned,
     [](const Call& call) -> Finding {
       if (!on_a23_ordinary(call) || call.rank() == 5) return std::nullopt;
       return padding_outside(call, unlimited, {0, 255});
     }},
    {"RANGE-07", "constraints of Ascend 950, parameter padding", refused_if_planned,
     refused_if_planned,
     [](const Call& call) -> Finding {
       if (!on_a5_transposed(call)) return std::nullopt;
       return padding_outside(call, {0, million}, {0, 255});
     }},
    {"RANGE-08", "constraints of the Atlas A2 and A3 series, parameter dilation",
     refused_if_planned, refused_if_planned,
     [](const Call& call) -> Finding {
       if (!on_a23_ordinary(call)) return std::nullopt;
       return outside_by_axis(call, call.dilation, {1, 255}, {1, 255});
     }},
    {"RANGE-09", "constraints of Ascend 950, parameter dilation", refused_if_planned,
     refused_if_planned,
     [](const Call& call) -> Finding {
       if (!on_a5_transposed(call)) return std::nullopt;
       return outside_by_axis(call, call.dilation, {1, million}, {1, 255});
     }},
    {"RANGE-10", "parameter groups", refused_if_planned, refused_if_planned,
     [](const Call& call) -> Finding {
       if (call.groups <= 65535) return std::nullopt;
       return text("groups is ", call.groups, "; it must lie in [1, 65535]");
     }},
    {"RANGE-11", "constraints of the Atlas A2 and A3 series, sizes", success, success,
     anything_too_large},
};

}  // namespace

Rules range_rules() { return range_rows; }

}  // namespace gradproof::kernel::api::parameter_checks
