#include "kernel/ascendc/tiling/filter_problem.h"

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string_view>

#include <fmt/core.h>

namespace gradproof::kernel::ascendc::tiling {
namespace {

using ConvBackpropApi::Conv3dBpFilterRequest;
using ConvBackpropApi::Conv3DBpInputAxis;
using ConvCommonApi::ConvDtype;
using ConvCommonApi::ConvFormat;
using Reason = std::optional<std::string>;

constexpr std::int64_t largest_extent = std::numeric_limits<std::int32_t>::max();
// What the loads into L1 and L0 can do in a plane.
constexpr std::int64_t largest_kernel_height = 511, largest_kernel_width = 32, largest_stride = 63,
                       largest_dilation = 255, largest_pad = 255;

/// One value, and where it must lie.
struct Limit {
  std::string_view what;
  std::int64_t value, least, most;
};

Reason first_outside(std::initializer_list<Limit> limits, std::string_view along) {
  for (const Limit& limit : limits) {
    if (limit.value >= limit.least && limit.value <= limit.most) continue;
    return fmt::format("{}{} is {}; it must lie in [{}, {}]", limit.what, along, limit.value,
                       limit.least, limit.most);
  }
  return std::nullopt;
}

/// The largest values along an axis.
struct AxisLimits {
  std::int64_t kernel, stride, dilation, pad;
};

Reason axis_problem(const Conv3DBpInputAxis& a, std::string_view along, const AxisLimits& most) {
  return first_outside({{"kernel", a.kernel, 1, most.kernel},
                        {"input", a.input, 1, largest_extent},
                        {"grad output", a.output, 1, largest_extent},
                        {"stride", a.stride, 1, most.stride},
                        {"dilation", a.dilation, 1, most.dilation},
                        {"padding before", a.padBefore, 0, most.pad},
                        {"padding after", a.padAfter, 0, most.pad}},
                       along);
}

Reason extent_problem(const Conv3dBpFilterRequest& request) {
  if (auto reason = first_outside({{"batch", request.batch, 1, largest_extent},
                                   {"cin", request.cin, 1, largest_extent},
                                   {"cout", request.cout, 1, largest_extent}},
                                  "")) {
    return reason;
  }
  constexpr AxisLimits of_depth{largest_extent, largest_extent, largest_extent, largest_extent};
  constexpr AxisLimits of_height{largest_kernel_height, largest_stride, largest_dilation,
                                 largest_pad};
  constexpr AxisLimits of_width{largest_kernel_width, largest_stride, largest_dilation,
                                largest_pad};
  if (auto reason = axis_problem(request.d, " along D", of_depth)) return reason;
  if (auto reason = axis_problem(request.h, " along H", of_height)) return reason;
  return axis_problem(request.w, " along W", of_width);
}

Reason format_problem(std::string_view what, ConvFormat found, ConvFormat needed,
                      std::string_view name) {
  if (found == needed) return std::nullopt;
  return fmt::format("{} format is {}; it must be {}", what, static_cast<int>(found), name);
}

Reason formats_problem(const Conv3dBpFilterRequest& request) {
  using enum ConvFormat;
  if (auto reason = format_problem("input", request.input.format, NDC1HWC0, "NDC1HWC0")) {
    return reason;
  }
  return format_problem("weight", request.weight.format, FRACTAL_Z_3D, "FRACTAL_Z_3D");
}

std::int64_t bytes_of(ConvDtype dtype) {
  if (dtype == ConvDtype::FLOAT16 || dtype == ConvDtype::BF16) return 2;
  return dtype == ConvDtype::FLOAT32 ? 4 : 0;
}

TilingAxis axis_of(const Conv3DBpInputAxis& a) {
  return {.input = a.input,
          .kernel = a.kernel,
          .output = a.output,
          .pad_before = a.padBefore,
          .pad_after = a.padAfter,
          .stride = a.stride,
          .dilation = a.dilation};
}

}  // namespace

tl::expected<TilingProblem, std::string> checked(const Conv3dBpFilterRequest& request) {
  if (auto reason = extent_problem(request)) return tl::unexpected(*reason);
  if (auto reason = formats_problem(request)) return tl::unexpected(*reason);
  const std::int64_t bytes = bytes_of(request.input.dtype);
  if (bytes == 0) {
    return tl::unexpected(fmt::format("input dtype is {}; it must be FLOAT16, BF16 or FLOAT32",
                                      static_cast<int>(request.input.dtype)));
  }
  return TilingProblem{.batch = request.batch,
                       .cin = request.cin,
                       .cout = request.cout,
                       .d = axis_of(request.d),
                       .h = axis_of(request.h),
                       .w = axis_of(request.w),
                       .element_bytes = bytes,
                       .needs_zeroed_output = true};
}

}  // namespace gradproof::kernel::ascendc::tiling
