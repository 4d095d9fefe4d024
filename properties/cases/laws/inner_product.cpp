#include "properties/cases/laws/inner_product.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "corpus/element_encoding.h"
#include "properties/cases/laws/observed.h"

namespace gradproof::cases {
namespace {

/// The elements of a tensor as integers times 2^unit.
struct Integers {
  std::vector<std::int64_t> values;
  int unit = 0;
};

/// Exponent of the lowest set bit of a finite value that is not zero.
int lowest_bit(double value) {
  int exponent = 0;
  const auto significand = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  return exponent - 53 + std::countr_zero(static_cast<std::uint64_t>(significand));
}

std::optional<Integers> integers_of(const std::vector<double>& values) {
  Integers result{{}, 1 << 20};
  for (const double value : values) {
    if (!std::isfinite(value)) return std::nullopt;
    if (value != 0) result.unit = std::min(result.unit, lowest_bit(value));
  }
  for (const double value : values) {
    // Beyond this no law has exact sums, and an integer has no room.
    const double integer = value == 0 ? 0 : std::ldexp(value, -result.unit);
    if (std::abs(integer) >= 0x1p62) return std::nullopt;
    result.values.push_back(static_cast<std::int64_t>(integer));
  }
  return result;
}

}  // namespace

double InnerProduct::value() const { return std::ldexp(static_cast<double>(sum), unit); }

std::optional<InnerProduct> inner_product(const std::vector<double>& left,
                                          const std::vector<double>& right) {
  const auto one = integers_of(left), other = integers_of(right);
  if (!one || !other || left.size() != right.size()) return std::nullopt;
  InnerProduct product{0, one->unit + other->unit};
  for (std::size_t i = 0; i < left.size(); ++i) {
    product.sum += oracle::Int128{one->values[i]} * other->values[i];
  }
  if (product.sum == 0) return InnerProduct{};
  while (product.sum % 2 == 0) {
    product.sum /= 2;
    ++product.unit;
  }
  return product;
}

std::vector<double> values_of(const std::vector<std::byte>& bytes, corpus::DataType type) {
  std::vector<double> values;
  for (std::size_t i = 0; i < bytes.size() / corpus::size_bytes(type); ++i) {
    values.push_back(corpus::decode(type, bits_at(bytes, i, type))
                         .value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  return values;
}

}  // namespace gradproof::cases
