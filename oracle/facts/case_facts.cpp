#include "oracle/facts/case_facts.h"

#include "corpus/product_row.h"

#include <algorithm>

namespace gradproof::oracle {
namespace {

using corpus::DataType;
using corpus::TensorCase;
using Array = std::vector<std::int64_t>;

template <typename Value>
const Value* address(const std::optional<Value>& value) {
  return value ? &*value : nullptr;
}

bool present_and_empty(const TensorCase* tensor) { return tensor != nullptr && is_empty(*tensor); }

/// Promotes two dtypes. A table of all pairs is not needed: the three wide floats promote to FLOAT,
/// the 8-bit ones to nothing but themselves.
std::optional<DataType> promote(std::optional<DataType> left, DataType right) {
  if (!left || *left == right) return left;
  if (corpus::is_wide_float(*left) && corpus::is_wide_float(right)) return DataType::Float;
  return std::nullopt;
}

/// The promotion of the inputs' dtypes: equal ones stay, two different ones of FLOAT, FLOAT16 and
/// BFLOAT16 become FLOAT, every other mixture has no common dtype. A graph operator has two inputs.
std::optional<DataType> promoted_type(const Facts& facts) {
  if (facts.graph) {
    const TensorCase* given = facts.graph->given();
    if (!facts.grad_output || !given) return std::nullopt;
    return promote(facts.grad_output->dtype, given->dtype);
  }
  if (corpus::is_forward(facts.test_case.api)) {  // the bias does not count
    if (!facts.grad_output || !facts.weight) return std::nullopt;
    return promote(facts.grad_output->dtype, facts.weight->dtype);
  }
  if (!facts.grad_output || !facts.input || !facts.weight) return std::nullopt;
  return promote(promote(facts.grad_output->dtype, facts.input->dtype), facts.weight->dtype);
}

/// An empty input or weight outranks an empty gradOutput; the first generation treats all of them
/// alike.
Path path_of(const Facts& facts) {
  const bool empty_problem = present_and_empty(facts.input) || present_and_empty(facts.weight);
  switch (facts.product_class) {
    case ProductClass::Unsupported:
      return Path::Ordinary;
    case ProductClass::A1:
      return facts.any_is_empty ? Path::EmptyOnA1 : Path::Ordinary;
    case ProductClass::A23:
    case ProductClass::A5:
      break;
  }
  if (empty_problem) return Path::EmptyInput;
  const bool both_there = facts.input != nullptr && facts.weight != nullptr;
  return both_there && facts.any_is_empty ? Path::EmptyGradOutput : Path::Ordinary;
}

std::size_t rank_of_input(const Facts& facts) {
  if (!facts.input) return 0;
  const std::size_t rank = facts.input->shape.size();
  return rank >= 3 && rank <= 5 ? rank : 0;
}

bool has_length(const Array* array, std::size_t length) {
  return array != nullptr && array->size() == length;
}

bool is_four_zeros(const Array* array) {
  return has_length(array, 4) && std::ranges::count(*array, 0) == 4;
}

/// Notes if arrays have one value for each spatial axis. In 2D padding may have four, for both ends
/// of H and of W, and outputPadding four zeros.
void note_array_lengths(Facts& facts) {
  if (facts.rank == 0) return;
  const std::size_t axes = facts.spatial_rank();
  const bool plane = facts.rank == 4;
  facts.stride_fits = has_length(facts.stride, axes);
  facts.dilation_fits = has_length(facts.dilation, axes);
  facts.padding_fits = has_length(facts.padding, axes) || (plane && has_length(facts.padding, 4));
  facts.output_padding_fits =
      has_length(facts.output_padding, axes) || (plane && is_four_zeros(facts.output_padding));
}

bool ranks_agree(const Facts& facts) {
  return facts.rank != 0 && are_paired(facts.grad_output, facts.input) &&
         are_paired(facts.input, facts.weight);
}

/// Axis `i`; a stride or output padding that does not fit keeps the neutral value, and rules that
/// need it ask first.
SpatialAxis spatial_axis(const Facts& facts, std::size_t i) {
  const Array& padding = *facts.padding;
  const bool per_side = padding.size() != facts.spatial_rank();
  SpatialAxis axis;
  axis.big = facts.big->shape[i + 2];
  axis.small = facts.small->shape[i + 2];
  axis.kernel = facts.weight->shape[i + 2];
  axis.dilation = (*facts.dilation)[i];
  axis.padding_begin = per_side ? padding[2 * i] : padding[i];
  axis.padding_end = per_side ? padding[2 * i + 1] : padding[i];
  if (facts.stride_fits) axis.stride = (*facts.stride)[i];
  if (facts.output_padding_fits) axis.output_padding = (*facts.output_padding)[i];
  return axis;
}

void note_axes(Facts& facts) {
  facts.axes_are_known = ranks_agree(facts) && facts.padding_fits && facts.dilation_fits;
  if (!facts.axes_are_known) return;
  facts.axes.count = facts.spatial_rank();
  for (std::size_t i = 0; i < facts.axes.count; ++i) facts.axes.values[i] = spatial_axis(facts, i);
}

/// True if int64 cannot hold the byte behind the last one that a view reaches, and the number of
/// its elements. In bytes: (offset + sum of (length - 1) * stride + 1) * width; strides are not
/// negative here (status_oracle.cpp).
bool extent_overflows(const TensorCase* tensor) {
  if (tensor == nullptr || is_empty(*tensor)) return false;
  const auto count = corpus::element_count(tensor->shape);
  if (!count) return true;
  CheckedInteger last = tensor->offset;
  if (tensor->strides) {
    const Array& strides = *tensor->strides;
    for (std::size_t axis = 0; axis < strides.size(); ++axis) {
      last = last + (CheckedInteger(tensor->shape[axis]) - 1) * strides[axis];
    }
  } else {
    last = last + (CheckedInteger(*count) - 1);  // one behind the other
  }
  const auto width = static_cast<std::int64_t>(corpus::size_bytes(tensor->dtype));
  return ((last + 1) * width).overflowed();
}

/// Formula 1 is asked of an empty problem too, positions only where sizes are compared.
bool relation_overflows(const Facts& facts, const SpatialAxis& axis) {
  if (axis.padded_length().overflowed() || axis.kernel_extent().overflowed()) return true;
  return facts.path == Path::Ordinary && facts.stride_fits && axis.last_position().overflowed();
}

bool relations_overflow(const Facts& facts) {
  if (!facts.axes_are_known) return false;
  const bool only_formula_one = facts.path == Path::EmptyInput && !facts.transposed();
  if (facts.path != Path::Ordinary && !only_formula_one) return false;
  return std::ranges::any_of(
      facts.axes.all(), [&](const SpatialAxis& axis) { return relation_overflows(facts, axis); });
}

/// groups below 1 divides nothing: then no rule speaks of channels per group.
void note_channels(Facts& facts) {
  const bool defined = facts.weight != nullptr && facts.weight->shape.size() >= 2;
  if (!defined || facts.test_case.groups < 1) return;
  const CheckedInteger channels =
      CheckedInteger(channels_of(*facts.weight)) * facts.test_case.groups;
  facts.grouped_channels = channels.value();
  facts.arithmetic_overflows |= channels.overflowed();
}

void note_mask(Facts& facts) {
  const auto& mask = facts.test_case.output_mask;
  facts.mask_is_known = mask && mask->size() == 3;
  if (facts.mask_is_known) std::ranges::copy(*mask, facts.requested.begin());
}

Facts pointers_of(const corpus::Case& test_case, corpus::Product product) {
  return {.test_case = test_case,
          .product = product,
          .product_class = class_of(product),
          .grad_output = address(test_case.grad_output),
          .input = address(test_case.input),
          .weight = address(test_case.weight),
          .grad_input = address(test_case.grad_input),
          .grad_weight = address(test_case.grad_weight),
          .grad_bias = address(test_case.grad_bias),
          .bias_sizes = address(test_case.bias_sizes),
          .stride = address(test_case.stride),
          .padding = address(test_case.padding),
          .dilation = address(test_case.dilation),
          .output_padding = address(test_case.output_padding),
          .big = address(test_case.transposed ? test_case.grad_output : test_case.input),
          .small = address(test_case.transposed ? test_case.input : test_case.grad_output)};
}

}  // namespace

ProductClass class_of(corpus::Product product) {
  switch (corpus::row_of(product).generation) {
    case corpus::Generation::First:
      return ProductClass::A1;
    case corpus::Generation::Second:
      return ProductClass::A23;
    case corpus::Generation::EightBit:
      return ProductClass::A5;
    case corpus::Generation::None:
      break;
  }
  return ProductClass::Unsupported;
}

std::string names_of_products(ProductClass products) {
  std::string names;
  for (const corpus::Product product : corpus::products()) {
    if (class_of(product) != products) continue;
    if (!names.empty()) names += ", ";
    names += name_of(product);
  }
  return names;
}

bool is_empty(const TensorCase& tensor) {
  return std::ranges::find(tensor.shape, 0) != tensor.shape.end();
}

bool are_paired(const TensorCase* left, const TensorCase* right) {
  return left != nullptr && right != nullptr && left->shape.size() == right->shape.size() &&
         left->shape.size() >= 2;
}

/// Facts of a case. Later facts build on earlier ones: the path on emptiness, axes on the lengths
/// of arrays, overflow on axes.
Facts facts_of(const corpus::Case& test_case, corpus::Product product) {
  Facts facts = pointers_of(test_case, product);
  if (corpus::has_attributes(test_case.api)) facts.graph = operator_facts_of(test_case);
  if (test_case.api != corpus::Api::ConvolutionBackward) {
    facts.promoted = promoted_type(facts);
    return facts;
  }
  const auto inputs = facts.inputs();
  facts.any_is_empty = std::ranges::any_of(inputs, present_and_empty);
  facts.has_8_bit_input = std::ranges::any_of(inputs, [](const TensorCase* tensor) {
    return tensor != nullptr && corpus::is_8_bit_float(tensor->dtype);
  });
  facts.path = path_of(facts);
  facts.rank = rank_of_input(facts);
  facts.promoted = promoted_type(facts);
  facts.arithmetic_overflows = std::ranges::any_of(inputs, extent_overflows) ||
                               std::ranges::any_of(facts.outputs(), extent_overflows);
  note_mask(facts);
  note_array_lengths(facts);
  note_axes(facts);
  note_channels(facts);
  facts.arithmetic_overflows |= relations_overflow(facts);
  return facts;
}

}  // namespace gradproof::oracle
