#include "properties/cases/generators/violations/operator_breaks.h"

#include <iterator>
#include <span>

#include "corpus/data_type_row.h"
#include "oracle/facts/axis_order.h"
#include "oracle/facts/operator_facts.h"
#include "properties/cases/calls/operator_convolution.h"

namespace gradproof::cases::operator_breaks {

using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::Product;
using corpus::TensorCase;

bool on_950(const Case& test_case) { return test_case.soc == name_of(Product::Ascend950); }
bool is_dx(const Case& test_case) { return corpus::computes_dx(test_case.api); }

std::optional<TensorCase>& feature_map(Case& test_case) {
  return is_dx(test_case) ? test_case.grad_input : test_case.input;
}
std::optional<TensorCase>& filter(Case& test_case) {
  return is_dx(test_case) ? test_case.weight : test_case.grad_weight;
}
std::array<std::optional<TensorCase>*, 3> tensors(Case& test_case) {
  return {&test_case.grad_output, &feature_map(test_case), &filter(test_case)};
}

std::int64_t& length(TensorCase& tensor, std::size_t axis) {
  return tensor.shape.at(oracle::axis_order(tensor.format)->at(axis));
}

bool drop_required(Case& test_case, corpus::RandomSource& random) {
  auto& attributes = *test_case.attributes;
  switch (random.between(0, 5)) {
    case 0:
      test_case.grad_output.reset();
      return true;
    case 1:
      (is_dx(test_case) ? test_case.weight : test_case.input).reset();
      return true;
    case 2:
      result_of(test_case).reset();
      return true;
    case 3:
      (is_dx(test_case) ? attributes.input_size : attributes.filter_size).reset();
      return true;
    case 4:
      attributes.strides.reset();
      return true;
    default:
      attributes.pads.reset();
      return true;
  }
}

bool move_to_other_product(Case& test_case, corpus::RandomSource& random) {
  test_case.soc = name_of(random.one_of(
      {Product::Ascend310P, Product::Ascend910, Product::Ascend310, Product::Ascend310B}));
  return true;
}

bool spoil_result_size(Case& test_case, corpus::RandomSource& random) {
  auto& size =
      is_dx(test_case) ? *test_case.attributes->input_size : *test_case.attributes->filter_size;
  const auto place = to_size(random.between(0, 4));
  switch (random.between(0, 3)) {
    case 0:
      size.push_back(1);
      return true;
    case 1:  // four values of a plane, where upstream inserts D
      if (!is_dx(test_case) || length(*test_case.grad_input, oracle::axis_d) != 1) return false;
      size.erase(size.begin() + static_cast<std::ptrdiff_t>(
                                    oracle::axis_order(test_case.grad_input->format)->at(2)));
      return true;
    default:
      size.at(place) += random.one_of({1, -1});
      return true;
  }
}

bool change_rank(Case& test_case, corpus::RandomSource& random) {
  auto& tensor = **tensors(test_case).at(to_size(random.between(0, 2)));
  if (random.chance(50)) {
    tensor.shape.pop_back();
  } else {
    tensor.shape.push_back(1);
  }
  fit_result_size(test_case);
  return true;
}

bool mix_dtypes(Case& test_case, corpus::RandomSource& random) {
  const std::int64_t last = is_dx(test_case) ? 2 : 1;  // the filter's gradient is always FLOAT
  std::optional<TensorCase>* chosen = tensors(test_case).at(to_size(random.between(0, last)));
  const DataType other = random.one_of({DataType::Float, DataType::Float16, DataType::BFloat16});
  if ((*chosen)->dtype == other) return false;
  (*chosen)->dtype = other;
  return true;
}

bool take_unknown_dtype(Case& test_case, corpus::RandomSource& random) {
  const bool a5 = on_950(test_case);
  std::vector<DataType> unknown{DataType::Int32, DataType::Double, DataType::Int8};
  if (!a5) {
    unknown.assign({DataType::Int32});
    std::ranges::copy(corpus::eight_bit_types, std::back_inserter(unknown));
    unknown.push_back(DataType::Double);
  }
  const DataType type = random.one_of(std::span<const DataType>(unknown));
  for (auto* tensor : tensors(test_case)) {
    if (is_dx(test_case) || tensor != &test_case.grad_weight) (*tensor)->dtype = type;
  }
  return true;
}

bool contradict_data_format(Case& test_case, corpus::RandomSource& random) {
  auto& named = test_case.attributes->data_format;
  switch (random.between(0, 3)) {
    case 0:
      named = random.one_of<const char*>({"NCHW", "ncdhw", "", "DHWCN"});
      return true;
    case 1:
      named = test_case.grad_output->format == Format::Ncdhw ? "NDHWC" : "NCDHW";
      return true;
    case 2:
      if (test_case.grad_output->format != Format::Ncdhw) return false;
      named.reset();
      return true;
    default:
      test_case.grad_output->format = Format::Nd;
      feature_map(test_case)->format = Format::Nd;
      return true;
  }
}

bool take_unlisted_layout(Case& test_case, corpus::RandomSource& random) {
  if (corpus::is_8_bit_float(test_case.weight->dtype)) {
    const auto other = in_format(*test_case.weight, random.one_of({Format::Ndhwc, Format::Dhwcn}));
    test_case.weight = *other;
    return true;
  }
  test_case.weight->format = random.one_of({Format::Nd, Format::Nchw, Format::FractalZ3d});
  return true;
}

bool contradict_channels(Case& test_case, corpus::RandomSource& random) {
  switch (random.between(0, 2)) {
    case 0:
      ++length(*filter(test_case), oracle::axis_c);
      break;
    case 1:
      if (!is_dx(test_case)) return false;  // GF-10
      ++length(*test_case.grad_output, oracle::axis_c);
      break;
    default: {
      auto& channels = length(*feature_map(test_case), oracle::axis_c);
      // Several times the filter's channels are taken for groups.
      if (test_case.groups == 1 && length(*filter(test_case), oracle::axis_c) == 1) return false;
      ++channels;
    }
  }
  fit_result_size(test_case);
  return true;
}

bool contradict_batches(Case& test_case, corpus::RandomSource& random) {
  ++length(random.chance(50) ? *test_case.grad_output : *feature_map(test_case), oracle::axis_n);
  fit_result_size(test_case);
  return true;
}

bool contradict_lengths(Case& test_case, corpus::RandomSource& random) {
  const auto axis = to_size(random.between(2, 4));
  auto& changed = length(*test_case.grad_output, axis);
  changed += changed > 1 && random.chance(50) ? -1 : 1;
  return true;
}

bool spoil_parameters(Case& test_case, corpus::RandomSource& random) {
  switch (random.between(0, 4)) {
    case 0:
      return take_unknown_dtype(test_case, random);
    case 1:
      test_case.grad_weight->dtype =
          random.one_of({DataType::Float16, DataType::BFloat16, DataType::Double});
      return true;
    case 2:
      test_case.grad_weight->format = random.one_of({Format::Nd, Format::Nchw});
      return true;
    case 3:
      return spoil_result_size(test_case, random);
    default:
      return contradict_data_format(test_case, random);
  }
}

bool contradict_uncompared(Case& test_case, corpus::RandomSource& random) {
  ++length(*test_case.grad_output,
           random.chance(50) || test_case.groups > 1 ? oracle::axis_n : oracle::axis_c);
  return true;
}

}  // namespace gradproof::cases::operator_breaks
