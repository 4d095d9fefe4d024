#include <algorithm>
#include <limits>
#include <numeric>

#include "properties/convolution.h"
#include "properties/generators/rule_breakers.h"
#include "properties/generators/sizes.h"

namespace gradproof::properties {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::Product;
using Lengths = std::vector<std::int64_t>;

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t int64_min = std::numeric_limits<std::int64_t>::min();

bool any_frame(const Frame&) { return true; }
bool is_wide(const Frame& frame) {
  return frame.types != TypeMix::HiFloat8 && frame.types != TypeMix::Float8E4M3FN;
}
bool is_transposed(const Frame& frame) { return frame.transposed; }
bool is_normal(const Frame& frame) { return !frame.transposed; }
bool is_normal_second_generation(const Frame& frame) {
  return !frame.transposed && is_second_generation(frame.product);
}
bool is_normal_volume(const Frame& frame) {
  return is_normal_second_generation(frame) && frame.rank == 5;
}
bool is_normal_plane(const Frame& frame) {
  return is_normal_second_generation(frame) && frame.rank < 5;
}
bool is_transposed_950(const Frame& frame) {
  return frame.transposed && frame.product == Product::Ascend950;
}
bool is_before_950(const Frame& frame) { return frame.product != Product::Ascend950; }
bool is_float_on_first_generation(const Frame& frame) {
  return is_first_generation(frame.product) && frame.types == TypeMix::Float;
}
bool is_first_generation_frame(const Frame& frame) { return is_first_generation(frame.product); }
bool is_bfloat16(const Frame& frame) { return frame.types == TypeMix::BFloat16; }
bool is_with_empty_path(const Frame& frame) { return !is_first_generation(frame.product); }

/// One element below the bound, or far below it.
std::int64_t draw_below(std::int64_t bound, RandomSource& random) {
  return random.one_of({bound - 1, bound - 1, bound - 2, -int64_max, int64_min});
}

template <auto member, std::int64_t bound>
bool lower_element(Case& problem, RandomSource& random) {
  auto& array = *(problem.*member);
  if (array.empty()) return false;
  array[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(array.size()) - 1))] =
      draw_below(bound, random);
  return true;
}

bool raise_output_padding(Case& problem, RandomSource& random) {
  auto& array = *problem.output_padding;
  const auto axis =
      static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(array.size()) - 1));
  array[axis] = (*problem.stride)[axis] + random.one_of<std::int64_t>({0, 0, 1, 1000});
  return true;
}

bool set_any_output_padding(Case& problem, RandomSource& random) {
  auto& array = *problem.output_padding;
  array[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(array.size()) - 1))] =
      random.one_of<std::int64_t>({1, -1, 7, int64_max});
  return true;
}

bool lower_groups(Case& problem, RandomSource& random) {
  problem.groups = random.one_of({0, 0, -1, -2, std::numeric_limits<std::int32_t>::min()});
  return true;
}

std::int64_t draw_above(std::int64_t limit, RandomSource& random) {
  return random.one_of({limit + 1, limit + 1, limit + 2, 2 * limit});
}

/// The same call with one axis changed and every shape following it.
bool with_axis(Case& problem, std::size_t axis, void (*change)(SpatialAxis&, std::int64_t),
               std::int64_t value) {
  const auto old = convolution_of(problem);
  if (!old) return false;
  Convolution next = *old;
  change(next.axes[axis], value);
  if (room(next.axes[axis]) < 0) return false;
  std::vector<std::size_t> axes(old->axes.size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  problem = with_convolution(problem, *old, next, axes);
  return true;
}

void widen_kernel(SpatialAxis& axis, std::int64_t kernel) {
  axis.big += axis.dilation * (kernel - axis.kernel);
  axis.kernel = kernel;
}

void widen_stride(SpatialAxis& axis, std::int64_t stride) { axis.stride = stride; }

void widen_padding(SpatialAxis& axis, std::int64_t padding) {
  axis.padding_begin = axis.padding_end = padding;
  axis.stride = std::max(axis.stride, padding / 16);  // few outputs, so few elements
}

void widen_dilation(SpatialAxis& axis, std::int64_t dilation) {
  axis.kernel = std::min<std::int64_t>(axis.kernel, 2);
  axis.dilation = dilation;
  axis.big = std::max(axis.big, dilation + 1);
}

/// Spatial axes of a case: all, or all but the depth of a volume.
std::size_t draw_axis_index(const Case& problem, bool depth_too, RandomSource& random) {
  const std::size_t axes = problem.input->shape.size() - 2;
  const std::int64_t first = axes == 3 && !depth_too ? 1 : 0;
  return static_cast<std::size_t>(random.between(first, static_cast<std::int64_t>(axes) - 1));
}

bool exceed_kernel(Case& problem, RandomSource& random) {
  return with_axis(problem, draw_axis_index(problem, false, random), widen_kernel,
                   draw_above(255, random));
}

bool exceed_stride(Case& problem, RandomSource& random) {
  return with_axis(problem, draw_axis_index(problem, false, random), widen_stride,
                   draw_above(63, random));
}

bool exceed_padding_of_a_volume(Case& problem, RandomSource& random) {
  const std::size_t axis = draw_axis_index(problem, false, random);
  // A stride of 16 at the least, and 63 at the most, keeps the other rows of the table whole.
  const auto widen = [](SpatialAxis& changed, std::int64_t padding) {
    changed.padding_begin = changed.padding_end = padding;
    changed.stride = std::clamp<std::int64_t>(changed.stride, 16, 63);
  };
  return with_axis(problem, axis, widen, draw_above(255, random));
}

bool exceed_padding(Case& problem, RandomSource& random) {
  return with_axis(problem, draw_axis_index(problem, true, random), widen_padding,
                   draw_above(255, random));
}

bool exceed_dilation(Case& problem, RandomSource& random) {
  return with_axis(problem, draw_axis_index(problem, true, random), widen_dilation,
                   draw_above(255, random));
}

bool exceed_dilation_but_depth(Case& problem, RandomSource& random) {
  return with_axis(problem, draw_axis_index(problem, false, random), widen_dilation,
                   draw_above(255, random));
}

bool exceed_groups(Case& problem, RandomSource& random) {
  Convolution wide;
  wide.transposed = problem.transposed;
  wide.groups = random.one_of({65536, 65536, 65537});
  wide.axes.resize(problem.input->shape.size() - 2);
  const auto old = convolution_of(problem);
  if (!old) return false;
  std::vector<std::size_t> axes(old->axes.size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  problem = with_convolution(problem, *old, wide, axes);
  return true;
}

void lengthen(std::optional<corpus::TensorCase>& tensor, std::size_t axis, std::int64_t by) {
  if (!tensor || axis >= tensor->shape.size()) return;
  tensor->shape[axis] += by;
  tensor->strides.reset();
  tensor->storage_shape.reset();
  tensor->offset = 0;
}

/// One more channel on the side of the smaller map: w.N no longer fits it.
bool add_small_channel(Case& problem, RandomSource&) {
  if (problem.transposed) {
    lengthen(problem.input, 1, 1);
    lengthen(problem.grad_input, 1, 1);
    return true;
  }
  lengthen(problem.grad_output, 1, 1);
  lengthen(problem.grad_bias, 0, 1);
  return true;
}

bool add_big_channel(Case& problem, RandomSource&) {
  if (!problem.transposed) {
    lengthen(problem.input, 1, 1);
    lengthen(problem.grad_input, 1, 1);
    return true;
  }
  lengthen(problem.grad_output, 1, 1);
  lengthen(problem.grad_bias, 0, 1);
  return true;
}

bool make_channels_indivisible(Case& problem, RandomSource& random) {
  if (problem.groups < 2) return false;
  const std::int64_t more = random.between(1, problem.groups - 1);
  lengthen(problem.weight, 0, more);
  lengthen(problem.grad_weight, 0, more);
  lengthen(problem.transposed ? problem.input : problem.grad_output, 1, more);
  if (problem.transposed) lengthen(problem.grad_input, 1, more);
  if (!problem.transposed) lengthen(problem.grad_bias, 0, more);
  return true;
}

bool make_depthwise_indivisible(Case& problem, RandomSource& random) {
  const bool depthwise = problem.groups >= 2 && problem.weight->shape[1] == 1;
  return depthwise && make_channels_indivisible(problem, random);
}

bool add_sample(Case& problem, RandomSource& random) {
  lengthen(problem.grad_output, 0, random.one_of<std::int64_t>({1, 1, 7}));
  return true;
}

/// The larger map one element too short for one position of the kernel.
bool shorten_big_map(Case& problem, RandomSource& random) {
  const auto old = convolution_of(problem);
  if (!old) return false;
  const std::size_t axis = draw_axis_index(problem, true, random);
  const SpatialAxis& was = old->axes[axis];
  const std::int64_t least =
      was.dilation * (was.kernel - 1) + 1 - was.padding_begin - was.padding_end;
  if (least < 2) return false;
  const std::int64_t by = least - 1 - was.big;
  auto& big = problem.transposed ? problem.grad_output : problem.input;
  lengthen(big, axis + 2, by);
  if (!problem.transposed) lengthen(problem.grad_input, axis + 2, by);
  return true;
}

bool lengthen_grad_output(Case& problem, RandomSource& random) {
  lengthen(problem.grad_output, 2 + draw_axis_index(problem, true, random),
           random.one_of<std::int64_t>({1, 1, 2, 100}));
  return true;
}

bool lengthen_transposed_input(Case& problem, RandomSource& random) {
  const std::size_t axis = 2 + draw_axis_index(problem, true, random);
  const auto by = random.one_of<std::int64_t>({1, 1, 2, 50});
  lengthen(problem.input, axis, by);
  lengthen(problem.grad_input, axis, by);
  return true;
}

/// Legal in itself (below the stride), but not what the sizes say.
bool contradict_output_padding(Case& problem, RandomSource& random) {
  const std::size_t axis = draw_axis_index(problem, true, random);
  const std::int64_t stride = (*problem.stride)[axis];
  auto& stated = (*problem.output_padding)[axis];
  if (stride < 2) return false;
  stated = (stated + random.between(1, stride - 1)) % stride;
  return true;
}

template <corpus::OutputRole role>
bool reshape_output(Case& problem, RandomSource& random) {
  auto& tensor = corpus::tensor(problem, role);
  if (!tensor) return false;
  const auto axis = static_cast<std::size_t>(
      random.between(0, static_cast<std::int64_t>(tensor->shape.size()) - 1));
  lengthen(tensor, axis, random.chance(50) || tensor->shape[axis] < 2 ? 1 : -1);
  return true;
}

bool empty_grad_output(Case& problem, RandomSource& random) {
  const std::size_t axis = random.one_of<std::size_t>({0, 2});
  lengthen(problem.grad_output, axis, -problem.grad_output->shape[axis]);
  return true;
}

bool set_cube_math_type_out_of_range(Case& problem, RandomSource& random) {
  problem.cube_math_type = random.one_of<std::int8_t>({-1, 4, 5, 6, 127, -128});
  return true;
}

template <std::int8_t type>
bool set_cube_math_type(Case& problem, RandomSource&) {
  problem.cube_math_type = type;
  return true;
}

/// BF16 throughout on a product that has none.
bool retype_all_inputs(Case& problem, RandomSource&) {
  for (const auto role : corpus::input_roles) {
    corpus::tensor(problem, role)->dtype = DataType::BFloat16;
  }
  return true;
}

bool spread_output(Case& problem, RandomSource& random) {
  const corpus::OutputRole role =
      random.one_of({corpus::OutputRole::GradInput, corpus::OutputRole::GradWeight,
                     corpus::OutputRole::GradBias});
  auto& tensor = corpus::tensor(problem, role);
  if (!tensor || corpus::element_count(tensor->shape).value_or(0) < 2) return false;
  Lengths strides = corpus::row_major_strides(tensor->shape);
  for (std::int64_t& stride : strides) stride *= 2;
  tensor->strides = std::move(strides);
  tensor->storage_shape.reset();
  tensor->storage_shape = Lengths{*corpus::storage_element_count(*tensor)};
  return true;
}

constexpr RuleBreaker breakers[] = {
    {"STRIDE-01", Base::NonEmpty, any_frame, lower_element<&Case::stride, 1>},
    {"PAD-01", Base::NonEmpty, any_frame, lower_element<&Case::padding, 0>},
    {"DIL-01", Base::NonEmpty, any_frame, lower_element<&Case::dilation, 1>},
    {"OPAD-01", Base::NonEmpty, is_transposed, lower_element<&Case::output_padding, 0>},
    {"OPAD-02", Base::NonEmpty, is_transposed, raise_output_padding},
    {"OPAD-03", Base::NonEmpty, is_normal, set_any_output_padding},
    {"GRP-01", Base::NonEmpty, any_frame, lower_groups},
    {"RANGE-01", Base::NonEmpty, is_normal_second_generation, exceed_kernel},
    {"RANGE-02", Base::NonEmpty, is_transposed_950, exceed_kernel},
    {"RANGE-03", Base::NonEmpty, is_normal_volume, exceed_stride},
    {"RANGE-04", Base::NonEmpty, is_transposed_950, exceed_stride},
    {"RANGE-05", Base::NonEmpty, is_normal_volume, exceed_padding_of_a_volume},
    {"RANGE-06", Base::NonEmpty, is_normal_plane, exceed_padding},
    {"RANGE-07", Base::NonEmpty, is_transposed_950, exceed_padding_of_a_volume},
    {"RANGE-08", Base::NonEmpty, is_normal_second_generation, exceed_dilation},
    {"RANGE-09", Base::NonEmpty, is_transposed_950, exceed_dilation_but_depth},
    {"RANGE-10", Base::NonEmpty, is_wide, exceed_groups},
    {"CH-01", Base::NonEmpty, any_frame, add_small_channel},
    {"CH-02", Base::NonEmpty, any_frame, add_big_channel},
    {"CH-03", Base::NonEmpty, any_frame, make_channels_indivisible},
    {"CH-04", Base::NonEmpty, is_before_950, make_depthwise_indivisible},
    {"CH-05", Base::NonEmpty, any_frame, add_sample},
    {"SHAPE-01", Base::NonEmpty, any_frame, shorten_big_map},
    {"SHAPE-02", Base::NonEmpty, is_normal, lengthen_grad_output},
    {"SHAPE-03", Base::NonEmpty, is_transposed, lengthen_transposed_input},
    {"SHAPE-04", Base::NonEmpty, is_transposed, contradict_output_padding},
    {"SHAPE-05", Base::NonEmpty, any_frame, reshape_output<corpus::OutputRole::GradInput>},
    {"SHAPE-06", Base::NonEmpty, any_frame, reshape_output<corpus::OutputRole::GradWeight>},
    {"SHAPE-07", Base::NonEmpty, any_frame, reshape_output<corpus::OutputRole::GradBias>},
    {"SHAPE-08", Base::NonEmpty, is_with_empty_path, empty_grad_output},
    {"CUBE-01", Base::NonEmpty, any_frame, set_cube_math_type_out_of_range},
    {"CUBE-02", Base::NonEmpty, is_float_on_first_generation, set_cube_math_type<0>},
    {"CUBE-03", Base::NonEmpty, is_float_on_first_generation, set_cube_math_type<3>},
    {"CUBE-04", Base::NonEmpty, is_first_generation_frame, retype_all_inputs},
    {"CUBE-05", Base::NonEmpty, is_bfloat16, set_cube_math_type<2>},
    {"LAYOUT-02", Base::NonEmpty, any_frame, spread_output},
};

}  // namespace

std::span<const RuleBreaker> size_breakers() { return breakers; }

}  // namespace gradproof::properties
