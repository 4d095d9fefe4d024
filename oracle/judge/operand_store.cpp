#include "oracle/judge/operand_store.h"

#include <algorithm>

#include "oracle/facts/axis_order.h"

namespace gradproof::oracle {

using corpus::InputRole;

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

/// Decoded from the bits that the case's recipe gives, by N C D H W whatever the tensor's format.
const OperandStore::Measured& OperandStore::raw(InputRole role) {
  auto& numbers = raw_.at(static_cast<std::size_t>(role));
  if (!numbers) {
    numbers.emplace(decoded(*format_of(tensor(problem_, role)->dtype),
                            logical_elements(problem_, role), geometry_.shape(role)));
  }
  return *numbers;
}

}  // namespace gradproof::oracle
