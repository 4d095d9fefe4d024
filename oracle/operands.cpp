#include "oracle/operands.h"

#include <algorithm>
#include <bit>

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
  constexpr int beyond_all = 1 << 20;
  Extent extent{.unit = beyond_all, .top = -beyond_all, .lowest_leading = beyond_all};
  for (const Number& number : numbers.elements()) {
    // No branches: which numbers are zero is hard to foresee in sparse data.
    const bool counts = number.is_finite() && number.significand != 0;
    const int top = number.exponent + static_cast<int>(std::bit_width(number.significand));
    extent.non_finite += number.is_finite() ? 0 : 1;
    extent.non_zeros += counts ? 1 : 0;
    extent.unit = std::min(extent.unit, counts ? number.exponent : beyond_all);
    extent.top = std::max(extent.top, counts ? top : -beyond_all);
    extent.lowest_leading = std::min(extent.lowest_leading, counts ? top - 1 : beyond_all);
  }
  if (extent.non_zeros == 0) return {.non_finite = extent.non_finite};
  return extent;
}

}  // namespace gradproof::oracle
