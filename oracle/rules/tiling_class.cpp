#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "oracle/rules/all.h"
#include "oracle/rules/messages.h"
#include "oracle/rules/operator_rules.h"
#include "oracle/tiling/axes.h"

namespace gradproof::oracle::rules {
namespace {

// What GetTiling refuses. TI-nn is check nn of Conv3DBpInputTiling, TF-nn of Conv3dBpFilterTiling.
// A length, stride or pad that the case does not give is one that no setter is told.

using namespace codes;

constexpr corpus::Status tiling_refused = corpus::Status::TilingRefused;
constexpr std::string_view input_document = "Conv3DBackpropInput, tiling class, GetTiling";
constexpr std::string_view filter_document = "Conv3DBackpropFilter, tiling class, GetTiling";

/// GetTiling answers 0 or -1, the same in every profile.
constexpr Consequence refused(const Facts&) {
  return {tiling_refused, tiling_refused, tiling_refused};
}
/// Contradictions that Conv3dBpFilterTiling does not notice.
constexpr Consequence accepted(const Facts&) { return {success, success, success}; }

/// A row of GetTiling of the class `api`.
constexpr StatusRule tiling_row(corpus::Api api, std::string_view id, Clause demand,
                                Standing (*standing)(const Facts&),
                                Consequence (*consequence)(const Facts&),
                                std::string (*words)(const Facts&)) {
  const bool of_input = api == corpus::Api::Conv3DBpInputTiling;
  return {.id = id,
          .demand = demand,
          .source = of_input ? input_document : filter_document,
          .products = on_every_chip,
          .paths = any_path,
          .standing = standing,
          .consequence = consequence,
          .words = words,
          .calls = {api}};
}

constexpr std::string_view axis_letters[] = {"D", "H", "W"};

bool is_transposed(const Facts& facts) { return tiling::is_transposed(graph(facts)); }

std::optional<SpatialAxes> axes_of(const Facts& facts) {
  return tiling::axes_of(graph(facts), facts.output_padding);
}

using AxisCheck = bool (*)(const SpatialAxis&);

template <AxisCheck holds>
Standing holds_on_all_axes(const Facts& facts) {
  const auto axes = axes_of(facts);
  if (!axes) return Standing::Undefined;
  return met_if(std::ranges::all_of(axes->all(), holds));
}

/// "H: in 10, out 4, kernel 3, stride 2, dilation 1, pads 0 and 0, output padding 0".
std::string words_for_axis(std::size_t i, const SpatialAxis& axis) {
  return fmt::format(
      "{}: in {}, out {}, kernel {}, stride {}, dilation {}, pads {} and {}, output padding {}",
      axis_letters[i], axis.big, axis.small, axis.kernel, axis.stride, axis.dilation,
      axis.padding_begin, axis.padding_end, axis.output_padding);
}

template <AxisCheck holds>
std::string words_for_first_axis(const Facts& facts) {
  const auto axes = axes_of(facts);
  for (std::size_t i = 0; axes && i < 3; ++i) {
    if (!holds(axes->values.at(i))) return words_for_axis(i, axes->values.at(i));
  }
  return "an axis is out of range";
}

// Setters

/// A setter contradicts only a positive length told before it; a case tells weight, gradOutput,
/// input.
bool may_follow(std::int64_t earlier, std::int64_t later) {
  return earlier <= 0 || earlier == later;
}

Standing setters_agree(const Facts& facts) {
  const OperatorFacts& it = graph(facts);
  if (!it.out_backprop_shape || !it.filter_shape) return Standing::Undefined;
  if (!is_transposed(facts) && facts.output_padding) return Standing::Broken;
  const Shape &filter = *it.filter_shape, &output = *it.out_backprop_shape;
  const bool kernels = may_follow(filter[axis_n], output[axis_c]);
  if (!it.feature_map_shape) return met_if(kernels);
  const Shape& map = *it.feature_map_shape;
  return met_if(kernels && may_follow(filter[axis_c], map[axis_c]) &&
                may_follow(output[axis_n], map[axis_n]));
}

std::string words_for_setters(const Facts& facts) {
  if (!is_transposed(facts) && facts.output_padding) {
    return "SetOutputPadding is not allowed after SetInputShape";
  }
  return "the batch or the channels of weight, input and gradOutput contradict each other";
}

// Signs

bool all_positive(const std::optional<Shape>& values) {
  return values && std::ranges::all_of(values->begin() + axis_d, values->end(),
                                       [](auto value) { return value > 0; });
}

bool no_negative_pad(const Facts& facts) {
  return graph(facts).sides &&
         std::ranges::all_of(*graph(facts).sides, [](auto pad) { return pad >= 0; });
}

Standing attributes_have_signs(const Facts& facts) {
  return met_if(facts.test_case.groups == 1 && no_negative_pad(facts) &&
                all_positive(graph(facts).strides_by_axis) &&
                all_positive(graph(facts).dilations_by_axis));
}

std::string words_for_signs(const Facts& facts) {
  return fmt::format("groups is {}, or a pad is negative, or a stride or dilation is below 1",
                     facts.test_case.groups);
}

/// Kernel extents, batch, output channels and output extents; of dx, input's are not looked at. A
/// case tells input last, and its batch is then the one in force.
Standing shapes_are_told(const Facts& facts) {
  const OperatorFacts& it = graph(facts);
  const auto& batch = it.feature_map_shape ? it.feature_map_shape : it.out_backprop_shape;
  return met_if(all_positive(it.filter_shape) && all_positive(it.out_backprop_shape) &&
                (*batch)[axis_n] > 0 && (*it.out_backprop_shape)[axis_c] > 0);
}

/// Standing of the shapes that dw needs: as shapes_are_told, and input channels and extents.
Standing shapes_of_filter_are_told(const Facts& facts) {
  const OperatorFacts& it = graph(facts);
  return all_positive(it.feature_map_shape) && (*it.feature_map_shape)[axis_c] > 0
             ? shapes_are_told(facts)
             : Standing::Broken;
}

std::string words_for_shapes(const Facts&) {
  return "a kernel extent, the batch, the output channels or an output extent is not above 0";
}

std::string words_for_shapes_of_filter(const Facts&) {
  return "a kernel extent, the batch, channels or an extent of input or gradOutput is not above 0";
}

// Formats: a case's NCDHW stands for the private format of the default.

bool has_format(const corpus::TensorCase* tensor, corpus::Format format) {
  return tensor == nullptr || tensor->format == corpus::Format::Ncdhw || tensor->format == format;
}

Standing formats_are_private(const Facts& facts) {
  return met_if(has_format(graph(facts).filter, corpus::Format::FractalZ3d) &&
                has_format(graph(facts).out_backprop, corpus::Format::Ndc1hwc0));
}

std::string words_for_private(const Facts& facts) {
  return fmt::format("weight has format {}, gradOutput {}; they must be FRACTAL_Z_3D and NDC1HWC0",
                     name_of(graph(facts).filter->format),
                     name_of(graph(facts).out_backprop->format));
}

// Relations of lengths

bool has_input(const SpatialAxis& axis) { return axis.big > 0; }

Standing deduced_lengths_are_positive(const Facts& facts) {
  return is_transposed(facts) ? holds_on_all_axes<has_input>(facts) : Standing::Met;
}

/// Division as C++ has it: a kernel that lacks less than a stride still "has" one output.
bool output_follows(const SpatialAxis& axis) {
  if (axis.stride < 1) return true;  // TI-01 says so
  const auto room = (axis.padded_length() - axis.kernel_extent() - axis.output_padding).value();
  return room && *room / axis.stride + 1 == axis.small;
}

bool stride_is_in_range(const SpatialAxis& axis, bool is_depth) {
  if (is_depth) return axis.stride <= axis.kernel && axis.stride >= 1 && axis.stride <= 255;
  return axis.stride >= 1 && axis.stride <= 63;
}

Standing strides_and_plane_fit(const Facts& facts) {
  const auto axes = axes_of(facts);
  if (!axes) return Standing::Undefined;
  constexpr std::int64_t largest_plane = (std::int64_t{1} << 32) - 1;
  const auto plane = (CheckedInteger(axes->values[1].big) * axes->values[2].big).value();
  return met_if(stride_is_in_range(axes->values[0], true) &&
                stride_is_in_range(axes->values[1], false) &&
                stride_is_in_range(axes->values[2], false) && plane && *plane <= largest_plane);
}

std::string words_for_strides(const Facts& facts) {
  return fmt::format(
      "strides {}: D must be at most the kernel's and 255, H and W at most 63; input's H * W below "
      "2^32",
      list_of(*graph(facts).strides_by_axis));
}

bool pads_are_below_the_kernel(const SpatialAxis& axis) {
  const std::int64_t limit = std::min<std::int64_t>(255, axis.kernel - 1);
  return axis.padding_begin >= 0 && axis.padding_begin <= limit && axis.padding_end >= 0 &&
         axis.padding_end <= limit;
}

bool is_within(CheckedInteger value, std::int64_t low, std::int64_t high) {
  const auto known = value.value();
  return known && *known >= low && *known <= high;
}

/// big - small * stride + padding_begin: the coarser formula for the pad behind the expanded
/// gradOutput (BackwardPads::after).
bool remainder_is_in_range(const SpatialAxis& axis) {
  return is_within(axis.big - CheckedInteger(axis.small) * axis.stride + axis.padding_begin, -255,
                   255);
}

/// The pad before the expanded gradOutput, (kernel - 1) * dilation - padding_begin
/// (BackwardPads::before).
bool backward_pad_is_in_range(const SpatialAxis& axis) {
  return is_within(axis.kernel_extent() - 1 - axis.padding_begin, 0, 255);
}

Standing backward_pads_fit(const Facts& facts) {
  const auto axes = axes_of(facts);
  if (!axes) return Standing::Undefined;
  return met_if(std::ranges::all_of(axes->all(), remainder_is_in_range) &&
                backward_pad_is_in_range(axes->values[1]) &&
                backward_pad_is_in_range(axes->values[2]));
}

std::string words_for_backward_pads(const Facts& facts) {
  const auto axes = axes_of(facts).value_or(SpatialAxes{});
  for (std::size_t i = 0; i < 3; ++i) {
    const SpatialAxis& axis = axes.values.at(i);
    const bool holds = remainder_is_in_range(axis) && (i == 0 || backward_pad_is_in_range(axis));
    if (!holds) return words_for_axis(i, axis) + ": a pad of gradOutput leaves its range";
  }
  return {};
}

// Conv3dBpFilterTiling

/// gradOutput's format is not looked at.
Standing formats_of_filter_are_private(const Facts& facts) {
  return met_if(has_format(graph(facts).filter, corpus::Format::FractalZ3d) &&
                has_format(graph(facts).feature_map, corpus::Format::Ndc1hwc0));
}

std::string words_for_formats_of_filter(const Facts& facts) {
  return fmt::format("weight has format {}, input {}; they must be FRACTAL_Z_3D and NDC1HWC0",
                     name_of(graph(facts).filter->format),
                     name_of(graph(facts).feature_map->format));
}

/// The limits of a load into L1: along H and W, not along D.
Standing filter_limits_hold(const Facts& facts) {
  const OperatorFacts& it = graph(facts);
  if (!it.filter_shape || !it.strides_by_axis || !it.dilations_by_axis || !it.sides) {
    return Standing::Undefined;
  }
  const auto at_most = [](const auto& values, std::size_t from, std::int64_t limit) {
    return std::all_of(values.begin() + static_cast<std::ptrdiff_t>(from), values.end(),
                       [&](auto value) { return value <= limit; });
  };
  constexpr std::size_t first_side_of_plane = 2;
  return met_if(at_most(*it.strides_by_axis, axis_h, 63) &&
                at_most(*it.dilations_by_axis, axis_h, 255) && (*it.filter_shape)[axis_h] <= 511 &&
                (*it.filter_shape)[axis_w] <= 32 && at_most(*it.sides, first_side_of_plane, 255));
}

std::string words_for_filter_limits(const Facts& facts) {
  return fmt::format(
      "strides {}, dilations {}, kernel {}, pads {}: in H and W strides reach 63, dilations and "
      "pads 255, kernels 511 in H and 32 in W",
      list_of(*graph(facts).strides_by_axis), list_of(*graph(facts).dilations_by_axis),
      list_of(*graph(facts).filter_shape), list_of(*graph(facts).sides));
}

constexpr auto input_tiling = corpus::Api::Conv3DBpInputTiling;
constexpr auto filter_tiling = corpus::Api::Conv3dBpFilterTiling;

constexpr StatusRule input_rows[] = {
    tiling_row(input_tiling, "TI-00",
               {"setters are told no contradicting batch or channels",
                "各个 Set 接口给出的批大小和通道数不能相互矛盾"},
               setters_agree, refused, words_for_setters),
    tiling_row(
        input_tiling, "TI-01",
        {"groups 1, pads >= 0, strides and dilations > 0",
         "分组数 groups 须为 1，填充 pads 须大于等于 0，步长 strides 和膨胀 dilations 须大于 0"},
        attributes_have_signs, refused, words_for_signs),
    tiling_row(input_tiling, "TI-02",
               {"kernel extents, batch, output channels and extents > 0",
                "卷积核长度、批大小、输出通道数和各维长度须大于 0"},
               shapes_are_told, refused, words_for_shapes),
    tiling_row(input_tiling, "TI-03",
               {"weight is FRACTAL_Z_3D, gradOutput NDC1HWC0",
                "weight 的数据格式须为 FRACTAL_Z_3D，gradOutput 须为 NDC1HWC0"},
               formats_are_private, refused, words_for_private),
    tiling_row(input_tiling, "TI-04",
               {"transposed convolution: the deduced input extents are above 0",
                "转置卷积：推导出的 input 各维长度须大于 0"},
               deduced_lengths_are_positive, refused, words_for_first_axis<has_input>),
    tiling_row(input_tiling, "TI-05",
               {"gradOutput has the lengths that input leads to",
                "gradOutput 的空间长度须与由 input 推导的一致"},
               holds_on_all_axes<output_follows>, refused, words_for_first_axis<output_follows>),
    tiling_row(input_tiling, "TI-06",
               {"stride D <= kernel D and 255, H and W <= 63; input's H * W < 2^32",
                "步长 strides 在 D 方向须小于等于卷积核的 D 和 255，在 H、W 方向须小于等于 "
                "63；input 的 H * W 须小于 2^32"},
               strides_and_plane_fit, refused, words_for_strides),
    tiling_row(input_tiling, "TI-07",
               {"every pad is below the kernel's length and at most 255",
                "每个填充 pads 须小于卷积核的长度，且小于等于 255"},
               holds_on_all_axes<pads_are_below_the_kernel>, refused,
               words_for_first_axis<pads_are_below_the_kernel>),
    tiling_row(input_tiling, "TI-08",
               {"the pads of gradOutput stay within 255", "gradOutput 的填充 pads 须在 255 以内"},
               backward_pads_fit, refused, words_for_backward_pads),
};

constexpr StatusRule filter_rows[] = {
    tiling_row(filter_tiling, "TF-00",
               {"setters are told no contradicting batch or channels (not enforced)",
                "各个 Set 接口给出的批大小和通道数不相互矛盾（不强制）"},
               setters_agree, accepted, words_for_setters),
    tiling_row(
        filter_tiling, "TF-01",
        {"groups 1, pads >= 0, strides and dilations > 0",
         "分组数 groups 须为 1，填充 pads 须大于等于 0，步长 strides 和膨胀 dilations 须大于 0"},
        attributes_have_signs, refused, words_for_signs),
    tiling_row(filter_tiling, "TF-02",
               {"kernel extents, batch, all channels and extents > 0",
                "卷积核长度、批大小、所有通道数和各维长度须大于 0"},
               shapes_of_filter_are_told, refused, words_for_shapes_of_filter),
    tiling_row(filter_tiling, "TF-03",
               {"in H and W: strides <= 63, dilations and pads <= 255, kernel <= 511 and 32",
                "H、W 方向：步长 strides 须小于等于 63，膨胀 dilations 和填充 pads "
                "须小于等于 255，卷积核须小于等于 511 和 32"},
               filter_limits_hold, refused, words_for_filter_limits),
    tiling_row(filter_tiling, "TF-04",
               {"gradOutput has the lengths that input leads to (not enforced)",
                "gradOutput 的空间长度与由 input 推导的一致（不强制）"},
               holds_on_all_axes<output_follows>, accepted, words_for_first_axis<output_follows>),
    tiling_row(filter_tiling, "TF-05",
               {"weight is FRACTAL_Z_3D, input NDC1HWC0",
                "weight 的数据格式须为 FRACTAL_Z_3D，input 须为 NDC1HWC0"},
               formats_of_filter_are_private, refused, words_for_formats_of_filter),
};

}  // namespace

std::span<const StatusRule> input_tiling_rules() { return input_rows; }
std::span<const StatusRule> filter_tiling_rules() { return filter_rows; }

}  // namespace gradproof::oracle::rules
