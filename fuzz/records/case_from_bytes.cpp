#include "fuzz/records/case_from_bytes.h"

#include <algorithm>
#include <numeric>

#include "fuzz/records/boundary_values.h"
#include "fuzz/records/case_fields.h"
#include "fuzz/records/choices.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/generators/valid_case.h"

namespace gradproof::fuzz {
namespace {

using cases::Convolution;
using cases::SpatialAxis;
using corpus::Case;
using corpus::DataType;
using corpus::TensorCase;
using Lengths = std::vector<std::int64_t>;

/// A length of at least 1: zero bytes are 1.
std::int64_t positive(std::uint16_t gene) { return std::int64_t{gene} + 1; }
/// A length that may be 0 as well: the largest number stands for it.
std::int64_t length(std::uint16_t gene) { return static_cast<std::uint16_t>(gene + 1); }

/// Axis of the genes. Only two axes have a way to say different paddings at the two ends.
SpatialAxis axis_of(const AxisGenes& genes, std::size_t axes) {
  SpatialAxis axis;
  axis.kernel = length(genes.kernel);
  axis.stride = positive(genes.stride);
  axis.dilation = positive(genes.dilation);
  axis.padding_begin = genes.padding_begin;
  axis.padding_end = axes == 2
                         ? static_cast<std::uint16_t>(genes.padding_begin + genes.padding_more)
                         : genes.padding_begin;
  const std::int64_t reach =
      (positive(genes.positions) - 1) * axis.stride + axis.dilation * (axis.kernel - 1) + 1;
  const std::int64_t big =
      reach + genes.unread % axis.stride - axis.padding_begin - axis.padding_end;
  axis.big = std::max<std::int64_t>(1, big);  // more padding than that: more positions
  return axis;
}

Convolution convolution_of(const CaseGenes& genes) {
  Convolution sizes;
  sizes.transposed = (genes.flags & transposed_flag) != 0;
  sizes.batch = length(genes.batch);
  sizes.groups = positive(genes.groups);
  sizes.small_channels_per_group = length(genes.small_channels);
  sizes.big_channels_per_group = length(genes.big_channels);
  const auto axes = to_size(chosen(ranks, genes.rank) - 2);
  for (std::size_t i = 0; i < axes; ++i) sizes.axes.push_back(axis_of(genes.axes[i], axes));
  return sizes;
}

void set_types(Case& test_case, const CaseGenes& genes) {
  const auto others = [&](std::uint8_t type) {
    return type == 0 ? chosen(data_types, genes.type) : chosen(data_types, type - 1U);
  };
  test_case.grad_output->dtype = chosen(data_types, genes.type);
  test_case.input->dtype = others(genes.input_type);
  test_case.weight->dtype = others(genes.weight_type);
  test_case.grad_input->dtype = test_case.input->dtype;
  test_case.grad_weight->dtype =
      corpus::is_8_bit_float(test_case.input->dtype) ? DataType::Float : test_case.weight->dtype;
  test_case.grad_bias->dtype = test_case.grad_output->dtype;
}

/// Mode of a gene: 0 to 3, and rarely a value next to them on either side.
std::int8_t cube_math_type(std::uint8_t gene) {
  constexpr unsigned first_odd = 0xF0;
  return static_cast<std::int8_t>(gene < first_odd ? gene % 4 : (gene % 2 == 0 ? 4 : -1));
}

void set_arguments(Case& test_case, const CaseGenes& genes) {
  test_case.cube_math_type = cube_math_type(genes.cube_math_type);
  test_case.deterministic = (genes.flags & deterministic_flag) != 0;
  test_case.shape_consistent = (genes.flags & inconsistent_flag) == 0;
  for (std::size_t i = 0; i < 3; ++i) {
    (*test_case.output_mask)[i] = (genes.unrequested >> i & 1U) == 0;
    if ((genes.nulls >> i & 1U) != 0) corpus::tensor(test_case, corpus::output_roles[i]).reset();
  }
  if ((genes.nulls & 8U) != 0) test_case.bias_sizes.reset();
  if ((genes.flags & four_paddings_flag) != 0 && test_case.padding->size() == 2) {
    const Lengths two = *test_case.padding;
    test_case.padding = Lengths{two[0], two[0], two[1], two[1]};
  }
}

void set_data(Case& test_case, const CaseGenes& genes) {
  const std::size_t recipe = genes.recipe % (recipes.size() + 1);
  if (recipe == recipes.size()) return;
  test_case.data.emplace();
  test_case.data->distribution = recipes[recipe];
  test_case.data->seed = genes.seed;
}

/// The axes in the `number`-th of their orders.
std::vector<std::size_t> permutation(std::size_t rank, std::uint8_t number) {
  std::vector<std::size_t> rest(rank), order;
  std::iota(rest.begin(), rest.end(), std::size_t{0});
  std::size_t left = number;
  while (!rest.empty()) {
    const auto next = static_cast<std::ptrdiff_t>(left % rest.size());
    left /= rest.size();
    order.push_back(rest[to_size(next)]);
    rest.erase(rest.begin() + next);
  }
  return order;
}

void set_strides(TensorCase& tensor, const LayoutGenes& genes) {
  const std::size_t rank = tensor.shape.size();
  const auto order = permutation(rank, static_cast<std::uint8_t>(genes.order - 1));
  Lengths strides(rank, 1);
  std::int64_t next = 1 + genes.gaps % 4;
  for (std::size_t i = rank; i-- > 0;) {
    strides[order[i]] = next;
    if (__builtin_mul_overflow(next, std::max<std::int64_t>(tensor.shape[order[i]], 1), &next)) {
      return;  // too long for any view
    }
    if ((genes.gaps >> (2 + i) & 1U) != 0) next += 3;
  }
  tensor.strides = std::move(strides);
}

void set_layout(TensorCase& tensor, const LayoutGenes& genes) {
  if (genes == LayoutGenes{}) return;
  if (genes.order != 0) set_strides(tensor, genes);
  tensor.offset = genes.offset;
  const auto needed = corpus::storage_element_count(tensor);  // at least the offset
  if (needed) tensor.storage_shape = Lengths{*needed + genes.behind};
}

void apply(Case& test_case, const Edit& edit) {
  const CaseField field{static_cast<FieldKind>(edit.kind % field_kind_count), edit.owner,
                        edit.position};
  const auto before = read(test_case, field);
  std::int64_t value = edit.value;
  switch (static_cast<Edit::Operation>(edit.operation % Edit::operation_count)) {
    case Edit::Operation::Set:
      break;
    case Edit::Operation::SetBoundary: {
      const auto values = boundary_values(field.kind);
      value = values[static_cast<std::uint64_t>(edit.value) % values.size()];
      break;
    }
    case Edit::Operation::Add:
      if (!before || __builtin_add_overflow(*before, edit.value, &value)) return;
      break;
  }
  write(test_case, field, value);
}

}  // namespace

Case case_of_genes(const CaseGenes& genes, const CaseLimits& limits) {
  const Convolution sizes = fitted(convolution_of(genes), limits);
  cases::Frame frame;
  frame.product = chosen(products, genes.product);
  Case test_case = cases::plain_case(sizes, frame);
  set_types(test_case, genes);
  for (std::uint8_t i = 0; i < tensor_count; ++i) {
    auto& tensor = tensor_of(test_case, i);
    if ((genes.free_formats >> i & 1U) != 0) tensor->format = corpus::Format::Nd;
    set_layout(*tensor, genes.layouts[i]);
  }
  set_arguments(test_case, genes);
  set_data(test_case, genes);
  for (const Edit& edit : genes.edits) apply(test_case, edit);
  return test_case;
}

Case case_from_bytes(std::span<const std::uint8_t> bytes, const CaseLimits& limits) {
  return case_of_genes(genes_from_bytes(bytes), limits);
}

}  // namespace gradproof::fuzz
