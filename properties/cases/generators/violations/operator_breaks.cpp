#include "properties/cases/generators/violations/operator_breaks.h"

#include <iterator>
#include <span>

#include "corpus/data_type_row.h"
#include "oracle/facts/axis_order.h"
#include "oracle/facts/operator_facts.h"
#include "properties/cases/calls/operator_convolution.h"

namespace gradproof::properties::operator_breaks {

using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::Product;
using corpus::TensorCase;

bool on_950(const Case& problem) { return problem.soc == name_of(Product::Ascend950); }
bool is_dx(const Case& problem) { return corpus::computes_dx(problem.api); }

std::optional<TensorCase>& feature_map(Case& problem) {
  return is_dx(problem) ? problem.grad_input : problem.input;
}
std::optional<TensorCase>& filter(Case& problem) {
  return is_dx(problem) ? problem.weight : problem.grad_weight;
}
std::array<std::optional<TensorCase>*, 3> tensors(Case& problem) {
  return {&problem.grad_output, &feature_map(problem), &filter(problem)};
}

std::int64_t& length(TensorCase& tensor, std::size_t axis) {
  return tensor.shape.at(oracle::axis_order(tensor.format)->at(axis));
}

bool drop_required(Case& problem, corpus::RandomSource& random) {
  auto& attributes = *problem.attributes;
  switch (random.between(0, 5)) {
    case 0:
      problem.grad_output.reset();
      return true;
    case 1:
      (is_dx(problem) ? problem.weight : problem.input).reset();
      return true;
    case 2:
      result_of(problem).reset();
      return true;
    case 3:
      (is_dx(problem) ? attributes.input_size : attributes.filter_size).reset();
      return true;
    case 4:
      attributes.strides.reset();
      return true;
    default:
      attributes.pads.reset();
      return true;
  }
}

bool move_to_other_product(Case& problem, corpus::RandomSource& random) {
  problem.soc = name_of(random.one_of(
      {Product::Ascend310P, Product::Ascend910, Product::Ascend310, Product::Ascend310B}));
  return true;
}

bool spoil_result_size(Case& problem, corpus::RandomSource& random) {
  auto& size = is_dx(problem) ? *problem.attributes->input_size : *problem.attributes->filter_size;
  const auto place = static_cast<std::size_t>(random.between(0, 4));
  switch (random.between(0, 3)) {
    case 0:
      size.push_back(1);
      return true;
    case 1:  // four values of a plane, where upstream inserts D
      if (!is_dx(problem) || length(*problem.grad_input, oracle::axis_d) != 1) return false;
      size.erase(size.begin() + static_cast<std::ptrdiff_t>(
                                    oracle::axis_order(problem.grad_input->format)->at(2)));
      return true;
    default:
      size.at(place) += random.one_of({1, -1});
      return true;
  }
}

bool change_rank(Case& problem, corpus::RandomSource& random) {
  auto& tensor = **tensors(problem).at(static_cast<std::size_t>(random.between(0, 2)));
  if (random.chance(50)) {
    tensor.shape.pop_back();
  } else {
    tensor.shape.push_back(1);
  }
  fit_result_size(problem);
  return true;
}

bool mix_dtypes(Case& problem, corpus::RandomSource& random) {
  const std::int64_t last = is_dx(problem) ? 2 : 1;  // the filter's gradient is always FLOAT
  std::optional<TensorCase>* chosen =
      tensors(problem).at(static_cast<std::size_t>(random.between(0, last)));
  const DataType other = random.one_of({DataType::Float, DataType::Float16, DataType::BFloat16});
  if ((*chosen)->dtype == other) return false;
  (*chosen)->dtype = other;
  return true;
}

bool take_unknown_dtype(Case& problem, corpus::RandomSource& random) {
  const bool a5 = on_950(problem);
  std::vector<DataType> unknown{DataType::Int32, DataType::Double, DataType::Int8};
  if (!a5) {
    unknown.assign({DataType::Int32});
    std::ranges::copy(corpus::eight_bit_types, std::back_inserter(unknown));
    unknown.push_back(DataType::Double);
  }
  const DataType type = random.one_of(std::span<const DataType>(unknown));
  for (auto* tensor : tensors(problem)) {
    if (is_dx(problem) || tensor != &problem.grad_weight) (*tensor)->dtype = type;
  }
  return true;
}

bool contradict_data_format(Case& problem, corpus::RandomSource& random) {
  auto& named = problem.attributes->data_format;
  switch (random.between(0, 3)) {
    case 0:
      named = random.one_of<const char*>({"NCHW", "ncdhw", "", "DHWCN"});
      return true;
    case 1:
      named = problem.grad_output->format == Format::Ncdhw ? "NDHWC" : "NCDHW";
      return true;
    case 2:
      if (problem.grad_output->format != Format::Ncdhw) return false;
      named.reset();
      return true;
    default:
      problem.grad_output->format = Format::Nd;
      feature_map(problem)->format = Format::Nd;
      return true;
  }
}

bool take_unlisted_layout(Case& problem, corpus::RandomSource& random) {
  if (corpus::is_8_bit_float(problem.weight->dtype)) {
    const auto other = in_format(*problem.weight, random.one_of({Format::Ndhwc, Format::Dhwcn}));
    problem.weight = *other;
    return true;
  }
  problem.weight->format = random.one_of({Format::Nd, Format::Nchw, Format::FractalZ3d});
  return true;
}

bool contradict_channels(Case& problem, corpus::RandomSource& random) {
  switch (random.between(0, 2)) {
    case 0:
      ++length(*filter(problem), oracle::axis_c);
      break;
    case 1:
      if (!is_dx(problem)) return false;  // GF-10
      ++length(*problem.grad_output, oracle::axis_c);
      break;
    default: {
      auto& channels = length(*feature_map(problem), oracle::axis_c);
      // Several times the filter's channels are taken for groups.
      if (problem.groups == 1 && length(*filter(problem), oracle::axis_c) == 1) return false;
      ++channels;
    }
  }
  fit_result_size(problem);
  return true;
}

bool contradict_batches(Case& problem, corpus::RandomSource& random) {
  ++length(random.chance(50) ? *problem.grad_output : *feature_map(problem), oracle::axis_n);
  fit_result_size(problem);
  return true;
}

bool contradict_lengths(Case& problem, corpus::RandomSource& random) {
  const auto axis = static_cast<std::size_t>(random.between(2, 4));
  auto& changed = length(*problem.grad_output, axis);
  changed += changed > 1 && random.chance(50) ? -1 : 1;
  return true;
}

bool spoil_parameters(Case& problem, corpus::RandomSource& random) {
  switch (random.between(0, 4)) {
    case 0:
      return take_unknown_dtype(problem, random);
    case 1:
      problem.grad_weight->dtype =
          random.one_of({DataType::Float16, DataType::BFloat16, DataType::Double});
      return true;
    case 2:
      problem.grad_weight->format = random.one_of({Format::Nd, Format::Nchw});
      return true;
    case 3:
      return spoil_result_size(problem, random);
    default:
      return contradict_data_format(problem, random);
  }
}

bool contradict_uncompared(Case& problem, corpus::RandomSource& random) {
  ++length(*problem.grad_output,
           random.chance(50) || problem.groups > 1 ? oracle::axis_n : oracle::axis_c);
  return true;
}

}  // namespace gradproof::properties::operator_breaks
