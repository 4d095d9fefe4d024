#include "properties/cases/generators/violations/breaker_parts.h"

namespace gradproof::cases::breaker_parts {

using corpus::Case;
using corpus::OutputRole;
using corpus::TensorCase;

void lengthen(std::optional<corpus::TensorCase>& tensor, std::size_t axis, std::int64_t by) {
  if (!tensor || axis >= tensor->shape.size()) return;
  tensor->shape[axis] += by;
  tensor->strides.reset();
  tensor->storage_shape.reset();
  tensor->offset = 0;
}

bool make_present(Case& test_case, OutputRole role) {
  auto& tensor = corpus::tensor(test_case, role);
  if (tensor) return true;
  const bool is_8_bit = corpus::is_8_bit_float(test_case.input->dtype);
  if (is_8_bit && role == OutputRole::GradWeight) return false;
  const TensorCase& like = role == OutputRole::GradInput    ? *test_case.input
                           : role == OutputRole::GradWeight ? *test_case.weight
                                                            : *test_case.grad_output;
  TensorCase made;
  made.dtype = like.dtype;
  made.format = role == OutputRole::GradBias ? corpus::Format::Nd : like.format;
  made.shape = like.shape;
  if (role == OutputRole::GradBias) made.shape = {like.shape[1]};
  tensor = std::move(made);
  return true;
}

std::size_t draw_axis_index(const Case& test_case, bool depth_too, corpus::RandomSource& random) {
  const std::size_t axes = test_case.input->shape.size() - 2;
  const std::int64_t first = axes == 3 && !depth_too ? 1 : 0;
  return to_size(random.between(first, static_cast<std::int64_t>(axes) - 1));
}

void several_groups(Convolution& sizes, corpus::RandomSource& random) {
  if (sizes.groups < 2) sizes.groups = random.between(2, 4);
}

}  // namespace gradproof::cases::breaker_parts
