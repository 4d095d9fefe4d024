#include <array>

#include "corpus/data_type.h"
#include "properties/cases/generators/violations/forward_breaks.h"

namespace gradproof::cases::forward {

using corpus::Api;
using corpus::DataType;
using corpus::Format;
using corpus::Product;
using corpus::TensorCase;
using Lengths = std::vector<std::int64_t>;

namespace {

/// input, weight, output.
TensorCase& any_map(Case& test_case, RandomSource& random) {
  const std::array maps{&test_case.grad_output, &test_case.weight, &test_case.grad_input};
  return **random.one_of(std::span<std::optional<TensorCase>* const>(maps));
}

/// A changed shape has no place in a view.
void make_whole(TensorCase& tensor) {
  tensor.strides.reset();
  tensor.storage_shape.reset();
  tensor.offset = 0;
}

bool is_tbc(const Case& test_case) { return test_case.api == Api::ConvTbc; }

TensorCase& bias_of(Case& test_case) {
  if (!test_case.input) {
    test_case.input.emplace();
    test_case.input->dtype = test_case.grad_output->dtype;
    const auto& output = test_case.grad_input->shape;
    test_case.input->shape = Lengths{output.at(is_tbc(test_case) ? 2 : 1)};
  }
  return *test_case.input;
}

DataType another_float(DataType dtype) {
  return dtype == DataType::Float ? DataType::Float16 : DataType::Float;
}

DataType odd_dtype(RandomSource& random) {
  return random.one_of({DataType::Double, DataType::Int32, DataType::Complex64});
}

}  // namespace

bool take_odd_dtype(Case& test_case, RandomSource& random) {
  any_map(test_case, random).dtype = odd_dtype(random);
  return true;
}

bool take_odd_bias_dtype(Case& test_case, RandomSource& random) {
  const bool is_old = test_case.soc == corpus::name_of(Product::Ascend310P);
  bias_of(test_case).dtype = is_old && random.chance(50) ? DataType::BFloat16 : odd_dtype(random);
  return true;
}

bool take_another_output_dtype(Case& test_case, RandomSource&) {
  test_case.weight->dtype = test_case.grad_output->dtype;
  test_case.grad_input->dtype = another_float(test_case.grad_output->dtype);
  return true;
}

bool take_another_dtype(Case& test_case, RandomSource& random) {
  auto& tensor = random.chance(50) ? test_case.weight : test_case.grad_input;
  tensor->dtype = another_float(test_case.grad_output->dtype);
  return true;
}

bool take_another_bias_dtype(Case& test_case, RandomSource&) {
  bias_of(test_case).dtype = another_float(test_case.grad_output->dtype);
  return true;
}

bool mix_8_bits(Case& test_case, RandomSource& random) {
  auto& tensor = random.chance(50) ? test_case.grad_output : test_case.weight;
  tensor->dtype = corpus::is_8_bit_float(tensor->dtype) ? DataType::Float16 : DataType::HiFloat8;
  return true;
}

bool mix_8_bits_of_transposed(Case& test_case, RandomSource& random) {
  TensorCase& tensor = any_map(test_case, random);
  const DataType other =
      tensor.dtype == DataType::HiFloat8 ? DataType::Float8E4M3FN : DataType::HiFloat8;
  tensor.dtype = random.chance(50) ? DataType::Float16 : other;
  return true;
}

bool add_a_bias(Case& test_case, RandomSource&) {
  bias_of(test_case).dtype = DataType::Float;
  return true;
}

bool change_a_rank(Case& test_case, RandomSource& random) {
  TensorCase& tensor = any_map(test_case, random);
  make_whole(tensor);
  if (random.chance(50)) {
    tensor.shape.pop_back();
  } else {
    tensor.shape.push_back(1);
  }
  tensor.format = corpus::plain_format(tensor.shape.size());
  return true;
}

bool take_odd_format(Case& test_case, RandomSource& random) {
  TensorCase& tensor = any_map(test_case, random);
  const bool is_line = is_tbc(test_case);
  tensor.format = is_line ? random.one_of({Format::Nchw, Format::Nhwc})
                          : random.one_of({Format::Nd, Format::Nhwc, Format::Ndhwc});
  return true;
}

bool take_odd_bias_format(Case& test_case, RandomSource& random) {
  bias_of(test_case).format = random.one_of({Format::Nhwc, Format::Ndhwc});
  return true;
}

bool change_bias_rank(Case& test_case, RandomSource& random) {
  TensorCase& bias = bias_of(test_case);
  make_whole(bias);
  if (random.chance(50)) {
    bias.shape.push_back(1);
  } else {
    bias.shape = Lengths{1, bias.shape.front(), 1};
  }
  return true;
}

bool lengthen_bias(Case& test_case, RandomSource& random) {
  TensorCase& bias = bias_of(test_case);
  make_whole(bias);
  bias.shape.front() += random.between(1, 3);
  return true;
}

}  // namespace gradproof::cases::forward
