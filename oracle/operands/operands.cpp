#include "oracle/operands/operands.h"

#include "oracle/numbers/instruction_set.h"
#include "oracle/operands/bulk_conversion.h"

namespace gradproof::oracle {

Dense<Number> decoded(NumberFormat format, std::span<const std::byte> bytes, const Shape& shape) {
  Dense<Number> result(shape);
  decode_all(format, bytes, result.elements());
  return result;
}

Dense<Number> converted(const Dense<Number>& numbers, NumberFormat format, Rounding rounding,
                        Overflow overflow) {
  Dense<Number> result(numbers.shape());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    result[i] = convert(format, numbers[i], rounding, overflow);
  }
  return result;
}

Extent extent_of(const Dense<Number>& numbers) {
  return extent_of(numbers.elements(), widest_instruction_set());
}

}  // namespace gradproof::oracle
