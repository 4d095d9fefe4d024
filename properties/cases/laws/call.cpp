#include <algorithm>
#include <utility>
#include <vector>

#include "corpus/random_source.h"
#include "properties/cases/generators/layout.h"
#include "properties/cases/laws/derived_call.h"
#include "properties/cases/laws/law_rows.h"

namespace gradproof::cases::laws_detail {
namespace {

using corpus::Case;
using corpus::OutputRole;
using corpus::TensorCase;

std::vector<TensorCase*> tensors_of(Case& test_case) {
  std::vector<TensorCase*> tensors;
  tensors.reserve(corpus::input_roles.size() + corpus::output_roles.size());
  for (const auto role : corpus::input_roles) tensors.push_back(&*corpus::tensor(test_case, role));
  for (const auto role : corpus::output_roles) {
    if (corpus::tensor(test_case, role)) tensors.push_back(&*corpus::tensor(test_case, role));
  }
  return tensors;
}

bool is_view(const TensorCase& tensor) {
  return tensor.strides || tensor.offset != 0 || tensor.storage_shape;
}

TensorCase plain_tensor(std::vector<std::int64_t> shape, corpus::DataType type,
                        corpus::Format format) {
  TensorCase tensor;
  tensor.shape = std::move(shape);
  tensor.dtype = type;
  tensor.format = format;
  return tensor;
}

/// Everything requested, with tensors for what was null.
Case with_whole_mask(const Case& test_case, const Convolution& sizes) {
  Case whole = test_case;
  whole.output_mask = {true, true, true};
  if (!whole.grad_input) {
    whole.grad_input =
        plain_tensor(sizes.input_shape(), test_case.input->dtype, test_case.input->format);
  }
  if (!whole.grad_weight) {
    whole.grad_weight =
        plain_tensor(sizes.weight_shape(), test_case.weight->dtype, test_case.weight->format);
  }
  if (!whole.grad_bias) {
    whole.grad_bias =
        plain_tensor({sizes.bias_length()}, test_case.grad_output->dtype, corpus::Format::Nd);
  }
  whole.bias_sizes = std::vector<std::int64_t>{sizes.bias_length()};
  return whole;
}

}  // namespace

bool is_one_dimensional(const Case& test_case) {
  return test_case.input && test_case.input->shape.size() == 3;
}

Related mask_independence(const Case& test_case) {
  const auto sizes = whole_convolution(test_case);
  if (!sizes) return no_whole_convolution();
  const auto requested = std::ranges::count(*test_case.output_mask, true);
  if (requested == 1) return same_elements(test_case, with_whole_mask(test_case, *sizes));
  Relation relation;
  relation.test_case = test_case;
  corpus::PerOutput<std::size_t> run_of{};
  for (const OutputRole role : corpus::output_roles) {
    if (!corpus::is_requested(test_case, role)) continue;
    Case alone = test_case;
    alone.output_mask = {false, false, false};
    (*alone.output_mask)[to_size(role)] = true;
    run_of[role] = relation.runs.size();
    relation.runs.push_back(std::move(alone));
  }
  relation.places = [run_of](OutputRole role, const Coordinate& at) {
    return std::vector<Place>{{run_of[role], at}};
  };
  return relation;
}

Related strided_as_contiguous(const Case& test_case) {
  if (!whole_convolution(test_case)) return no_whole_convolution();
  Case run = test_case;
  const auto tensors = tensors_of(run);
  const bool any_view =
      std::ranges::any_of(tensors, [](const TensorCase* tensor) { return is_view(*tensor); });
  corpus::RandomSource random(choice_of(test_case, 12), 0);
  for (TensorCase* tensor : tensors) {
    tensor->strides.reset();
    tensor->offset = 0;
    tensor->storage_shape.reset();
  }
  if (any_view) return same_elements(test_case, std::move(run));
  for (const auto role : corpus::input_roles) make_strided(*corpus::tensor(run, role), random);
  for (const auto role : corpus::output_roles) {
    if (corpus::tensor(run, role)) make_offset(*corpus::tensor(run, role), random);
  }
  return same_elements(test_case, std::move(run));
}

Related offset_independence(const Case& test_case) {
  if (!whole_convolution(test_case)) return no_whole_convolution();
  Case run = test_case;
  std::uint64_t salt = 13;
  for (TensorCase* tensor : tensors_of(run)) {
    const auto storage = corpus::storage_element_count(*tensor);
    if (!storage) return no_whole_convolution();
    const auto by = static_cast<std::int64_t>(1 + choice_of(test_case, salt++) % 31);
    tensor->offset += by;
    tensor->storage_shape = {*storage + by};
  }
  return same_elements(test_case, std::move(run));
}

Related format_independence(const Case& test_case) {
  if (!whole_convolution(test_case)) return no_whole_convolution();
  Case run = test_case;
  for (TensorCase* tensor : tensors_of(run)) {
    if (tensor->shape.size() != 3) continue;
    const bool named = tensor->format == corpus::Format::Ncl;
    tensor->format = named ? corpus::Format::Nd : corpus::Format::Ncl;
  }
  return same_elements(test_case, std::move(run));
}

}  // namespace gradproof::cases::laws_detail
