#include <algorithm>

#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/generators/violations/breaker_parts.h"
#include "properties/cases/generators/violations/rule_breakers.h"

namespace gradproof::cases {
namespace {

using breaker_parts::draw_axis_index;
using breaker_parts::lengthen;
using breaker_parts::make_present;
using breaker_parts::several_groups;
using corpus::Case;
using corpus::DataType;
using corpus::Product;
using Lengths = std::vector<std::int64_t>;

bool any_frame(const Frame&) { return true; }
bool is_transposed(const Frame& frame) { return frame.transposed; }
bool is_normal(const Frame& frame) { return !frame.transposed; }
bool has_grad_weight(const Frame& frame) {
  return !frame.dtype || corpus::row_of(*frame.dtype).has_weight_gradient;
}
bool is_before_950(const Frame& frame) { return frame.product != Product::Ascend950; }
bool is_float_on_first_generation(const Frame& frame) {
  return is_first_generation(frame.product) && frame.dtype == DataType::Float;
}
bool is_first_generation_frame(const Frame& frame) { return is_first_generation(frame.product); }
bool is_bfloat16(const Frame& frame) { return frame.dtype == DataType::BFloat16; }
bool is_with_empty_path(const Frame& frame) { return !is_first_generation(frame.product); }

/// Adds one more channel of gradOutput, or of input: weight no longer fits it.
bool add_channel(Case& test_case, bool to_grad_output) {
  if (to_grad_output) {
    lengthen(test_case.grad_output, 1, 1);
    lengthen(test_case.grad_bias, 0, 1);
  } else {
    lengthen(test_case.input, 1, 1);
    lengthen(test_case.grad_input, 1, 1);
  }
  return true;
}

bool add_small_channel(Case& test_case, corpus::RandomSource&) {
  return add_channel(test_case, !test_case.transposed);
}

bool add_big_channel(Case& test_case, corpus::RandomSource&) {
  return add_channel(test_case, test_case.transposed);
}

bool make_channels_indivisible(Case& test_case, corpus::RandomSource& random) {
  if (test_case.groups < 2) return false;
  const std::int64_t more = random.between(1, test_case.groups - 1);
  lengthen(test_case.weight, 0, more);
  lengthen(test_case.grad_weight, 0, more);
  lengthen(test_case.transposed ? test_case.input : test_case.grad_output, 1, more);
  if (test_case.transposed) lengthen(test_case.grad_input, 1, more);
  if (!test_case.transposed) lengthen(test_case.grad_bias, 0, more);
  return true;
}

bool make_depthwise_indivisible(Case& test_case, corpus::RandomSource& random) {
  const bool depthwise = test_case.groups >= 2 && test_case.weight->shape[1] == 1;
  return depthwise && make_channels_indivisible(test_case, random);
}

bool add_sample(Case& test_case, corpus::RandomSource& random) {
  lengthen(test_case.grad_output, 0, random.one_of<std::int64_t>({1, 1, 7}));
  return true;
}

/// Makes the larger map one element too short for one position of the kernel.
bool shorten_big_map(Case& test_case, corpus::RandomSource& random) {
  const auto old = convolution_of(test_case);
  if (!old) return false;
  const std::size_t axis = draw_axis_index(test_case, true, random);
  const SpatialAxis& was = old->axes[axis];
  const std::int64_t least =
      was.dilation * (was.kernel - 1) + 1 - was.padding_begin - was.padding_end;
  if (least < 2) return false;
  const std::int64_t by = least - 1 - was.big;
  auto& big = test_case.transposed ? test_case.grad_output : test_case.input;
  lengthen(big, axis + 2, by);
  if (!test_case.transposed) lengthen(test_case.grad_input, axis + 2, by);
  return true;
}

bool lengthen_grad_output(Case& test_case, corpus::RandomSource& random) {
  const auto by = random.one_of<std::int64_t>({1, 1, 2, 100});
  lengthen(test_case.grad_output, 2 + draw_axis_index(test_case, true, random), by);
  return true;
}

bool lengthen_transposed_input(Case& test_case, corpus::RandomSource& random) {
  const std::size_t axis = 2 + draw_axis_index(test_case, true, random);
  const auto by = random.one_of<std::int64_t>({1, 1, 2, 50});
  lengthen(test_case.input, axis, by);
  lengthen(test_case.grad_input, axis, by);
  return true;
}

/// Sets an output padding that is legal in itself (below the stride), but not what the sizes say.
bool contradict_output_padding(Case& test_case, corpus::RandomSource& random) {
  const std::size_t axis = draw_axis_index(test_case, true, random);
  const std::int64_t stride = (*test_case.stride)[axis];
  auto& stated = (*test_case.output_padding)[axis];
  if (stride < 2) return false;
  stated = (stated + random.between(1, stride - 1)) % stride;
  return true;
}

template <corpus::OutputRole role>
bool reshape_output(Case& test_case, corpus::RandomSource& random) {
  if (!make_present(test_case, role)) return false;
  auto& tensor = corpus::tensor(test_case, role);
  const auto axis = to_size(random.between(0, static_cast<std::int64_t>(tensor->shape.size()) - 1));
  lengthen(tensor, axis, random.chance(50) || tensor->shape[axis] < 2 ? 1 : -1);
  return true;
}

bool empty_grad_output(Case& test_case, corpus::RandomSource& random) {
  const std::size_t axis = random.one_of<std::size_t>({0, 2});
  lengthen(test_case.grad_output, axis, -test_case.grad_output->shape[axis]);
  return true;
}

bool set_cube_math_type_out_of_range(Case& test_case, corpus::RandomSource& random) {
  test_case.cube_math_type = random.one_of<std::int8_t>({-1, 4, 5, 6, 127, -128});
  return true;
}

template <std::int8_t type>
bool set_cube_math_type(Case& test_case, corpus::RandomSource&) {
  test_case.cube_math_type = type;
  return true;
}

/// Sets BF16 throughout on a product that has none.
bool retype_all_inputs(Case& test_case, corpus::RandomSource&) {
  for (const auto role : corpus::input_roles) {
    corpus::tensor(test_case, role)->dtype = DataType::BFloat16;
  }
  return true;
}

bool spread_output(Case& test_case, corpus::RandomSource& random) {
  const corpus::OutputRole role =
      random.one_of({corpus::OutputRole::GradInput, corpus::OutputRole::GradWeight,
                     corpus::OutputRole::GradBias});
  if (!make_present(test_case, role)) return false;
  auto& tensor = corpus::tensor(test_case, role);
  if (corpus::element_count(tensor->shape).value_or(0) < 2) return false;
  Lengths strides = corpus::row_major_strides(tensor->shape);
  for (std::int64_t& stride : strides) stride *= 2;
  tensor->strides = std::move(strides);
  tensor->storage_shape.reset();
  tensor->storage_shape = Lengths{*corpus::storage_element_count(*tensor)};
  return true;
}

// ---- what the sizes must have

void depthwise(Convolution& sizes, corpus::RandomSource& random) {
  several_groups(sizes, random);
  sizes.big_channels_per_group = 1;
}

/// Makes kernels cover two elements at least, with no padding to make up for those taken away.
void wide_kernels(Convolution& sizes, corpus::RandomSource&) {
  for (SpatialAxis& axis : sizes.axes) {
    axis.kernel = std::max<std::int64_t>(axis.kernel, 2);
    axis.padding_begin = axis.padding_end = 0;
    axis.big = std::max(axis.big, axis.dilation * (axis.kernel - 1) + 1);
  }
}

void strided(Convolution& sizes, corpus::RandomSource&) {
  for (SpatialAxis& axis : sizes.axes) axis.stride = std::max<std::int64_t>(axis.stride, 2);
}

/// Makes two channels of each, so that no output has a single element.
void two_channels(Convolution& sizes, corpus::RandomSource&) {
  auto& small = sizes.small_channels_per_group;
  auto& big = sizes.big_channels_per_group;
  small = std::max<std::int64_t>(small, 2);
  big = std::max<std::int64_t>(big, 2);
}

constexpr RuleBreaker breakers[] = {
    {"CH-01", Base::NonEmpty, any_frame, add_small_channel},
    {"CH-02", Base::NonEmpty, any_frame, add_big_channel},
    {"CH-03", Base::NonEmpty, any_frame, make_channels_indivisible, several_groups},
    {"CH-04", Base::NonEmpty, is_before_950, make_depthwise_indivisible, depthwise},
    {"CH-05", Base::NonEmpty, any_frame, add_sample},
    {"SHAPE-01", Base::NonEmpty, any_frame, shorten_big_map, wide_kernels},
    {"SHAPE-02", Base::NonEmpty, is_normal, lengthen_grad_output},
    {"SHAPE-03", Base::NonEmpty, is_transposed, lengthen_transposed_input},
    {"SHAPE-04", Base::NonEmpty, is_transposed, contradict_output_padding, strided},
    {"SHAPE-05", Base::NonEmpty, any_frame, reshape_output<corpus::OutputRole::GradInput>},
    {"SHAPE-06", Base::NonEmpty, has_grad_weight, reshape_output<corpus::OutputRole::GradWeight>},
    {"SHAPE-07", Base::NonEmpty, any_frame, reshape_output<corpus::OutputRole::GradBias>},
    {"SHAPE-08", Base::NonEmpty, is_with_empty_path, empty_grad_output},
    {"CUBE-01", Base::NonEmpty, any_frame, set_cube_math_type_out_of_range},
    {"CUBE-02", Base::NonEmpty, is_float_on_first_generation, set_cube_math_type<0>},
    {"CUBE-03", Base::NonEmpty, is_float_on_first_generation, set_cube_math_type<3>},
    {"CUBE-04", Base::NonEmpty, is_first_generation_frame, retype_all_inputs},
    {"CUBE-05", Base::NonEmpty, is_bfloat16, set_cube_math_type<2>},
    {"LAYOUT-02", Base::NonEmpty, any_frame, spread_output, two_channels},
};

}  // namespace

std::span<const RuleBreaker> size_breakers() { return breakers; }

}  // namespace gradproof::cases
