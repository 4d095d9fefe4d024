#include <algorithm>

#include "kernel/api/forward/rule.h"

namespace gradproof::kernel::api::forward {
namespace {

using parameter_checks::text;
using parameter_checks::words;

/// Spatial axes that a range speaks of. HeightWidth: L of a 1D call too.
enum class Over : std::uint8_t { All, Depth, HeightWidth };

using AxisValue = std::int64_t ForwardAxis::*;

/// Largest value that the pages document; the least is a rule of its own.
struct DocumentedRange {
  std::string_view rule;
  bool (*applies)(const ForwardCall& call, std::size_t axes);
  std::string_view name;
  AxisValue value;
  Over over;
  std::int64_t most;
};

bool is_convolution_on(const ForwardCall& call, bool product, bool transposed) {
  return call.is_convolution() && product && call.transposed == transposed;
}

bool a23_transposed(const ForwardCall& call, std::size_t) {
  return is_convolution_on(call, call.on_a23(), true);
}
bool a23_3d(const ForwardCall& call, std::size_t axes) {
  return axes == 3 && is_convolution_on(call, call.on_a23(), false);
}
bool a5_ordinary(const ForwardCall& call, std::size_t) {
  return is_convolution_on(call, call.on_a5(), false);
}
bool a5_3d(const ForwardCall& call, std::size_t axes) {
  return axes == 3 && a5_ordinary(call, axes);
}
bool on_310p(const ForwardCall& call, std::size_t axes) {
  return axes > 1 && call.is_convolution() && call.on_310p();
}
bool older(const ForwardCall& call) { return call.on_a23() || call.on_310p(); }
bool older_3d(const ForwardCall& call, std::size_t axes) {
  return axes == 3 && call.is_convolution() && older(call);
}
bool older_3d_ordinary(const ForwardCall& call, std::size_t axes) {
  return older_3d(call, axes) && !call.transposed;
}
bool older_transposed(const ForwardCall& call, std::size_t) {
  return is_convolution_on(call, older(call), true);
}
bool older_flat(const ForwardCall& call, std::size_t axes) {
  return axes < 3 && is_convolution_on(call, older(call) || call.on_310b(), false);
}
bool depthwise(const ForwardCall& call, std::size_t) { return call.is_depthwise(); }
bool tbc(const ForwardCall& call, std::size_t) { return call.is_tbc(); }
bool tbc_on_a5(const ForwardCall& call, std::size_t) { return call.is_tbc() && call.on_a5(); }

constexpr std::int64_t million = 1'000'000;
constexpr AxisValue input = &ForwardAxis::input, taps = &ForwardAxis::kernel,
                    stride = &ForwardAxis::stride, dilation = &ForwardAxis::dilation,
                    padding = &ForwardAxis::padding_begin;

constexpr DocumentedRange ranges[] = {
    {"FW-RANGE-01", a23_transposed, "kernel size", taps, Over::HeightWidth, 255},
    {"FW-RANGE-02", a23_3d, "kernel size", taps, Over::HeightWidth, 511},
    {"FW-RANGE-03", a5_ordinary, "kernel size", taps, Over::HeightWidth, 511},
    {"FW-RANGE-04", on_310p, "input size", input, Over::HeightWidth, 4096},
    {"FW-RANGE-04", on_310p, "kernel size", taps, Over::All, 255},
    {"FW-RANGE-05", older_3d, "stride", stride, Over::HeightWidth, 63},
    {"FW-RANGE-06", a5_3d, "stride", stride, Over::HeightWidth, 63},
    {"FW-RANGE-06", a5_3d, "stride", stride, Over::Depth, million},
    {"FW-RANGE-07", older_3d, "padding", padding, Over::HeightWidth, 255},
    {"FW-RANGE-08", older_flat, "padding", padding, Over::All, 255},
    {"FW-RANGE-09", a5_3d, "padding", padding, Over::HeightWidth, 255},
    {"FW-RANGE-09", a5_3d, "padding", padding, Over::Depth, million},
    {"FW-RANGE-10", older_transposed, "dilation", dilation, Over::All, 255},
    {"FW-RANGE-11", older_3d_ordinary, "dilation", dilation, Over::HeightWidth, 255},
    {"FW-RANGE-12", a5_3d, "dilation", dilation, Over::HeightWidth, 255},
    {"FW-RANGE-12", a5_3d, "dilation", dilation, Over::Depth, million},
    {"FW-RANGE-15", depthwise, "stride", stride, Over::All, 63},
    {"FW-RANGE-15", depthwise, "padding", padding, Over::All, 255},
    {"FW-RANGE-15", depthwise, "dilation", dilation, Over::All, 255},
    {"FW-RANGE-17", tbc, "pad", padding, Over::All, 255},
    {"FW-RANGE-17", tbc_on_a5, "kernel size", taps, Over::All, 255},
};

bool is_over(Over over, std::size_t axis, std::size_t axes) {
  if (over == Over::All) return true;
  return (axes == 3 && axis == 0) == (over == Over::Depth);
}

std::int64_t largest(const ForwardAxis& axis, AxisValue value) {
  return value == padding ? std::max(axis.padding_begin, axis.padding_end) : axis.*value;
}

Finding above(const DocumentedRange& range, const Geometry& geometry) {
  for (std::size_t i = 0; i < geometry.axes.size(); ++i) {
    const std::int64_t found = largest(geometry.axes[i], range.value);
    if (!is_over(range.over, i, geometry.axes.size()) || found <= range.most) continue;
    return text(range.name, " is ", found, " on spatial axis ", i, "; the page documents at most ",
                range.most);
  }
  return std::nullopt;
}

/// The ranges of one rule.
Finding above(const ForwardCall& call, std::string_view rule) {
  const auto geometry = geometry_of(call);
  if (!geometry || is_empty(call.output)) return std::nullopt;
  for (const DocumentedRange& range : ranges) {
    if (range.rule != rule || !range.applies(call, geometry->axes.size())) continue;
    if (auto found = above(range, *geometry)) return found;
  }
  return std::nullopt;
}

Finding many_groups(const ForwardCall& call) {
  constexpr std::int64_t most = 65535;
  if (call.groups <= most || is_empty(call.output)) return std::nullopt;
  return text("groups is ", call.groups, "; the page documents at most ", most);
}

Finding large_size(const ForwardCall& call) {
  if (!call.is_convolution() || !(older(call) || call.on_310b()) || is_empty(call.output)) {
    return std::nullopt;
  }
  for (const auto* tensor : {&call.input, &call.weight, &call.bias}) {
    if (!tensor->value) continue;
    const Ints& shape = tensor->value->view_shape;
    if (std::ranges::none_of(shape, [](std::int64_t size) { return size > million; })) continue;
    return text(tensor->name, " has shape ", words(shape), "; the page documents sizes up to ",
                million);
  }
  return std::nullopt;
}

Finding many_depthwise_channels(const ForwardCall& call) {
  constexpr std::int64_t most = 65535;
  const auto geometry = geometry_of(call);
  const bool is_asked = geometry && call.is_depthwise() && call.on_a23() && !is_empty(call.output);
  if (!is_asked || geometry->input_channels <= most) return std::nullopt;
  return text("self has ", geometry->input_channels, " channels; the page documents at most ",
              most);
}

constexpr std::string_view source = "documented ranges";

/// The rule of ranges[index].
template <std::size_t index>
constexpr ForwardRule rule_of{
    ranges[index].rule, source, refused, success,
    [](const ForwardCall& call) { return above(call, ranges[index].rule); }};

constexpr ForwardRule range_rows[] = {
    rule_of<0>,
    rule_of<1>,
    rule_of<2>,
    rule_of<3>,
    rule_of<5>,
    rule_of<6>,
    rule_of<8>,
    rule_of<9>,
    rule_of<10>,
    rule_of<12>,
    rule_of<13>,
    rule_of<14>,
    {"FW-RANGE-13", source, refused, success, many_groups},
    {"FW-RANGE-14", source, refused, success, large_size},
    rule_of<16>,
    {"FW-RANGE-16", source, refused, success, many_depthwise_channels},
    rule_of<19>,
};

}  // namespace

Rules range_rules() { return range_rows; }

}  // namespace gradproof::kernel::api::forward
