#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "corpus/data_type_row.h"
#include "oracle/rules/all.h"
#include "oracle/rules/messages.h"
#include "oracle/rules/operator_rules.h"

namespace gradproof::oracle::rules {
namespace {

// Conv3DBackpropInputV2: the gradient with respect to the feature map, y, from filter and
// out_backprop.

using namespace codes;
using corpus::DataType;
using corpus::Format;
using corpus::TensorCase;

constexpr Calls here{corpus::Api::Conv3DBackpropInputV2};
constexpr std::string_view document = "Conv3DBackpropInputV2, parameters";
constexpr std::string_view upstream = "CANN ops-nn, checks of Conv3DBackpropInputV2";
constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t int32_max = 2147483647;

constexpr StatusRule graph_input_row(std::string_view id, Clause demand, std::string_view source,
                                     Standing (*standing)(const Facts&),
                                     Consequence (*consequence)(const Facts&),
                                     std::string (*words)(const Facts&)) {
  return operator_rule(here, id, demand, source, standing, consequence, words);
}

std::array<const TensorCase*, 3> tensors(const Facts& facts) {
  return {graph(facts).filter, graph(facts).out_backprop, graph(facts).feature_map};
}

bool all_there(const Facts& facts) {
  return std::ranges::none_of(tensors(facts), [](const TensorCase* it) { return it == nullptr; });
}

bool is_wide(DataType type) {
  return type == DataType::Float || type == DataType::Float16 || type == DataType::BFloat16;
}

// G-02. Four values are two dimensions; upstream inserts D = 1.

/// y's shape without its D, where that is 1.
std::optional<std::vector<std::int64_t>> shape_in_plane(const Facts& facts) {
  const TensorCase* y = graph(facts).feature_map;
  if (!graph(facts).feature_map_shape || (*graph(facts).feature_map_shape)[axis_d] != 1) {
    return std::nullopt;
  }
  auto shape = y->shape;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>((*axis_order(y->format))[axis_d]));
  return shape;
}

Standing y_has_input_size(const Facts& facts) {
  const auto* size = graph(facts).result_size;
  if (!size) return Standing::Undefined;
  if (size->size() != 5) return Standing::Broken;
  const TensorCase* y = graph(facts).feature_map;
  return y ? met_if(y->shape == *size) : Standing::Undefined;
}

/// Consequence of an input size that differs. Which releases take four values is not known.
Consequence input_size_differs(const Facts& facts) {
  const auto plane = shape_in_plane(facts);
  if (!plane || *plane != *graph(facts).result_size) return always_inner(facts);
  return {inner, {success, inner}, {success, inner}};
}

std::string words_for_input_size(const Facts& facts) {
  const auto& size = *graph(facts).result_size;
  if (size.size() != 5) {
    return fmt::format("input_size is {}; it must have 5 values", list_of(size));
  }
  return fmt::format("y has shape {}, input_size is {}", list_of(graph(facts).feature_map->shape),
                     list_of(size));
}

// G-03 .. G-06

Standing all_have_five_axes(const Facts& facts) {
  return met_if(std::ranges::all_of(tensors(facts), [](const TensorCase* tensor) {
    return tensor == nullptr || tensor->shape.size() == 5;
  }));
}

std::string words_for_ranks(const Facts& facts) {
  for (const Role3D role : {Role3D::Filter, Role3D::OutBackprop, Role3D::FeatureMap}) {
    const TensorCase* tensor = tensors(facts).at(role == Role3D::Filter        ? 0
                                                 : role == Role3D::OutBackprop ? 1
                                                                               : 2);
    if (!tensor || tensor->shape.size() == 5) continue;
    return fmt::format("{} has {} axes; it must have 5", parameter_name(facts, role),
                       tensor->shape.size());
  }
  return {};
}

Standing has_one_dtype(const Facts& facts) {
  if (!all_there(facts)) return Standing::Undefined;
  const auto [filter, out_backprop, y] = tensors(facts);
  return met_if(filter->dtype == out_backprop->dtype && filter->dtype == y->dtype);
}

std::string words_for_dtypes(const Facts& facts) {
  const auto [filter, out_backprop, y] = tensors(facts);
  return fmt::format("filter, out_backprop and y have dtypes {}, {} and {}; they must have one",
                     name_of(filter->dtype), name_of(out_backprop->dtype), name_of(y->dtype));
}

bool is_supported(const Facts& facts, DataType type) {
  return is_wide(type) || (facts.product_class == ProductClass::A5 && corpus::is_8_bit_float(type));
}

const TensorCase* first_unsupported(const Facts& facts) {
  for (const TensorCase* tensor : tensors(facts)) {
    if (tensor && !is_supported(facts, tensor->dtype)) return tensor;
  }
  return nullptr;
}

/// ", HIFLOAT8 and FLOAT8_E4M3FN", the end of a list.
std::string list_of_8_bit_types() {
  std::string list;
  for (const DataType type : corpus::eight_bit_types) {
    list.append(type == corpus::eight_bit_types.back() ? " and " : ", ").append(name_of(type));
  }
  return list;
}

std::string words_for_dtype(const Facts& facts) {
  const bool a5 = facts.product_class == ProductClass::A5;
  return fmt::format("a tensor has dtype {}; {} takes FLOAT16, BF16, FLOAT{}",
                     name_of(first_unsupported(facts)->dtype), facts.test_case.soc,
                     a5 ? list_of_8_bit_types() : "");
}

std::optional<Format> format_of_data(const Facts& facts) {
  const auto format = corpus::format_named(graph(facts).data_format);
  return format == Format::Ndhwc || format == Format::Ncdhw ? format : std::nullopt;
}

Standing formats_are_the_data_format(const Facts& facts) {
  const auto format = format_of_data(facts);
  if (!format) return Standing::Broken;
  const auto has_it = [&](const TensorCase* tensor) {
    return tensor == nullptr || tensor->format == *format;
  };
  return met_if(has_it(graph(facts).out_backprop) && has_it(graph(facts).feature_map));
}

std::string words_for_formats(const Facts& facts) {
  if (!format_of_data(facts)) {
    return fmt::format("data_format is \"{}\"; it must be NDHWC or NCDHW",
                       graph(facts).data_format);
  }
  const auto name = [](const TensorCase* tensor) {
    return tensor ? name_of(tensor->format) : std::string_view("null");
  };
  return fmt::format("out_backprop and y have formats {} and {}; data_format is {}",
                     name(graph(facts).out_backprop), name(graph(facts).feature_map),
                     graph(facts).data_format);
}

// G-07, G-08: the table of groups, dtypes and formats.

bool terms_of_table_are_known(const Facts& facts) {
  if (!all_there(facts) || graph(facts).groups < 1) return false;
  const bool one_dtype = has_one_dtype(facts) == Standing::Met;
  const bool one_format = formats_are_the_data_format(facts) == Standing::Met;
  return one_dtype && one_format && first_unsupported(facts) == nullptr;
}

/// The rows: groups 1 in either data format, several groups with NCDHW alone; wide floats with a
/// filter in NDHWC, NCDHW or DHWCN, 8-bit ones with NCDHW.
Standing is_a_row_of_the_table(const Facts& facts) {
  if (!terms_of_table_are_known(facts)) return Standing::Undefined;
  const Format filter = graph(facts).filter->format;
  const bool is_ncdhw = graph(facts).out_backprop->format == Format::Ncdhw;
  if (graph(facts).groups > 1 && !is_ncdhw) return Standing::Broken;
  if (is_wide(graph(facts).filter->dtype)) return met_if(axis_order(filter).has_value());
  return filter == Format::Ncdhw ? Standing::Permitted : Standing::Broken;
}

/// Upstream's later table has no 8-bit rows, and has groups with NDHWC; the released tiling has
/// 8-bit floats in NCDHW alone, and groups with NDHWC on Ascend950.
Consequence later_table_differs(const Facts& facts) {
  const TensorCase& filter = *graph(facts).filter;
  if (!is_wide(filter.dtype)) {
    if (is_a_row_of_the_table(facts) != Standing::Permitted) return always_inner(facts);
    const bool is_ncdhw = graph(facts).out_backprop->format == Format::Ncdhw;
    return is_ncdhw ? legal_or_refused(facts) : legal_unless_released(facts);
  }
  if (!axis_order(filter.format)) return always_inner(facts);
  if (facts.product_class == ProductClass::A5) return refused_unless_released(facts);
  return {inner, inner, {success, inner}};
}

std::string words_for_table(const Facts& facts) {
  return fmt::format("groups {}, dtype {}, out_backprop and y {}, filter {}: {}",
                     graph(facts).groups, name_of(graph(facts).filter->dtype),
                     name_of(graph(facts).out_backprop->format),
                     name_of(graph(facts).filter->format),
                     is_a_row_of_the_table(facts) == Standing::Permitted
                         ? "a row of the table that later texts lack"
                         : "no row of the operator's table");
}

Standing groups_only_with_ncdhw(const Facts& facts) {
  if (!terms_of_table_are_known(facts)) return Standing::Undefined;
  return met_if(graph(facts).data_format != "NDHWC" || graph(facts).groups == 1);
}

// G-15, G-17

Standing maps_have_one_batch(const Facts& facts) {
  const auto& out = graph(facts).out_backprop_shape;
  const auto& y = graph(facts).feature_map_shape;
  return out && y ? met_if((*out)[axis_n] == (*y)[axis_n]) : Standing::Undefined;
}

Standing nothing_is_empty(const Facts& facts) {
  return met_if(std::ranges::none_of(tensors(facts), [](const TensorCase* tensor) {
    return tensor != nullptr && is_empty(*tensor);
  }));
}

std::string words_for_empty(const Facts& facts) {
  for (const TensorCase* tensor : tensors(facts)) {
    if (!tensor || !is_empty(*tensor)) continue;
    return fmt::format("a tensor has shape {}; every length must be at least 1",
                       list_of(tensor->shape));
  }
  return {};
}

// Limits are {lowest, of D, of H and W}. Ascend950's tiling takes all that its counters hold; the
// others' takes what is documented.
constexpr LimitsByProduct same_on_both(AxisLimits limits) { return {limits, limits}; }

constexpr AxisLimits filter_limits{0, unlimited, 511}, strides_limits{1, 255, 63},
    pads_limits{0, 255, 255}, dilations_limits{1, 255, 255};
constexpr AttributeRange filter_range{
    AxisAttribute::Filter, same_on_both(filter_limits), {filter_limits, {0, unlimited, int32_max}}};
constexpr AttributeRange strides_range{AxisAttribute::Strides,
                                       same_on_both(strides_limits),
                                       {strides_limits, {1, int32_max, int32_max}},
                                       true};
constexpr AttributeRange pads_range{
    AxisAttribute::Pads, same_on_both(pads_limits), {pads_limits, {0, int32_max, int32_max}}};
constexpr AttributeRange dilations_range{AxisAttribute::Dilations,
                                         same_on_both(dilations_limits),
                                         {dilations_limits, {1, int32_max, int32_max}},
                                         true};

constexpr StatusRule graph_input_rows[] = {
    null_rule(here, "G-NULL",
              {"input_size, filter, out_backprop, strides, pads and y are there",
               "input_size、filter、out_backprop、strides、pads 和 y 不能为空指针"}),
    product_rule(here, "G-01", "Conv3DBackpropInputV2, supported products"),
    graph_input_row(
        "G-02",
        {"input_size has 5 values, those of y's shape", "input_size 须有 5 个值，与 y 的形状相同"},
        document, y_has_input_size, input_size_differs, words_for_input_size),
    graph_input_row(
        "G-03",
        {"filter, out_backprop and y have 5 axes", "filter、out_backprop 和 y 的维数须为 5"},
        document, all_have_five_axes, always_inner, words_for_ranks),
    graph_input_row(
        "G-04",
        {"filter, out_backprop and y have one dtype", "filter、out_backprop 和 y 的数据类型须相同"},
        document, has_one_dtype, always_inner, words_for_dtypes),
    graph_input_row(
        "G-05",
        {"dtypes are FLOAT16, BF16 or FLOAT; on Ascend950 the 8-bit floats too",
         "数据类型须为 FLOAT16、BF16 或 FLOAT，在 Ascend950 上也可以是 8 位浮点"},
        document, [](const Facts& facts) { return met_if(first_unsupported(facts) == nullptr); },
        always_inner, words_for_dtype),
    graph_input_row("G-06",
                    {"data_format is NDHWC or NCDHW, and that of out_backprop and y",
                     "data_format 须为 NDHWC 或 NCDHW，out_backprop 和 y 的数据格式须与它相同"},
                    document, formats_are_the_data_format, always_inner, words_for_formats),
    graph_input_row("G-07",
                    {"groups, dtype and formats are a row of the operator's table",
                     "分组数 groups、数据类型和数据格式的组合须在算子的支持列表中"},
                    "Conv3DBackpropInputV2, table of combinations", is_a_row_of_the_table,
                    later_table_differs, words_for_table),
    {.id = "G-08",
     .demand = {"Ascend950: groups only with NCDHW",
                "Ascend950：分组 groups 只能用于数据格式 NCDHW"},
     .source = "Conv3DBackpropInputV2, table of combinations",
     .products = on_a5,
     .paths = any_path,
     .standing = groups_only_with_ncdhw,
     .consequence = refused_unless_released,
     .words =
         [](const Facts& facts) {
           return fmt::format("groups is {} and data_format NDHWC; groups need NCDHW",
                              graph(facts).groups);
         },
     .calls = here},
    ranged<filter_range>("G-09", {"filter H, W <= 511", "卷积核 filter 的 H、W 须小于等于 511"},
                         document, here),
    ranged<strides_range>(
        "G-10",
        {"strides: N, C are 1, D in [1, 255], H, W in [1, 63]",
         "步长 strides：N、C 方向为 1，D 方向在 [1, 255] 内，H、W 方向在 [1, 63] 内"},
        document, here),
    ranged<pads_range>("G-11", {"six pads in [0, 255]", "填充 pads 须有 6 个值，都在 [0, 255] 内"},
                       document, here),
    ranged<dilations_range>("G-12",
                            {"dilations: N, C are 1, D, H, W in [1, 255]",
                             "膨胀 dilations：N、C 方向为 1，D、H、W 方向在 [1, 255] 内"},
                            document, here),
    graph_input_row("G-13", {"groups in [1, 65535]", "分组数 groups 须在 [1, 65535] 内"}, document,
                    groups_in_range, always_inner, words_for_groups),
    graph_input_row(
        "G-14",
        {"channels divide into groups; filter has those of one group",
         "通道数须能被分组数 groups 整除，filter 的通道数须为一组的通道数"},
        document, [](const Facts& facts) { return channels_fit(facts, true); }, always_inner,
        words_for_channels),
    graph_input_row("G-15",
                    {"out_backprop and y have one batch", "out_backprop 与 y 的批大小须相同"},
                    upstream, maps_have_one_batch, always_inner,
                    [](const Facts& facts) {
                      return fmt::format("out_backprop's batch is {}, y's is {}",
                                         (*graph(facts).out_backprop_shape)[axis_n],
                                         (*graph(facts).feature_map_shape)[axis_n]);
                    }),
    graph_input_row("G-16",
                    {"the kernel fits, and out_backprop has the lengths that follow",
                     "卷积核 filter 须放得下，out_backprop 的空间长度须与推导的一致"},
                    upstream, lengths_fit, lengths_do_not_fit, words_for_lengths),
    graph_input_row("G-17", {"no tensor is empty", "不能有空 tensor"}, upstream, nothing_is_empty,
                    always_inner, words_for_empty),
};

}  // namespace

std::span<const StatusRule> graph_input_rules() { return graph_input_rows; }

}  // namespace gradproof::oracle::rules
