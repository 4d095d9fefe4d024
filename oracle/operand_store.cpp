#include "oracle/operand_store.h"

#include <algorithm>

#include "oracle/axis_order.h"
#include "oracle/operands.h"

namespace gradproof::oracle {

using corpus::InputRole;

const Dense<Number>& OperandStore::of(InputRole role, const Arithmetic& arithmetic) {
  const bool is_native = format_of(tensor(problem_, role)->dtype) == arithmetic.operands ||
                         arithmetic.operands == NumberFormat::Float;  // which holds every other
  if (is_native) return raw(role);
  const Key key{role, arithmetic.operands, arithmetic.operand_rounding, arithmetic.overflow};
  const auto found = std::ranges::find(converted_, key, &Entry::first);
  if (found != converted_.end()) return *found->second;
  converted_.emplace_back(
      key, std::make_unique<Dense<Number>>(converted(
               raw(role), arithmetic.operands, arithmetic.operand_rounding, arithmetic.overflow)));
  return *converted_.back().second;
}

const Dense<Number>& OperandStore::raw(InputRole role) {
  auto& numbers = raw_.at(static_cast<std::size_t>(role));
  if (!numbers) {
    numbers = decoded(*format_of(tensor(problem_, role)->dtype), logical_elements(problem_, role),
                      geometry_.shape(role));
  }
  return *numbers;
}

}  // namespace gradproof::oracle
