#include <array>

#include "properties/cases/generators/frame.h"
#include "properties/cases/generators/violations/operator_breakers.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::Product;
using corpus::TensorCase;

bool is_conv_tbc(const OperatorFrame& frame) { return frame.api == corpus::Api::ConvTbcBackward; }

/// self, input, weight, bias, gradInput, gradWeight, gradBias.
std::array<std::optional<TensorCase>*, 7> tensors_of(Case& test_case) {
  return {&test_case.grad_output, &test_case.input,       &test_case.weight,   &test_case.bias,
          &test_case.grad_input,  &test_case.grad_weight, &test_case.grad_bias};
}

std::optional<TensorCase>& any_tensor(Case& test_case, corpus::RandomSource& random) {
  return *random.one_of(std::span<std::optional<TensorCase>* const>(tensors_of(test_case)));
}

bool move_elsewhere(Case& test_case, corpus::RandomSource& random) {
  test_case.soc = corpus::name_of(random.chance(70) ? Product::Ascend310P : Product::Ascend310B);
  return true;
}

bool drop_a_tensor(Case& test_case, corpus::RandomSource& random) {
  any_tensor(test_case, random).reset();
  return true;
}

/// Sets an odd dtype in a tensor and the gradient that shares its dtype.
bool take_odd_dtype(Case& test_case, corpus::RandomSource& random) {
  const DataType odd =
      random.one_of({DataType::Double, DataType::Int32, DataType::HiFloat8, DataType::Complex64});
  const bool is_old = is_first_generation(*corpus::product_of(test_case));
  const DataType taken = is_old && random.chance(40) ? DataType::BFloat16 : odd;
  for (auto* tensor : tensors_of(test_case)) (*tensor)->dtype = taken;
  return true;
}

bool take_eight_bits_for_the_weight(Case& test_case, corpus::RandomSource&) {
  test_case.grad_weight->dtype = DataType::HiFloat8;
  return true;
}

bool take_odd_format(Case& test_case, corpus::RandomSource& random) {
  auto& tensor = any_tensor(test_case, random);
  const bool is_vector = tensor->shape.size() == 1;
  tensor->format = is_vector && random.chance(50) ? Format::Ncl : Format::Nchw;
  return true;
}

bool empty_self(Case& test_case, corpus::RandomSource& random) {
  const std::size_t axis = random.chance(50) ? 1 : 2;
  test_case.grad_output->shape[axis] = 0;
  if (axis == 1) {
    test_case.input->shape[1] = test_case.grad_input->shape[1] = 0;
    return true;
  }
  for (auto* tensor : {&test_case.weight, &test_case.grad_weight}) (*tensor)->shape[2] = 0;
  for (auto* tensor : {&test_case.bias, &test_case.grad_bias}) (*tensor)->shape[0] = 0;
  return true;
}

bool change_a_rank(Case& test_case, corpus::RandomSource& random) {
  auto& shape = any_tensor(test_case, random)->shape;
  if (shape.size() == 3 && random.chance(50)) {
    shape.pop_back();
  } else {
    shape.push_back(1);
  }
  return true;
}

bool contradict_input_channels_of_tbc(Case& test_case, corpus::RandomSource& random) {
  auto& tensors = random.chance(50) ? test_case.input : test_case.weight;
  const std::size_t axis = &tensors == &test_case.input ? 2 : 1;
  const std::int64_t more = random.between(1, 3);
  tensors->shape[axis] += more;
  (axis == 2 ? test_case.grad_input : test_case.grad_weight)->shape[axis] += more;
  return true;
}

bool lengthen_bias(Case& test_case, corpus::RandomSource& random) {
  test_case.bias->shape[0] += random.between(1, 3);
  test_case.grad_bias->shape = test_case.bias->shape;
  return true;
}

bool take_odd_pad(Case& test_case, corpus::RandomSource& random) {
  test_case.padding = std::vector<std::int64_t>{
      random.one_of<std::int64_t>({-1, -1, -2, std::int64_t{1} << 31, std::int64_t{1} << 62})};
  return true;
}

bool contradict_self(Case& test_case, corpus::RandomSource& random) {
  const auto axis = to_size(random.between(0, 1));
  test_case.grad_output->shape[axis] += random.between(1, 2);
  return true;
}

bool contradict_a_gradient(Case& test_case, corpus::RandomSource& random) {
  auto& gradient = *tensors_of(test_case).at(to_size(random.between(4, 6)));
  gradient->shape.back() += 1;
  return true;
}

bool take_odd_mode(Case& test_case, corpus::RandomSource& random) {
  const DataType dtype = test_case.grad_output->dtype;
  const bool is_old = is_first_generation(*corpus::product_of(test_case));
  test_case.cube_math_type = random.one_of<std::int8_t>({-1, 4, 5, 6, 127});
  if (random.chance(50)) return true;
  if (is_old && dtype == DataType::Float) test_case.cube_math_type = random.chance(50) ? 0 : 3;
  if (!is_old && dtype == DataType::BFloat16) test_case.cube_math_type = 2;
  return true;
}

DataType another_float(DataType dtype) {
  return dtype == DataType::Float ? DataType::Float16 : DataType::Float;
}

bool retype_a_gradient(Case& test_case, corpus::RandomSource& random) {
  auto& gradient = *tensors_of(test_case).at(to_size(random.between(4, 6)));
  gradient->dtype = another_float(gradient->dtype);
  return true;
}

/// Changes an input's dtype; the gradient follows.
bool retype_an_input(Case& test_case, corpus::RandomSource& random) {
  if (is_first_generation(*corpus::product_of(test_case))) test_case.cube_math_type = 1;
  if (test_case.cube_math_type == 2) test_case.cube_math_type = 0;
  const auto place = to_size(random.between(1, 3));
  const auto tensors = tensors_of(test_case);
  for (const std::size_t i : {place, place + 3}) {
    (*tensors.at(i))->dtype = another_float(test_case.grad_output->dtype);
  }
  return true;
}

constexpr OperatorBreaker tbc_rows[] = {
    {"TBC-00", is_conv_tbc, move_elsewhere},
    {"TBC-01", is_conv_tbc, drop_a_tensor},
    {"TBC-02", is_conv_tbc, take_odd_dtype},
    {"TBC-02", is_conv_tbc, take_eight_bits_for_the_weight},
    {"TBC-03", is_conv_tbc, take_odd_format},
    {"TBC-04", is_conv_tbc, empty_self},
    {"TBC-05", is_conv_tbc, change_a_rank},
    {"TBC-06", is_conv_tbc, contradict_input_channels_of_tbc},
    {"TBC-07", is_conv_tbc, lengthen_bias},
    {"TBC-08", is_conv_tbc, take_odd_pad},
    {"TBC-09", is_conv_tbc, contradict_self},
    {"TBC-10", is_conv_tbc, contradict_a_gradient},
    {"TBC-11", is_conv_tbc, take_odd_mode},
    {"TBC-12", is_conv_tbc, retype_a_gradient},
    {"TBC-13", is_conv_tbc, retype_an_input},
};

}  // namespace

std::span<const OperatorBreaker> conv_tbc_breakers() { return tbc_rows; }

}  // namespace gradproof::cases
