#include "oracle/operands.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "oracle/check.h"

namespace gradproof::oracle {
namespace {

std::size_t element_bytes(NumberFormat format) {
  switch (format) {
    case NumberFormat::Float16:
    case NumberFormat::BFloat16:
      return 2;
    case NumberFormat::Float8E4M3FN:
    case NumberFormat::HiFloat8:
      return 1;
    default:
      return 4;
  }
}

}  // namespace

Dense<Number> decoded(NumberFormat format, std::span<const std::byte> bytes, const Shape& shape) {
  static_assert(std::endian::native == std::endian::little, "elements are stored little-endian");
  const std::size_t size = element_bytes(format);
  Dense<Number> result(shape);
  check(bytes.size() == result.size() * size, "a tensor's bytes match its shape");
  for (std::size_t i = 0; i < result.size(); ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * size, size);
    result[i] = decode(format, bits);
  }
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
  Extent extent;
  for (const Number& number : numbers.elements()) {
    if (!number.is_finite()) ++extent.non_finite;
    if (!number.is_finite() || number.significand == 0) continue;
    const int top = number.exponent + static_cast<int>(std::bit_width(number.significand));
    const bool first = extent.non_zeros++ == 0;
    extent.unit = first ? number.exponent : std::min(extent.unit, number.exponent);
    extent.top = first ? top : std::max(extent.top, top);
    extent.lowest_leading = first ? top - 1 : std::min(extent.lowest_leading, top - 1);
  }
  return extent;
}

}  // namespace gradproof::oracle
