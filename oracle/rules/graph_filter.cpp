#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "oracle/rules/all.h"
#include "oracle/rules/messages.h"
#include "oracle/rules/operator_rules.h"

namespace gradproof::oracle::rules {
namespace {

// Conv3DBackpropFilterV2: the gradient with respect to the filter, y, from x and out_backprop.

using namespace codes;
using corpus::DataType;
using corpus::Format;
using corpus::TensorCase;

constexpr Calls here{corpus::Api::Conv3DBackpropFilterV2};
constexpr std::string_view document = "CANN ops-nn, Conv3DBackpropFilterV2";
constexpr std::int64_t largest = 2147483646;
constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

constexpr StatusRule row(std::string_view id, Clause demand, Standing (*standing)(const Facts&),
                         Consequence (*consequence)(const Facts&),
                         std::string (*words)(const Facts&)) {
  return operator_rule(here, id, demand, document, standing, consequence, words);
}

// GF-02

bool is_in_size(const TensorCase* tensor) {
  return std::ranges::all_of(tensor->shape,
                             [](auto length) { return length >= 1 && length <= largest; });
}

/// Describes what is wrong with x and out_backprop; empty if nothing is.
std::string flaw_of_operands(const Facts& facts) {
  const TensorCase* x = graph(facts).feature_map;
  const TensorCase* out = graph(facts).out_backprop;
  if (x->dtype != out->dtype) {
    return fmt::format("x and out_backprop have dtypes {} and {}; they must have one",
                       name_of(x->dtype), name_of(out->dtype));
  }
  if (x->format != out->format) {
    return fmt::format("x and out_backprop have formats {} and {}; they must have one",
                       name_of(x->format), name_of(out->format));
  }
  for (const Role3D role : {Role3D::FeatureMap, Role3D::OutBackprop}) {
    const TensorCase* tensor = role == Role3D::FeatureMap ? x : out;
    if (tensor->shape.size() == 5 && is_in_size(tensor)) continue;
    return fmt::format("{} has shape {}; it must have 5 axes with lengths in [1, {}]",
                       parameter_name(facts, role), list_of(tensor->shape), largest);
  }
  return {};
}

Standing operands_agree(const Facts& facts) {
  if (!graph(facts).feature_map || !graph(facts).out_backprop) return Standing::Undefined;
  return met_if(flaw_of_operands(facts).empty());
}

// GF-IO: the table of parameters, which has no numbered rule.

bool is_listed(const Facts& facts, DataType type) {
  const bool wide =
      type == DataType::Float || type == DataType::Float16 || type == DataType::BFloat16;
  return wide || (type == DataType::HiFloat8 && facts.product_class == ProductClass::A5);
}

/// Describes what is wrong with one of x, out_backprop and data_format.
std::string flaw_of_inputs(const Facts& facts) {
  const auto format = corpus::format_named(graph(facts).data_format);
  if (format != Format::Ndhwc && format != Format::Ncdhw) {
    return fmt::format("data_format is \"{}\"; it must be NDHWC or NCDHW",
                       graph(facts).data_format);
  }
  for (const Role3D role : {Role3D::FeatureMap, Role3D::OutBackprop}) {
    const TensorCase* tensor =
        role == Role3D::FeatureMap ? graph(facts).feature_map : graph(facts).out_backprop;
    if (!tensor) continue;
    if (!is_listed(facts, tensor->dtype)) {
      return fmt::format("{} has dtype {}, which {} does not take", parameter_name(facts, role),
                         name_of(tensor->dtype), facts.test_case.soc);
    }
    if (tensor->format == *format) continue;
    return fmt::format("{} has format {}; data_format is {}", parameter_name(facts, role),
                       name_of(tensor->format), graph(facts).data_format);
  }
  return {};
}

/// Describes what is wrong with y or filter_size.
std::string flaw_of_result(const Facts& facts) {
  const auto* size = graph(facts).result_size;
  const TensorCase* y = graph(facts).filter;
  if (size && size->size() != 5) {
    return fmt::format("filter_size is {}; it must have 5 values", list_of(*size));
  }
  if (!y) return {};
  if (y->dtype != DataType::Float) {
    return fmt::format("y has dtype {}; it is always FLOAT", name_of(y->dtype));
  }
  if (!axis_order(y->format)) {
    return fmt::format("y has format {}; it must be NCDHW, NDHWC or DHWCN", name_of(y->format));
  }
  if (!size || y->shape == *size) return {};
  return fmt::format("y has shape {}, filter_size is {}", list_of(y->shape), list_of(*size));
}

std::string flaw_of_parameters(const Facts& facts) {
  auto flaw = flaw_of_inputs(facts);
  return flaw.empty() ? flaw_of_result(facts) : flaw;
}

/// HIFLOAT8 stands in no list of dtypes, but a rule forbids it with groups only.
Standing parameters_are_as_listed(const Facts& facts) {
  if (!flaw_of_parameters(facts).empty()) return Standing::Broken;
  const TensorCase* x = graph(facts).feature_map;
  return permitted_if(x != nullptr && x->dtype == DataType::HiFloat8);
}

Consequence parameters_differ(const Facts& facts) {
  return flaw_of_parameters(facts).empty() ? legal_or_refused(facts) : always_inner(facts);
}

std::string words_for_parameters(const Facts& facts) {
  auto flaw = flaw_of_parameters(facts);
  return flaw.empty() ? "x has dtype HIFLOAT8, which the list of dtypes does not name" : flaw;
}

// GF-03: a filter without elements is no filter.

constexpr AttributeRange filter_plane{AxisAttribute::Filter,
                                      {{1, unlimited, 511}, {1, unlimited, 511}},
                                      {{1, unlimited, 511}, {1, unlimited, largest}}};

bool has_no_elements(const Facts& facts) {
  return graph(facts).filter && is_empty(*graph(facts).filter);
}

Standing filter_is_in_range(const Facts& facts) {
  return has_no_elements(facts) ? Standing::Broken : is_in_range(facts, filter_plane);
}

Consequence filter_out_of_range(const Facts& facts) {
  return has_no_elements(facts) ? always_inner(facts) : out_of_range(facts, filter_plane);
}

std::string words_for_filter(const Facts& facts) {
  if (!has_no_elements(facts)) return words_for_range(facts, filter_plane);
  return fmt::format("y has shape {}; every length must be at least 1",
                     list_of(graph(facts).filter->shape));
}

// Ascend950's documented limits are its counters'; the others' tiling has those for D.
constexpr LimitsByProduct documented_limits(AxisLimits on_a23) {
  return {on_a23, {on_a23.lowest, largest, largest}};
}
constexpr LimitsByProduct released_limits(AxisLimits on_a23) {
  return documented_limits({on_a23.lowest, largest, on_a23.plane});
}
constexpr AttributeRange range_of(AxisAttribute attribute, AxisLimits on_a23, bool neutral_axes) {
  return {attribute, documented_limits(on_a23), released_limits(on_a23), neutral_axes};
}
constexpr AttributeRange strides_range = range_of(AxisAttribute::Strides, {1, 255, 63}, true);
constexpr AttributeRange pads_range = range_of(AxisAttribute::Pads, {0, 255, 255}, false);
constexpr AttributeRange dilations_range = range_of(AxisAttribute::Dilations, {1, 255, 255}, true);

// GF-07 .. GF-10

/// The number of groups, the channels of a group, or the ratio that stands in for it.
/// The strongest of three statements: a number of groups out of range, channels that do not fit it,
/// then the permission to leave groups at 1 (G-20).
Standing groups_fit(const Facts& facts) {
  if (groups_in_range(facts) == Standing::Broken) return Standing::Broken;
  const Standing channels = channels_fit(facts, false);
  if (channels == Standing::Broken) return channels;
  const Standing ratio = groups_from_channels(facts);
  return ratio == Standing::Permitted ? ratio : channels;
}

Consequence groups_do_not_fit(const Facts& facts) {
  return groups_fit(facts) == Standing::Permitted ? legal_or_refused(facts) : always_inner(facts);
}

std::string words_for_grouping(const Facts& facts) {
  if (groups_in_range(facts) == Standing::Broken) return words_for_groups(facts);
  return channels_fit(facts, false) == Standing::Broken ? words_for_channels(facts)
                                                        : words_for_ratio(facts);
}

Standing no_hifloat8_with_groups(const Facts& facts) {
  const TensorCase* x = graph(facts).feature_map;
  if (!x) return Standing::Undefined;
  return met_if(x->dtype != DataType::HiFloat8 || graph(facts).groups == 1);
}

/// Standing of batch and kernels, both of which are summed or enumerated together in dw: the sum
/// runs over the batch of both maps, and a kernel belongs to a channel of out_backprop.
Standing batch_and_kernels_agree(const Facts& facts) {
  const OperatorFacts& it = graph(facts);
  if (!it.out_backprop_shape || !it.feature_map_shape || !it.filter_shape) {
    return Standing::Undefined;
  }
  return met_if((*it.out_backprop_shape)[axis_n] == (*it.feature_map_shape)[axis_n] &&
                (*it.out_backprop_shape)[axis_c] == (*it.filter_shape)[axis_n]);
}

/// The tiling does not compare them, and no text says what is computed then.
Consequence relation_is_not_compared(const Facts&) {
  return {success, {success, inner}, {success_without_values, inner}};
}

constexpr StatusRule graph_filter_rows[] = {
    null_rule(here, "GF-NULL",
              {"x, filter_size, out_backprop, strides, pads and y are there",
               "x、filter_size、out_backprop、strides、pads 和 y 不能为空指针"}),
    product_rule(here, "GF-01", document),
    row("GF-02",
        {"x and out_backprop: one dtype, one format, 5 axes, lengths in [1, 2147483646]",
         "x 和 out_backprop 的数据类型和数据格式须相同，维数为 5，各维长度在 [1, 2147483646] 内"},
        operands_agree, always_inner, [](const Facts& facts) { return flaw_of_operands(facts); }),
    row("GF-IO",
        {"dtypes and formats are listed; y is FLOAT and has the shape filter_size",
         "数据类型和数据格式须在支持列表中；y 的数据类型须为 FLOAT，形状须等于 filter_size"},
        parameters_are_as_listed, parameters_differ, words_for_parameters),
    row("GF-03",
        {"filter lengths >= 1, H and W <= 511",
         "filter 的各维长度须大于等于 1，H、W 须小于等于 511"},
        filter_is_in_range, filter_out_of_range, words_for_filter),
    ranged<strides_range>("GF-04",
                          {"strides: N, C are 1; D <= 255, H, W <= 63, on Ascend950 <= 2147483646",
                           "步长 strides：N、C 方向为 1，D 方向小于等于 255，H、W 方向小于等于 "
                           "63；在 Ascend950 上小于等于 2147483646"},
                          document, here),
    ranged<pads_range>("GF-05",
                       {"six pads in [0, 255], on Ascend950 up to 2147483646",
                        "填充 pads 须有 6 个值，都在 [0, 255] 内，在 Ascend950 上可到 2147483646"},
                       document, here),
    ranged<dilations_range>(
        "GF-06",
        {"dilations: N, C are 1; others <= 255, on Ascend950 <= 2147483646",
         "膨胀 dilations：N、C 方向为 1，其余小于等于 255，在 Ascend950 上小于等于 2147483646"},
        document, here),
    row("GF-07",
        {"groups in [1, 65535]; channels divide into them; y has those of one group",
         "分组数 groups 须在 [1, 65535] 内，通道数须能被它整除，y 的通道数须为一组的通道数"},
        groups_fit, groups_do_not_fit, words_for_grouping),
    {.id = "GF-08",
     .demand = {"Ascend950: no HIFLOAT8 with groups",
                "Ascend950：数据类型 HIFLOAT8 不能使用分组 groups"},
     .source = document,
     .products = on_a5,
     .paths = any_path,
     .standing = no_hifloat8_with_groups,
     .consequence = always_inner,
     .words =
         [](const Facts& facts) {
           return fmt::format("x has dtype HIFLOAT8 and groups is {}; it must be 1",
                              graph(facts).groups);
         },
     .calls = here},
    row("GF-09",
        {"the kernel fits, and out_backprop has the lengths that follow",
         "卷积核 filter 须放得下，out_backprop 的空间长度须与推导的一致"},
        lengths_fit, lengths_do_not_fit, words_for_lengths),
    row("GF-10",
        {"out_backprop has x's batch and filter_size's kernels (not compared)",
         "out_backprop 的批大小等于 x 的批大小，通道数等于 filter_size 的卷积核个数（不比较）"},
        batch_and_kernels_agree, relation_is_not_compared,
        [](const Facts& facts) {
          return fmt::format(
              "out_backprop has batch {} and {} channels; x has batch {}, y {} kernels",
              (*graph(facts).out_backprop_shape)[axis_n],
              (*graph(facts).out_backprop_shape)[axis_c], (*graph(facts).feature_map_shape)[axis_n],
              (*graph(facts).filter_shape)[axis_n]);
        }),
};

}  // namespace

std::span<const StatusRule> graph_filter_rules() { return graph_filter_rows; }

}  // namespace gradproof::oracle::rules
