#include "properties/cases/generators/valid_case.h"

#include <algorithm>
#include <array>
#include <span>

#include "properties/cases/calls/operator_convolution.h"
#include "properties/cases/generators/layout.h"
#include "properties/cases/generators/shares.h"
#include "properties/cases/generators/sizes.h"
#include "properties/cases/generators/thresholds/threshold.h"
#include "properties/cases/generators/winograd_layer.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::OutputRole;
using corpus::TensorCase;
using Lengths = std::vector<std::int64_t>;

TensorCase tensor_of(Lengths shape, Format format, DataType type) {
  TensorCase tensor;
  tensor.shape = std::move(shape);
  tensor.format = format;
  tensor.dtype = type;
  return tensor;
}

bool is_8_bit(const Case& test_case) { return corpus::is_8_bit_float(test_case.input->dtype); }

DataType promoted(const Case& test_case) {
  const DataType first = test_case.grad_output->dtype;
  const bool equal = test_case.input->dtype == first && test_case.weight->dtype == first;
  return equal ? first : DataType::Float;
}

void set_dtypes(Case& test_case, std::array<DataType, 3> inputs) {
  test_case.grad_output->dtype = inputs[0];
  test_case.input->dtype = inputs[1];
  test_case.weight->dtype = inputs[2];
  test_case.grad_input->dtype = inputs[1];
  test_case.grad_weight->dtype = is_8_bit(test_case) ? DataType::Float : inputs[2];
  test_case.grad_bias->dtype = inputs[0];
}

/// Draws two or three different types of those that product and selection allow.
void draw_mixed_dtypes(const Frame& frame, const Selection& selection, Case& test_case,
                       corpus::RandomSource& random) {
  std::vector<DataType> types{DataType::Float, DataType::Float16};
  if (!is_first_generation(frame.product)) types.push_back(DataType::BFloat16);
  std::erase_if(types, [&](DataType type) {
    return !selection.dtypes.empty() &&
           std::ranges::find(selection.dtypes, type) == selection.dtypes.end();
  });
  const std::span<const DataType> choices(types);
  set_dtypes(test_case, {random.one_of(choices), random.one_of(choices), random.one_of(choices)});
}

/// DTYPE-05 leaves the type of gradWeight free on the older products, F8-04 that of 8-bit operands.
void draw_grad_weight_type(const Frame& frame, Case& test_case, corpus::RandomSource& random) {
  const bool eight_bit = is_8_bit(test_case);
  if (test_case.input->dtype == DataType::Double) return;
  if (!eight_bit && frame.product == corpus::Product::Ascend950) return;
  if (!random.chance(eight_bit ? 50 : 12)) return;
  test_case.grad_weight->dtype =
      is_first_generation(frame.product)
          ? random.one_of({DataType::Float, DataType::Float16})
          : random.one_of({DataType::Float, DataType::Float16, DataType::BFloat16});
}

/// CUBE-02, -03 and -05: what a product refuses by the promoted type.
std::int8_t draw_cube_math_type(const Frame& frame, const Case& test_case,
                                corpus::RandomSource& random) {
  const DataType type = promoted(test_case);
  if (is_first_generation(frame.product) && type == DataType::Float) {
    return random.one_of<std::int8_t>({1, 2});
  }
  if (type == DataType::Double) return 0;
  if (type == DataType::BFloat16) return random.one_of<std::int8_t>({0, 0, 1, 3});
  return random.one_of<std::int8_t>({0, 0, 0, 1, 1, 2, 3});
}

bool is_empty(const Case& test_case) {
  return corpus::element_count(test_case.input->shape) == 0 ||
         corpus::element_count(test_case.weight->shape) == 0;
}

std::vector<bool> draw_mask(const Case& test_case, corpus::RandomSource& random) {
  if (is_8_bit(test_case)) {
    return {true, random.chance(50), false};  // F8-01, F8-06: dx always, db never
  }
  // Of an empty problem gradWeight and gradBias alone can have elements.
  if (random.chance(is_empty(test_case) ? 80 : 45)) return {true, true, true};
  if (random.chance(4)) return {false, false, false};
  std::vector<bool> mask{random.chance(50), random.chance(50), random.chance(50)};
  if (!mask[0] && !mask[1] && !mask[2]) mask[to_size(random.between(0, 2))] = true;
  return mask;
}

/// Draws null pointers where the documents allow them: outputs that are not requested, and
/// biasSizes where gradBias is not requested.
void draw_null_arguments(Case& test_case, corpus::RandomSource& random) {
  for (const OutputRole role : corpus::output_roles) {
    if (!corpus::is_requested(test_case, role) && random.chance(40)) {
      corpus::tensor(test_case, role).reset();
    }
  }
  if (!corpus::is_requested(test_case, OutputRole::GradBias) && random.chance(30)) {
    test_case.bias_sizes.reset();
  }
}

/// BIAS-01 is documented without a status: a wrong length is passed over where the problem is not
/// empty.
void draw_wrong_bias_size(Case& test_case, corpus::RandomSource& random) {
  if (is_empty(test_case) || !test_case.bias_sizes || !random.chance(2)) return;
  test_case.bias_sizes = Lengths{random.one_of<std::int64_t>({0, 1, 7, 1'000'000})};
}

void draw_formats(Case& test_case, corpus::RandomSource& random) {
  if (test_case.input->shape.size() != 3 || !random.chance(40)) return;
  for (auto* tensor : {&test_case.grad_output, &test_case.input, &test_case.weight,
                       &test_case.grad_input, &test_case.grad_weight}) {
    if (*tensor && random.chance(60)) (*tensor)->format = Format::Nd;  // FMT-03
  }
}

/// A function returns its results, in memory of its own.
void draw_views(const Selection& selection, Case& test_case, corpus::RandomSource& random) {
  for (const auto role : corpus::input_roles) {
    if (!random.chance(60)) continue;
    TensorCase& tensor = *corpus::tensor(test_case, role);
    random.chance(shares::shared_places) ? make_shared(tensor, random)
                                         : make_strided(tensor, random);
  }
  if (selection.of_tensors) return;
  for (const auto role : corpus::output_roles) {
    auto& tensor = corpus::tensor(test_case, role);
    if (tensor && random.chance(30)) make_offset(*tensor, random);
  }
}

void draw_layouts(const Selection& selection, Case& test_case, corpus::RandomSource& random) {
  if (random.chance(shares::views) && selection.views) draw_views(selection, test_case, random);
}

/// An unrequested gradWeight of an 8-bit call counts among the tensors that F8-01 to F8-04 look at.
void settle_8_bit_outputs(Case& test_case) {
  if (!is_8_bit(test_case)) return;
  if (!corpus::is_requested(test_case, OutputRole::GradWeight)) test_case.grad_weight.reset();
}

/// Spells the same paddings in four values.
void draw_longer_paddings(Case& test_case, corpus::RandomSource& random) {
  if (test_case.input->shape.size() != 4 || test_case.padding->size() != 2 || !random.chance(20))
    return;
  const Lengths two = *test_case.padding;
  test_case.padding = Lengths{two[0], two[0], two[1], two[1]};
}

Case finished_case(const Frame& frame, const Selection& selection, const Convolution& convolution,
                   corpus::RandomSource& random) {
  Case test_case = plain_case(convolution, frame);
  if (!frame.dtype) draw_mixed_dtypes(frame, selection, test_case, random);
  draw_grad_weight_type(frame, test_case, random);
  test_case.cube_math_type = draw_cube_math_type(frame, test_case, random);
  draw_longer_paddings(test_case, random);
  test_case.output_mask = draw_mask(test_case, random);
  draw_null_arguments(test_case, random);
  settle_8_bit_outputs(test_case);
  draw_wrong_bias_size(test_case, random);
  draw_formats(test_case, random);
  draw_layouts(selection, test_case, random);
  test_case.deterministic = random.chance(20);
  return test_case;
}

/// Draws different types, where the selection leaves any.
void draw_different_dtypes(const Frame& frame, const Selection& selection, Case& test_case,
                           corpus::RandomSource& random) {
  constexpr int tries = 20;  // 20 draws of two types for three tensors are all equal once in 4^20
  const auto equal = [&] {
    return test_case.input->dtype == test_case.grad_output->dtype &&
           test_case.weight->dtype == test_case.grad_output->dtype;
  };
  for (int i = 0; i < tries && equal(); ++i) draw_mixed_dtypes(frame, selection, test_case, random);
}

/// EMPTY-12: the sizes of gradOutput are compared with nothing, but its channels where a bias is
/// asked for (BIAS-02).
void draw_free_grad_output(Case& test_case, corpus::RandomSource& random) {
  if (!random.chance(30)) return;
  auto& shape = test_case.grad_output->shape;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (axis != 1 && random.chance(40)) shape[axis] = random.between(0, 3);
  }
}

}  // namespace

Case plain_case(const Convolution& convolution, const Frame& frame) {
  const DataType type = frame.dtype.value_or(DataType::Float);
  Case test_case;
  test_case.soc = corpus::name_of(frame.product);
  test_case.transposed = convolution.transposed;
  test_case.groups = static_cast<std::int32_t>(convolution.groups);
  const Format format = plain_format(convolution.axes.size() + 2);
  test_case.grad_output = tensor_of(convolution.grad_output_shape(), format, type);
  test_case.input = tensor_of(convolution.input_shape(), format, type);
  test_case.weight = tensor_of(convolution.weight_shape(), format, type);
  test_case.grad_input = test_case.input;
  test_case.grad_weight = test_case.weight;
  test_case.grad_bias = tensor_of({convolution.bias_length()}, Format::Nd, type);
  set_dtypes(test_case, {type, type, type});
  test_case.bias_sizes = Lengths{convolution.bias_length()};
  test_case.stride = strides_of(convolution);
  test_case.dilation = dilations_of(convolution);
  test_case.padding = paddings_of(convolution);
  test_case.output_padding = output_paddings_of(convolution);
  test_case.output_mask = std::vector<bool>{true, true, true};
  const bool no_keep = is_first_generation(frame.product) && promoted(test_case) == DataType::Float;
  test_case.cube_math_type = no_keep ? 1 : 0;
  return test_case;
}

Case draw_wished_case(const Frame& frame, const Selection& selection,
                      const Convolution& convolution, const CallWishes& wishes,
                      corpus::RandomSource& random) {
  Case test_case = plain_case(convolution, frame);
  if (!frame.dtype) draw_different_dtypes(frame, selection, test_case, random);
  if (is_8_bit(test_case)) draw_grad_weight_type(frame, test_case, random);
  test_case.cube_math_type = wishes.cube_math_type;
  draw_longer_paddings(test_case, random);
  test_case.output_mask = wishes.output_mask;
  draw_null_arguments(test_case, random);
  settle_8_bit_outputs(test_case);
  draw_formats(test_case, random);
  if (wishes.has_views && selection.views) {
    const auto role = random.one_of(std::span<const corpus::InputRole>(corpus::input_roles));
    make_strided(*corpus::tensor(test_case, role), random);
    draw_views(selection, test_case, random);
  }
  test_case.deterministic = random.chance(20);
  return test_case;
}

Case draw_non_empty_case(const Frame& frame, const Selection& selection,
                         corpus::RandomSource& random, SizeChange needs) {
  Convolution convolution = draw_convolution(frame, selection.max_macs, random);
  if (needs != nullptr) needs(convolution, random);
  widen(convolution, frame.domain, random);
  return finished_case(frame, selection, convolution, random);
}

Case draw_empty_case(const Frame& frame, const Selection& selection, corpus::RandomSource& random,
                     SizeChange needs) {
  Convolution convolution = draw_empty_convolution(frame, random);
  if (needs != nullptr) needs(convolution, random);
  Case test_case = finished_case(frame, selection, convolution, random);
  const bool is_free = frame.domain == Domain::Cann && !test_case.grad_output->strides;
  if (is_free) draw_free_grad_output(test_case, random);
  return test_case;
}

Case draw_status_case(const Frame& frame, const Selection& selection,
                      corpus::RandomSource& random) {
  Case test_case = finished_case(frame, selection, draw_beyond_memory(frame, random), random);
  test_case.shape_consistent = false;
  return test_case;
}

Case draw_valid_case(const Frame& frame, const Selection& selection, corpus::RandomSource& random) {
  if (random.chance(shares::beyond_memory)) return draw_status_case(frame, selection, random);
  if (auto layer = draw_tile_case(frame, selection, random)) return *std::move(layer);
  const bool empty = !is_first_generation(frame.product) && random.chance(shares::empty);
  return empty ? draw_empty_case(frame, selection, random)
               : draw_non_empty_case(frame, selection, random);
}

}  // namespace gradproof::cases
