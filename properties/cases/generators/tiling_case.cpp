#include "properties/cases/generators/tiling_case.h"

#include <algorithm>
#include <array>

#include "corpus/product_row.h"
#include "properties/cases/calls/convolution.h"
#include "properties/cases/calls/operator_convolution.h"

namespace gradproof::cases {
namespace {

using corpus::Api;
using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::Product;

constexpr std::array apis{Api::Conv3DBpInputTiling, Api::Conv3dBpFilterTiling};
constexpr std::array tiling_products = corpus::products_where<corpus::has_ascend_c_gradients>();
constexpr std::array dtypes{DataType::Float16, DataType::BFloat16, DataType::Float};

bool is_dx(const TilingFrame& frame) { return corpus::computes_dx(frame.api); }

/// A multiple of the channel packing (C0) or one off, or any number.
std::int64_t draw_channels(corpus::RandomSource& random) {
  switch (random.between(0, 3)) {
    case 0:
      return random.between(1, 20);
    case 1: {
      const std::int64_t multiple = random.one_of({8, 16, 64, 128, 256, 512});
      return std::max<std::int64_t>(1, multiple + random.between(-1, 1));
    }
    default:
      return random.log_between(1, 2'000);
  }
}

/// Draws a kernel's length, its dilation and pads below it: gradOutput's pads stay in range.
void draw_window(SpatialAxis& axis, std::int64_t longest, corpus::RandomSource& random) {
  constexpr std::int64_t largest_reach = 255;
  axis.kernel = random.chance(35) ? 1 : random.log_between(1, longest);
  const std::int64_t taps = std::max<std::int64_t>(axis.kernel - 1, 1);
  axis.dilation = random.chance(70) ? 1 : random.between(1, std::max<std::int64_t>(1, 40 / taps));
  axis.dilation = std::min(axis.dilation, largest_reach / taps);
  const std::int64_t most = axis.kernel - 1;
  if (random.chance(50)) {
    axis.padding_begin = random.between(0, most);
    axis.padding_end = random.chance(50) ? axis.padding_begin : random.between(0, most);
  }
}

/// Sets the length of dx's axis for `outputs` positions, with what the stride may leave over.
void set_length(SpatialAxis& axis, std::int64_t outputs, corpus::RandomSource& random) {
  const std::int64_t least = (outputs - 1) * axis.stride + (axis.kernel - 1) * axis.dilation + 1 -
                             axis.padding_begin - axis.padding_end;
  axis.big = least + (random.chance(50) ? 0 : random.between(0, axis.stride - 1));
  if (axis.big >= 1) return;
  axis.padding_begin = axis.padding_end = 0;
  axis.big = (outputs - 1) * axis.stride + (axis.kernel - 1) * axis.dilation + 1;
}

/// Lengths of gradOutput in H and W. A row of a few thousand elements is what L1 hardly takes.
std::int64_t draw_outputs(corpus::RandomSource& random) {
  switch (random.between(0, 9)) {
    case 0:
      return random.log_between(200, 3'000);
    case 1: {
      const std::int64_t multiple = random.one_of({16, 32, 64, 128, 256});
      return multiple + random.between(-1, 1);
    }
    default:
      return random.log_between(1, 150);
  }
}

/// Draws rows that a kernel of dw reaches over: more than L1 holds, at times more bytes than 32
/// bits count.
void draw_long_reach(SpatialAxis& h, SpatialAxis& w, corpus::RandomSource& random) {
  constexpr std::int64_t tallest = 511, widest_dilation = 255, longest_row = 60'000;
  h.kernel = random.log_between(2, tallest);
  h.dilation = random.log_between(1, widest_dilation);
  h.padding_begin = h.padding_end = 0;
  set_length(h, random.log_between(1, 20), random);
  set_length(w, random.log_between(100, longest_row), random);
}

/// Kernels of dw are shorter in W than those of dx.
Convolution draw_sizes(bool is_dx, corpus::RandomSource& random) {
  Convolution drawn;
  drawn.sides_may_differ = true;
  drawn.batch = random.log_between(1, 20);
  drawn.small_channels_per_group = draw_channels(random);
  drawn.big_channels_per_group = draw_channels(random);
  drawn.axes.assign(3, SpatialAxis{});
  SpatialAxis &d = drawn.axes[0], &h = drawn.axes[1], &w = drawn.axes[2];
  draw_window(d, 5, random);
  d.stride = random.chance(60) ? 1 : random.between(1, d.kernel);
  set_length(d, random.log_between(1, 30), random);
  const bool is_wide = random.chance(10);
  for (SpatialAxis* axis : {&h, &w}) {
    const std::int64_t longest = is_dx || axis == &h ? 40 : 32;
    draw_window(*axis, is_wide ? longest : 7, random);
    axis->stride = random.chance(60) ? 1 : random.log_between(1, random.chance(5) ? 63 : 4);
    set_length(*axis, draw_outputs(random), random);
  }
  if (random.chance(10)) {  // what of gradOutput must lie in L1 is about as large as L1
    const std::int64_t rows = (h.kernel - 1) * h.dilation + 2;
    set_length(w, random.between(5'000, 20'000) / rows / w.stride + 1, random);
  }
  constexpr std::int64_t longest_row = 60'000;
  if (random.chance(2)) set_length(w, random.between(20'000, longest_row), random);
  if (!is_dx && random.chance(15)) draw_long_reach(h, w, random);
  return drawn;
}

/// Halves what is largest until the gradient takes no more than these multiply-accumulates: then it
/// is computed, too.
void make_small(Convolution& drawn, std::int64_t max_macs, corpus::RandomSource& random) {
  while (mac_count(drawn) > max_macs) {
    auto longest = std::ranges::max_element(drawn.axes, {}, small_length);
    const std::int64_t outputs = small_length(*longest);
    std::int64_t* counts[] = {&drawn.batch, &drawn.small_channels_per_group,
                              &drawn.big_channels_per_group};
    std::int64_t& count = **std::ranges::max_element(counts, {}, [](auto* of) { return *of; });
    const bool is_longest = outputs > 8 && outputs * 4 > count;
    if (is_longest || (count <= 1 && outputs > 1)) {
      set_length(*longest, outputs / 2, random);
    } else if (count > 1) {
      count -= count / 2;
    } else {
      drawn.axes.assign(3, SpatialAxis{});
    }
  }
}

corpus::TensorCase tensor_of(DataType dtype) {
  corpus::TensorCase tensor;
  tensor.format = Format::Ncdhw;
  tensor.dtype = dtype;
  return tensor;
}

/// True if something of dx remains without what the stride left over.
bool can_be_transposed(const Convolution& sizes) {
  return std::ranges::all_of(
      sizes.axes, [](const SpatialAxis& axis) { return axis.big > unread_length(axis); });
}

/// Takes dx's length away: it follows; it may be longer by the output padding.
void make_transposed(Case& test_case, corpus::RandomSource& random) {
  test_case.grad_input.reset();
  test_case.attributes->input_size.reset();
  if (random.chance(30)) return;
  auto& extra = test_case.output_padding.emplace(3, 0);
  for (std::size_t i = 0; i < extra.size(); ++i) {
    const std::int64_t most = std::max(test_case.attributes->strides->at(i + 2),
                                       test_case.attributes->dilations->at(i + 2));
    extra[i] = random.chance(50) ? 0 : random.between(0, std::min<std::int64_t>(most - 1, 40));
  }
}

}  // namespace

std::vector<TilingFrame> tiling_frames_of(const Selection& selection) {
  std::vector<TilingFrame> frames;
  if (!admits(selection.ranks, 5) || selection.transposed.value_or(false)) return frames;
  for (const Api api : apis) {
    if (std::ranges::find(selection.apis, api) == selection.apis.end()) continue;
    for (const Product product : tiling_products) {
      if (!admits(selection.products, product)) continue;
      for (const DataType dtype : dtypes) {
        if (admits(selection.dtypes, dtype)) frames.push_back({api, product, dtype});
      }
    }
  }
  return frames;
}

Case draw_tiling_case(const TilingFrame& frame, std::int64_t max_macs,
                      corpus::RandomSource& random) {
  Convolution sizes = draw_sizes(is_dx(frame), random);
  // A kernel on the simulated cores takes a hundred times as long as the question.
  constexpr std::int64_t most_macs = 4'000;
  if (random.chance(45)) make_small(sizes, std::min(max_macs, most_macs), random);
  Case test_case;
  test_case.api = frame.api;
  test_case.soc = corpus::name_of(frame.product);
  test_case.grad_output = tensor_of(frame.dtype);
  (is_dx(frame) ? test_case.grad_input : test_case.input) = tensor_of(frame.dtype);
  (is_dx(frame) ? test_case.weight : test_case.grad_weight) =
      tensor_of(is_dx(frame) ? frame.dtype : DataType::Float);
  test_case.attributes.emplace().data_format = corpus::name_of(Format::Ncdhw);
  set_operator_convolution(test_case, sizes);
  if (is_dx(frame) && can_be_transposed(sizes) && random.chance(15)) {
    make_transposed(test_case, random);
  }
  return test_case;
}

}  // namespace gradproof::cases
