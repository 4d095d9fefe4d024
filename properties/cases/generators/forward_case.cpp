#include <algorithm>
#include <array>
#include <utility>

#include "corpus/product_row.h"
#include "oracle/status/status_oracle.h"
#include "properties/cases/generators/layout.h"
#include "properties/cases/generators/operator_case.h"
#include "properties/cases/generators/sizes.h"

namespace gradproof::cases {
namespace {

// Calls of the forward operators. Sizes are those of the convolution in the other direction, whose
// gradInput is the output: x is its gradOutput, y its input.

using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::Product;
using corpus::TensorCase;
using Lengths = std::vector<std::int64_t>;

constexpr bool has_forward_convolution(const corpus::ProductRow& row) {
  return corpus::has_graph_operators(row) || row.product == Product::Ascend310P ||
         row.product == Product::Ascend310B;
}
constexpr std::array convolution_products = corpus::products_where<has_forward_convolution>();
constexpr std::array later_products = corpus::products_where<corpus::has_graph_operators>();
constexpr int all_ranks[] = {3, 4, 5}, line_rank[] = {3}, plane_rank[] = {4};

/// The dtype is that of input and weight.
bool takes_dtype(const OperatorFrame& frame) {
  if (frame.product == Product::Ascend950 && corpus::is_8_bit_float(frame.dtype)) {
    return frame.dtype == DataType::HiFloat8 || frame.transposed;
  }
  if (!corpus::is_wide_float(frame.dtype)) return false;
  return frame.dtype != DataType::BFloat16 || frame.product != Product::Ascend310P;
}

/// All that these take is FLOAT16.
bool is_volume_on_310p(const OperatorFrame& frame) {
  return frame.product == Product::Ascend310P && frame.rank == 5;
}

bool takes_convolution(const OperatorFrame& frame) {
  if (!takes_dtype(frame)) return false;
  if (frame.product == Product::Ascend310B) return frame.rank == 4 && !frame.transposed;
  return !is_volume_on_310p(frame) || (!frame.transposed && frame.dtype == DataType::Float16);
}

std::int8_t draw_mode(const OperatorFrame& frame, corpus::RandomSource& random) {
  const bool is_old = frame.product == Product::Ascend310P;
  if (is_old && frame.dtype == DataType::Float) return random.one_of<std::int8_t>({1, 2});
  if (frame.dtype == DataType::BFloat16) return random.one_of<std::int8_t>({0, 1, 3});
  return random.one_of<std::int8_t>({0, 1, 2, 3});
}

DataType draw_wide(const OperatorFrame& frame, corpus::RandomSource& random) {
  if (frame.product == Product::Ascend310P) {
    return random.one_of({DataType::Float, DataType::Float16});
  }
  return random.one_of({DataType::Float, DataType::Float16, DataType::BFloat16});
}

TensorCase tensor_of(Lengths shape, DataType dtype, Format format) {
  TensorCase tensor;
  tensor.shape = std::move(shape);
  tensor.dtype = dtype;
  tensor.format = format;
  return tensor;
}

void draw_views(Case& test_case, corpus::RandomSource& random) {
  for (auto* tensor :
       {&test_case.grad_output, &test_case.weight, &test_case.input, &test_case.grad_input}) {
    if (!*tensor || !random.chance(12)) continue;
    const bool is_output = tensor == &test_case.grad_input;
    if (!is_output && random.chance(20)) {
      make_shared(**tensor, random);
    } else {
      make_strided(**tensor, random);
    }
  }
}

/// The three maps of a gradient's sizes, all of the frame's dtype, in plain formats.
Case with_maps(const OperatorFrame& frame, const Convolution& sizes) {
  Case made;
  made.api = frame.api;
  made.soc = corpus::name_of(frame.product);
  const Format format = corpus::plain_format(to_size(frame.rank));
  made.grad_output = tensor_of(sizes.grad_output_shape(), frame.dtype, format);
  made.weight = tensor_of(sizes.weight_shape(), frame.dtype, format);
  made.grad_input = tensor_of(sizes.input_shape(), frame.dtype, format);
  return made;
}

/// Mixes dtypes of a legal call: p, and with it what the modes mean, may become FLOAT.
void mix_dtypes(const OperatorFrame& frame, Case& test_case, corpus::RandomSource& random) {
  const bool is_fixed = is_volume_on_310p(frame) || corpus::is_8_bit_float(frame.dtype);
  if (!is_fixed && random.chance(10)) {
    test_case.weight->dtype = draw_wide(frame, random);
    const bool is_mixed = test_case.weight->dtype != frame.dtype;
    if (is_mixed) test_case.cube_math_type = random.one_of<std::int8_t>({1, 2});
    if (frame.transposed && is_mixed && random.chance(50)) {
      test_case.grad_input->dtype = DataType::Float;
    }
  }
  const bool may_differ = !frame.transposed && !is_volume_on_310p(frame);
  if (may_differ && random.chance(25)) test_case.grad_input->dtype = draw_wide(frame, random);
}

void draw_bias(const OperatorFrame& frame, Case& test_case, corpus::RandomSource& random) {
  const bool has_none = frame.transposed && corpus::is_8_bit_float(frame.dtype);
  if (has_none || random.chance(30)) return;
  const DataType dtype = is_volume_on_310p(frame) ? DataType::Float16 : draw_wide(frame, random);
  const Format format =
      random.chance(70) ? Format::Nd : random.one_of({Format::Ncl, Format::Nchw, Format::Ncdhw});
  test_case.input = tensor_of({test_case.grad_input->shape[1]}, dtype, format);
}

/// What is not read may be anything; what is read leads to the output's lengths, with a step more
/// where the dilation leaves room for it.
void draw_output_padding(const Convolution& sizes, Case& test_case, corpus::RandomSource& random) {
  if (!test_case.transposed) {
    if (random.chance(30)) return;
    test_case.output_padding = Lengths(sizes.axes.size(), random.chance(80) ? 0 : 7);
    if (random.chance(10)) test_case.output_padding->push_back(random.between(-3, 3));
    return;
  }
  Lengths& values = test_case.output_padding.emplace();
  for (std::size_t i = 0; i < sizes.axes.size(); ++i) {
    const SpatialAxis& axis = sizes.axes[i];
    const std::int64_t unread = unread_length(axis);
    const std::int64_t room = axis.dilation - 1 - unread;
    const std::int64_t more = room > 0 && random.chance(20) ? random.between(0, room) : 0;
    test_case.grad_input->shape[i + 2] += more;
    values.push_back(unread + more);
  }
}

/// A call without a sample.
void draw_emptiness(Case& test_case, corpus::RandomSource& random) {
  if (!random.chance(2)) return;
  test_case.grad_output->shape[0] = test_case.grad_input->shape[0] = 0;
}

Case draw_any_convolution(const OperatorFrame& frame, std::int64_t max_macs,
                          corpus::RandomSource& random) {
  const Product product =
      frame.product == Product::Ascend310B ? Product::Ascend910B : frame.product;
  Convolution sizes = draw_convolution(
      {.product = product, .rank = frame.rank, .transposed = !frame.transposed}, max_macs, random);
  const bool is_plain_line = frame.rank == 3 && !frame.transposed;
  if (is_plain_line && random.chance(4)) cut_into_long_pieces(sizes, random);
  const Lengths padding = draw_padding(sizes, frame.transposed, random);
  Case test_case = with_maps(frame, sizes);
  test_case.transposed = frame.transposed;
  test_case.stride = values_of(sizes, &SpatialAxis::stride);
  test_case.dilation = values_of(sizes, &SpatialAxis::dilation);
  test_case.padding = padding;
  test_case.groups = static_cast<std::int32_t>(sizes.groups);
  test_case.cube_math_type = draw_mode(frame, random);
  draw_output_padding(sizes, test_case, random);
  mix_dtypes(frame, test_case, random);
  draw_bias(frame, test_case, random);
  draw_emptiness(test_case, random);
  draw_views(test_case, random);
  test_case.deterministic = random.chance(10);
  return test_case;
}

Case draw_any_depthwise(const OperatorFrame& frame, std::int64_t max_macs,
                        corpus::RandomSource& random) {
  Convolution sizes =
      draw_convolution({.product = frame.product, .rank = 4, .transposed = true}, max_macs, random);
  sizes.groups = std::min<std::int64_t>(sizes.groups * sizes.big_channels_per_group, 24);
  sizes.big_channels_per_group = 1;
  sizes.small_channels_per_group = std::min<std::int64_t>(sizes.small_channels_per_group, 3);
  for (SpatialAxis& axis : sizes.axes) even_out(axis);
  Case test_case = with_maps(frame, sizes);
  test_case.kernel_size = values_of(sizes, &SpatialAxis::kernel);
  test_case.stride = values_of(sizes, &SpatialAxis::stride);
  test_case.dilation = values_of(sizes, &SpatialAxis::dilation);
  test_case.padding = values_of(sizes, &SpatialAxis::padding_begin);
  test_case.cube_math_type = draw_mode(frame, random);
  draw_bias(frame, test_case, random);
  if (test_case.input && frame.dtype != DataType::HiFloat8) test_case.input->dtype = frame.dtype;
  draw_emptiness(test_case, random);
  draw_views(test_case, random);
  test_case.deterministic = random.chance(10);
  return test_case;
}

/// The axes of a line as the operator has them: L, N, C and kernel, input and output channels.
void turn_axes(Case& test_case) {
  for (auto* map : {&test_case.grad_output, &test_case.grad_input}) {
    auto& shape = (*map)->shape;
    shape = {shape[2], shape[0], shape[1]};
  }
  auto& weight = test_case.weight->shape;
  std::swap(weight[0], weight[2]);
}

/// Without a product the output is the bias.
void drop_products(Case& test_case) {
  test_case.grad_output->shape[2] = test_case.weight->shape[1] = 0;
}

Case draw_any_tbc(const OperatorFrame& frame, std::int64_t max_macs, corpus::RandomSource& random) {
  Convolution sizes =
      draw_convolution({.product = frame.product, .rank = 3, .transposed = true}, max_macs, random);
  sizes.groups = 1;
  SpatialAxis& line = sizes.axes.front();
  line.kernel = std::min<std::int64_t>(line.kernel, 200);
  line.stride = line.dilation = 1;
  line.big = std::max(line.big, line.kernel - line.padding_begin - line.padding_end);
  even_out(line);
  Case test_case = with_maps(frame, sizes);
  turn_axes(test_case);
  for (auto* map : {&test_case.grad_output, &test_case.weight, &test_case.grad_input}) {
    if (random.chance(40)) (*map)->format = Format::Nd;
  }
  test_case.input =
      tensor_of({test_case.grad_input->shape[2]}, draw_wide(frame, random), Format::Nd);
  test_case.padding = Lengths{line.padding_begin};
  test_case.cube_math_type = draw_mode(frame, random);
  if (random.chance(3)) drop_products(test_case);
  draw_views(test_case, random);
  test_case.deterministic = random.chance(10);
  return test_case;
}

/// Sizes that a gradient may have and a forward call may not are drawn again.
template <Case (*draw_any)(const OperatorFrame&, std::int64_t, corpus::RandomSource&)>
Case draw_legal(const OperatorFrame& frame, std::int64_t max_macs, const OperatorWishes&,
                corpus::RandomSource& random) {
  constexpr int tries = 50;
  Case test_case = draw_any(frame, max_macs, random);
  for (int i = 0; i < tries; ++i) {
    const auto admitted = oracle::admissible_statuses(test_case, oracle::Profile::Documented);
    const bool is_legal = !admitted.not_judged && admitted.statuses.size() == 1 &&
                          admitted.statuses.front() == corpus::Status::Success;
    if (is_legal) break;
    test_case = draw_any(frame, max_macs, random);
  }
  return test_case;
}

}  // namespace

const OperatorGenerator forward_convolution_generator{.ranks = all_ranks,
                                                      .takes_transposed = true,
                                                      .products = convolution_products,
                                                      .takes = takes_convolution,
                                                      .draw = draw_legal<draw_any_convolution>,
                                                      .breakers = forward_breakers};
const OperatorGenerator forward_tbc_generator{.ranks = line_rank,
                                              .products = later_products,
                                              .takes = takes_dtype,
                                              .draw = draw_legal<draw_any_tbc>,
                                              .breakers = no_breakers};
const OperatorGenerator depthwise_generator{.ranks = plane_rank,
                                            .products = later_products,
                                            .takes = takes_dtype,
                                            .draw = draw_legal<draw_any_depthwise>,
                                            .breakers = no_breakers};

}  // namespace gradproof::cases
