#include "kernel/ascendc/tiling/problem.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>

#include <fmt/core.h>

#include "kernel/ascendc/tiling/whole_numbers.h"

namespace gradproof::kernel::ascendc::tiling {
namespace {

using ConvBackpropApi::Conv3DBpInputAxis;
using ConvBackpropApi::Conv3DBpInputRequest;
using ConvCommonApi::ConvDtype;
using ConvCommonApi::ConvFormat;
using Reason = std::optional<std::string>;

// Below it no product of two values overflows int64, nor the sum of two such products.
constexpr std::int64_t largest_value = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t largest_load = 255;        // pads that the loads into L0 can make
constexpr std::int64_t largest_load_stride = 63;  // their steps along H and W
constexpr std::int64_t largest_depth_stride = 255;

struct NamedAxis {
  std::string_view name;
  const Conv3DBpInputAxis& axis;
};

std::array<NamedAxis, 3> axes_of(const Conv3DBpInputRequest& request) {
  return {{{"D", request.d}, {"H", request.h}, {"W", request.w}}};
}

Reason out_of(std::string_view what, std::int64_t value, std::int64_t least, std::int64_t most) {
  if (value >= least && value <= most) return std::nullopt;
  return fmt::format("{} is {}; it must lie in [{}, {}]", what, value, least, most);
}

Reason out_of(const NamedAxis& named, std::string_view what, std::int64_t value, std::int64_t least,
              std::int64_t most) {
  return out_of(fmt::format("{} along {}", what, named.name), value, least, most);
}

Reason first_of(std::initializer_list<Reason> reasons) {
  for (const Reason& reason : reasons) {
    if (reason) return reason;
  }
  return std::nullopt;
}

Reason magnitude_problem(const Conv3DBpInputRequest& request) {
  for (const NamedAxis& named : axes_of(request)) {
    const Conv3DBpInputAxis& a = named.axis;
    for (const std::int64_t value : {a.input, a.kernel, a.output, a.padBefore, a.padAfter, a.stride,
                                     a.dilation, a.outputPadding}) {
      if (auto reason = out_of(named, "a value", value, -largest_value, largest_value)) {
        return reason;
      }
    }
  }
  return first_of({out_of("batch", request.batch, -1, largest_value),
                   out_of("cin", request.cin, -1, largest_value),
                   out_of("cout", request.cout, -1, largest_value)});
}

Reason attribute_problem(const NamedAxis& named) {
  const Conv3DBpInputAxis& a = named.axis;
  return first_of({out_of(named, "padding before", a.padBefore, 0, largest_value),
                   out_of(named, "padding after", a.padAfter, 0, largest_value),
                   out_of(named, "stride", a.stride, 1, largest_value),
                   out_of(named, "dilation", a.dilation, 1, largest_value)});
}

Reason length_problem(const Conv3DBpInputRequest& request) {
  for (const NamedAxis& named : axes_of(request)) {
    auto reason = first_of({out_of(named, "kernel", named.axis.kernel, 1, largest_value),
                            out_of(named, "grad output", named.axis.output, 1, largest_value)});
    if (reason) return reason;
  }
  return first_of({out_of("batch", request.batch, 1, largest_value),
                   out_of("cout", request.cout, 1, largest_value)});
}

Reason format_problem(const Conv3DBpInputRequest& request) {
  if (request.weight.format != ConvFormat::FRACTAL_Z_3D) {
    return fmt::format("weight format is {}; it must be FRACTAL_Z_3D",
                       static_cast<int>(request.weight.format));
  }
  if (request.gradOutput.format != ConvFormat::NDC1HWC0) {
    return fmt::format("grad output format is {}; it must be NDC1HWC0",
                       static_cast<int>(request.gradOutput.format));
  }
  return std::nullopt;
}

// The released class divides by these without a check; this one refuses where it would trap.
Reason input_problem(const Conv3DBpInputRequest& request) {
  for (const NamedAxis& named : axes_of(request)) {
    if (auto reason = out_of(named, "input", named.axis.input, 1, largest_value)) return reason;
  }
  return out_of("cin", request.cin, 1, largest_value);
}

Reason consistency_problem(const NamedAxis& named) {
  const Conv3DBpInputAxis& a = named.axis;
  const std::int64_t reach = (a.kernel - 1) * a.dilation + 1 + a.outputPadding;
  const std::int64_t output = (a.input + a.padBefore + a.padAfter - reach) / a.stride + 1;
  if (output == a.output) return std::nullopt;
  return fmt::format(
      "grad output along {} is {}; input, kernel, padding, stride and dilation "
      "give {}",
      named.name, a.output, output);
}

Reason stride_problem(const Conv3DBpInputRequest& request) {
  if (request.d.stride > request.d.kernel) {
    return fmt::format("stride along D is {}; it must not exceed the kernel, {}", request.d.stride,
                       request.d.kernel);
  }
  const auto positions = product({request.h.input, request.w.input});
  return first_of(
      {out_of("stride along H", request.h.stride, 1, largest_load_stride),
       out_of("stride along W", request.w.stride, 1, largest_load_stride),
       out_of("stride along D", request.d.stride, 1, largest_depth_stride),
       out_of("input H times W", positions, 1, std::numeric_limits<std::uint32_t>::max())});
}

Reason padding_problem(const NamedAxis& named) {
  const std::int64_t most = std::min(largest_load, named.axis.kernel - 1);
  return first_of({out_of(named, "padding before", named.axis.padBefore, 0, most),
                   out_of(named, "padding after", named.axis.padAfter, 0, most)});
}

std::int64_t backprop_pad_before(const Conv3DBpInputAxis& a) {
  return (a.kernel - 1) * a.dilation - a.padBefore;
}

std::int64_t rest_after(const Conv3DBpInputAxis& a) {
  return a.input - a.output * a.stride + a.padBefore;
}

Reason backprop_padding_problem(const Conv3DBpInputRequest& request) {
  for (const NamedAxis& named : {NamedAxis{"W", request.w}, NamedAxis{"H", request.h}}) {
    auto reason = out_of(named, "(kernel - 1) * dilation - padding before",
                         backprop_pad_before(named.axis), 0, largest_load);
    if (reason) return reason;
  }
  for (const NamedAxis& named : axes_of(request)) {
    auto reason = out_of(named, "input - grad output * stride + padding before",
                         rest_after(named.axis), -largest_load, largest_load);
    if (reason) return reason;
  }
  return std::nullopt;
}

template <typename Check>
Reason first_axis_with(const Conv3DBpInputRequest& request, const Check& check) {
  for (const NamedAxis& named : axes_of(request)) {
    if (auto reason = check(named)) return reason;
  }
  return std::nullopt;
}

std::int64_t backprop_pad_after(const Conv3DBpInputAxis& a) {
  const std::int64_t exact = a.input - ((a.output - 1) * a.stride + 1) +
                             (a.kernel - 1) * a.dilation - backprop_pad_before(a);
  if (exact >= 0 && exact <= largest_load) return exact;
  return std::max<std::int64_t>(rest_after(a), 0);
}

void infer_input(Conv3DBpInputAxis& a) {
  a.input = (a.output - 1) * a.stride - a.padBefore - a.padAfter + a.dilation * (a.kernel - 1) +
            a.outputPadding + 1;
}

std::int64_t bytes_of(ConvDtype dtype) {
  switch (dtype) {
    case ConvDtype::FLOAT16:
    case ConvDtype::BF16:
      return 2;
    case ConvDtype::FLOAT32:
    case ConvDtype::INT32:
      return 4;
    case ConvDtype::INT8:
    case ConvDtype::UINT8:
      return 1;
    case ConvDtype::INT64:
    case ConvDtype::UINT64:
      return 8;
    case ConvDtype::INT4:
      break;
  }
  return 0;
}

// Rows past the last window of the convolution that no padding covers: nothing is computed there.
bool leaves_rows(const Conv3DBpInputAxis& a) {
  const std::int64_t room = a.input + a.padBefore + a.padAfter - ((a.kernel - 1) * a.dilation + 1);
  return room % a.stride > a.padAfter;
}

bool needs_zeroed_output(const Conv3DBpInputRequest& request) {
  if (leaves_rows(request.d) || leaves_rows(request.h)) return true;
  if (request.h.stride > request.h.kernel || request.d.dilation > 1) return true;
  return request.isTransposed &&
         (backprop_pad_after(request.h) > 0 || backprop_pad_before(request.d) > 0);
}

// The released class logs this as an error and continues.
std::vector<std::string> output_padding_warnings(const Conv3DBpInputRequest& request) {
  std::vector<std::string> warnings;
  for (const auto& [name, a] : axes_of(request)) {
    if (a.outputPadding < a.stride || a.outputPadding < a.dilation) continue;
    warnings.push_back(
        fmt::format("output padding along {} is {}; it should be below the stride, "
                    "{}, or the dilation, {}",
                    name, a.outputPadding, a.stride, a.dilation));
  }
  return warnings;
}

Reason problem_of(Conv3DBpInputRequest& request) {
  if (auto reason = magnitude_problem(request)) return reason;
  if (auto reason = first_axis_with(request, attribute_problem)) return reason;
  if (auto reason = length_problem(request)) return reason;
  if (auto reason = format_problem(request)) return reason;
  if (request.isTransposed) {
    for (Conv3DBpInputAxis* axis : {&request.d, &request.h, &request.w}) infer_input(*axis);
  }
  if (auto reason = input_problem(request)) return reason;
  if (auto reason = first_axis_with(request, consistency_problem)) return reason;
  if (auto reason = stride_problem(request)) return reason;
  if (auto reason = first_axis_with(request, padding_problem)) return reason;
  return backprop_padding_problem(request);
}

}  // namespace

TilingAxis axis_of(const Conv3DBpInputAxis& a) {
  return {.input = a.input,
          .kernel = a.kernel,
          .output = a.output,
          .pad_before = a.padBefore,
          .pad_after = a.padAfter,
          .stride = a.stride,
          .dilation = a.dilation,
          .backprop_pad_before = backprop_pad_before(a),
          .backprop_pad_after = backprop_pad_after(a)};
}

tl::expected<TilingProblem, std::string> checked(const Conv3DBpInputRequest& given) {
  Conv3DBpInputRequest request = given;
  if (auto reason = problem_of(request)) return tl::unexpected(*reason);
  TilingProblem problem{.batch = request.batch,
                        .cin = request.cin,
                        .cout = request.cout,
                        .d = axis_of(request.d),
                        .h = axis_of(request.h),
                        .w = axis_of(request.w),
                        .element_bytes = bytes_of(request.weight.dtype),
                        .needs_zeroed_output = needs_zeroed_output(request)};
  if (problem.element_bytes == 0) {
    return tl::unexpected(fmt::format("weight dtype is {}; elements must have whole bytes",
                                      static_cast<int>(request.weight.dtype)));
  }
  const auto depth = product({problem.h.kernel, problem.w.kernel, problem.cout1(), problem.c0()});
  if (auto reason = out_of("K, kernel H times W times padded cout", depth, 1,
                           std::numeric_limits<std::uint32_t>::max())) {
    return tl::unexpected(*reason);
  }
  if (request.isTransposed) problem.warnings = output_padding_warnings(request);
  return problem;
}

}  // namespace gradproof::kernel::ascendc::tiling
