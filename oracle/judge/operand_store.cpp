#include "oracle/judge/operand_store.h"

#include <algorithm>

#include "corpus/element_values.h"
#include "oracle/facts/axis_order.h"

namespace gradproof::oracle {

using corpus::InputRole;

/// By N C D H W whatever the tensor's format.
Dense<Number> operand_in_memory(const corpus::Case& test_case, InputRole role,
                                const Geometry& geometry, const GivenOperands* given) {
  const corpus::TensorCase& described = *tensor(test_case, role);
  const NumberFormat format = *format_of(described.dtype);
  const Shape shape = geometry.shape(role);
  if (given == nullptr) return decoded(format, logical_elements(test_case, role), shape);
  const auto bytes = (*given)[role];
  const auto order = own_order(test_case, described);
  if (!order) return decoded(format, bytes, shape);
  return decoded(
      format, in_logical_order(bytes, size_bytes(described.dtype), described.shape, *order), shape);
}

/// FLOAT holds every number of the other formats, so converting to it changes nothing.
MeasuredOperand OperandStore::measured(InputRole role, const Arithmetic& arithmetic) {
  const auto in_view = [](const Measured& kept) -> MeasuredOperand {
    return {kept.numbers, kept.extent};
  };
  const bool is_native = format_of(tensor(problem_, role)->dtype) == arithmetic.operands ||
                         arithmetic.operands == NumberFormat::Float;  // which holds every other
  if (is_native) return in_view(raw(role));
  const Key key{role, arithmetic.operands, arithmetic.operand_rounding, arithmetic.overflow};
  const auto found = std::ranges::find(converted_, key, &Entry::first);
  if (found != converted_.end()) return in_view(*found->second);
  converted_.emplace_back(
      key, std::make_unique<Measured>(converted(raw(role).numbers, arithmetic.operands,
                                                arithmetic.operand_rounding, arithmetic.overflow)));
  return in_view(*converted_.back().second);
}

std::vector<Number> OperandStore::bias(const Arithmetic& arithmetic) {
  const auto& described = tensor(problem_, InputRole::Input);
  if (!corpus::is_forward(problem_.api) || !described) return {};
  const Shape shape{1, corpus::element_count(described->shape).value_or(0), 1, 1, 1};
  const NumberFormat format = *format_of(described->dtype);
  const Dense<Number> numbers =
      given_ == nullptr ? decoded(format, corpus::element_values(problem_, InputRole::Input), shape)
                        : decoded(format, (*given_)[InputRole::Input], shape);
  if (arithmetic.bias == NumberFormat::Float) return numbers.elements();
  return converted(numbers, arithmetic.bias, default_rounding(arithmetic.bias), arithmetic.overflow)
      .elements();
}

const OperandStore::Measured& OperandStore::raw(InputRole role) {
  auto& numbers = raw_[role];
  if (!numbers) numbers.emplace(operand_in_memory(problem_, role, geometry_, given_));
  return *numbers;
}

}  // namespace gradproof::oracle
