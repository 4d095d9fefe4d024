#include "corpus/data_type_row.h"
#include "corpus/product_row.h"
#include "properties/cases/generators/operator_case.h"

#include <algorithm>
#include <array>

#include "properties/cases/calls/operator_convolution.h"
#include "properties/cases/generators/capacity_edge.h"
#include "properties/cases/generators/sizes.h"

namespace gradproof::cases {
namespace {

using corpus::Api;
using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::Product;

constexpr std::array operator_products = corpus::products_where<corpus::has_graph_operators>();

// The documents' ranges for strides, pads and dilations along D; those of H and W are what sizes
// are drawn with.
constexpr std::int64_t depth_limit = 255;  // and of every pad

bool takes(const OperatorFrame& frame) {
  const bool is_dx = frame.api == Api::Conv3DBackpropInputV2;
  if (!is_dx && !corpus::row_of(frame.dtype).has_weight_gradient) return false;
  return corpus::is_wide_float(frame.dtype) ||
         (frame.product == Product::Ascend950 && corpus::is_8_bit_float(frame.dtype));
}

bool is_in_range(const SpatialAxis& axis) {
  return axis.stride <= depth_limit && axis.dilation <= depth_limit &&
         axis.padding_begin <= depth_limit && axis.padding_end <= depth_limit;
}

/// 1D and 2D have their ranges in the same frame; 910B's are those of the operators but along D.
Convolution draw_sizes(const OperatorFrame& frame, std::int64_t max_macs,
                       const OperatorWishes& wishes, corpus::RandomSource& random) {
  constexpr int tries = 20;
  const bool one_group = wishes.one_group || (frame.dtype == DataType::HiFloat8 &&
                                              frame.api == Api::Conv3DBackpropFilterV2);
  const Frame sizes{.product = Product::Ascend910B, .rank = 5, .transposed = false};
  Convolution drawn;
  for (int i = 0; i < tries; ++i) {
    drawn = draw_convolution(sizes, max_macs, random);
    if (one_group) drawn.groups = 1;
    if (wishes.groups && drawn.groups == 1) continue;
    if (std::ranges::all_of(drawn.axes, is_in_range)) return drawn;
  }
  Convolution small;
  small.groups = wishes.groups ? 2 : 1;
  small.axes.assign(3, SpatialAxis{.big = 3, .kernel = 2});
  return small;
}

/// Sizes whose last tile along one side of dx's matrices is short (coverage/corners.cpp).
Convolution draw_tile_edge(corpus::RandomSource& random) {
  Convolution drawn;
  drawn.axes.assign(3, SpatialAxis{});
  drawn.small_channels_per_group = random.between(1, 4);
  drawn.big_channels_per_group = random.between(1, 4);
  switch (random.between(0, 2)) {
    case 0:  // M
      drawn.axes[1].big = random.between(9, 18);
      drawn.axes[2].big = random.between(29, 37);
      break;
    case 1:  // N
      drawn.big_channels_per_group = random.between(257, 300);
      drawn.axes[2].big = random.between(1, 5);
      break;
    default:  // K
      drawn.small_channels_per_group = random.between(65, 112);
      drawn.axes[2].big = random.between(2, 7);
  }
  SpatialAxis& w = drawn.axes[2];
  w.kernel = random.between(1, std::min<std::int64_t>(w.big, 2));
  w.stride = random.between(1, 2);
  return drawn;
}

/// Divides the same number of padded elements again between the two ends.
void draw_sides(Convolution& drawn, corpus::RandomSource& random) {
  drawn.sides_may_differ = true;
  for (SpatialAxis& axis : drawn.axes) {
    const std::int64_t both = axis.padding_begin + axis.padding_end;
    if (both == 0 || random.chance(40)) continue;
    axis.padding_begin =
        random.between(std::max<std::int64_t>(0, both - depth_limit), std::min(both, depth_limit));
    axis.padding_end = both - axis.padding_begin;
  }
}

/// Draws the most padding that G-11 allows on one side or both; the stride keeps outputs few.
void draw_widest_padding(Convolution& drawn, corpus::RandomSource& random) {
  constexpr std::int64_t longest_stride = 63;
  SpatialAxis& axis = drawn.axes[random.chance(50) ? 1 : 2];
  drawn.sides_may_differ = true;
  axis.stride = longest_stride;
  axis.padding_begin = axis.padding_end = depth_limit;
  if (random.chance(30)) axis.padding_begin = random.between(0, depth_limit);
  if (random.chance(30)) axis.padding_end = random.between(0, depth_limit);
}

/// A stride beyond the filter along D, which a device may refuse (G-18), is the exception.
void draw_depth(Convolution& drawn, corpus::RandomSource& random) {
  SpatialAxis& depth = drawn.axes[0];
  if (depth.stride <= depth.kernel || random.chance(10)) return;
  const std::int64_t outputs = small_length(depth);
  depth.stride = depth.kernel;
  depth.big = (outputs - 1) * depth.stride + (depth.kernel - 1) * depth.dilation + 1 -
              depth.padding_begin - depth.padding_end;
  if (depth.big >= 1) return;
  depth.padding_begin = depth.padding_end = 0;
  depth.big = (outputs - 1) * depth.stride + (depth.kernel - 1) * depth.dilation + 1;
}

corpus::TensorCase tensor_of(Format format, DataType dtype) {
  corpus::TensorCase tensor;
  tensor.format = format;
  tensor.dtype = dtype;
  return tensor;
}

/// Formats that the operator's table has for this call.
struct Layout {
  Format map, filter;
};

Layout draw_layout(const OperatorFrame& frame, std::int64_t groups, corpus::RandomSource& random) {
  const bool dx = frame.api == Api::Conv3DBackpropInputV2;
  const bool must_be_plain = dx && groups > 1;
  Layout layout{Format::Ncdhw, Format::Ncdhw};
  if (!must_be_plain && random.chance(50)) layout.map = Format::Ndhwc;
  if (dx && corpus::is_8_bit_float(frame.dtype)) return layout;
  layout.filter = random.one_of({Format::Ncdhw, Format::Ndhwc, Format::Dhwcn});
  return layout;
}

void draw_options(const OperatorFrame& frame, const Layout& layout, Case& test_case,
                  corpus::RandomSource& random) {
  auto& attributes = *test_case.attributes;
  if (layout.map == Format::Ndhwc && random.chance(15)) attributes.data_format.reset();
  const bool hf32 = random.chance(frame.dtype == DataType::Float ? 35 : 8);
  if (hf32 || random.chance(10)) attributes.enable_hf32 = hf32;
  test_case.deterministic = random.chance(10);
  const bool no_dilation =
      std::ranges::all_of(*attributes.dilations, [](auto value) { return value == 1; });
  if (no_dilation && random.chance(25)) attributes.dilations.reset();
}

Case draw_graph_operator(const OperatorFrame& frame, std::int64_t max_macs,
                         const OperatorWishes& wishes, corpus::RandomSource& random) {
  const bool dx = frame.api == Api::Conv3DBackpropInputV2;
  constexpr std::int64_t macs_of_tiles = 100'000;
  const bool has_tile_edge = !wishes.plain && max_macs >= macs_of_tiles && random.chance(12);
  Convolution sizes =
      has_tile_edge ? draw_tile_edge(random) : draw_sizes(frame, max_macs, wishes, random);
  draw_sides(sizes, random);
  if (!wishes.plain && random.chance(6)) draw_widest_padding(sizes, random);
  draw_depth(sizes, random);
  const bool has_idle_axis =
      std::ranges::any_of(sizes.axes, [](const auto& axis) { return axis.kernel == 1; });
  if (!wishes.plain && has_idle_axis && random.chance(15)) {  // G-21
    for (SpatialAxis& axis : sizes.axes) {
      if (axis.kernel == 1) axis.dilation = random.between(1, depth_limit);
    }
  } else {
    for (SpatialAxis& axis : sizes.axes) {
      if (axis.kernel == 1) axis.dilation = 1;
    }
  }
  const Layout layout = draw_layout(frame, sizes.groups, random);
  Case test_case;
  test_case.api = frame.api;
  test_case.soc = corpus::name_of(frame.product);
  test_case.grad_output = tensor_of(layout.map, frame.dtype);
  (dx ? test_case.grad_input : test_case.input) = tensor_of(layout.map, frame.dtype);
  (dx ? test_case.weight : test_case.grad_weight) =
      tensor_of(layout.filter, dx ? frame.dtype : DataType::Float);
  test_case.attributes.emplace().data_format = corpus::name_of(layout.map);
  set_operator_convolution(test_case, sizes);
  if (!wishes.plain && sizes.groups == 1 && max_macs >= macs_of_tiles && random.chance(45)) {
    draw_any_capacity_edge(test_case, random);
  }
  draw_options(frame, layout, test_case, random);
  if (!wishes.plain && sizes.groups > 1 && random.chance(12)) test_case.groups = 1;  // G-20
  return test_case;
}

constexpr int volume_alone[] = {5};

}  // namespace

const OperatorGenerator graph_operator_generator{.ranks = volume_alone,
                                                 .products = operator_products,
                                                 .takes = takes,
                                                 .draw = draw_graph_operator,
                                                 .breakers = graph_operator_breakers};

}  // namespace gradproof::cases
