#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "corpus/element_encoding.h"
#include "properties/cases/shrink/simpler_steps.h"

namespace gradproof::cases {
namespace {

using corpus::Case;

/// From the plainest on; a value is only ever replaced by one further to the front.
constexpr double plain_values[] = {1, 2, 3, -1, -2, 1.5};

std::size_t rank_of(double value) {
  return to_size(std::ranges::find(plain_values, value) - std::begin(plain_values));
}

/// The value as an odd integer times a power of two.
struct Scaled {
  double integer = 0;
  int exponent = 0;
};
Scaled scaled(double value) {
  int exponent = 0;
  double integer = std::ldexp(std::frexp(value, &exponent), 53);
  exponent -= 53;
  while (std::fmod(integer, 2) == 0) {
    integer /= 2;
    ++exponent;
  }
  return {integer, exponent};
}

// Where no small integer will do: a fault of rounding needs its bits. Each makes one of these
// smaller and none larger: the sign, the bits of the significand, the distance from the integers.

std::optional<double> without_sign(double value) {
  return value < 0 ? std::optional(-value) : std::nullopt;
}
std::optional<double> as_integer(double value) {
  const Scaled parts = scaled(value);
  return parts.exponent != 0 ? std::optional(parts.integer) : std::nullopt;
}
std::optional<double> with_half_the_bits(double value) {
  const Scaled parts = scaled(value);
  const int bits = std::ilogb(parts.integer) + 1;
  if (bits < 4) return std::nullopt;
  const double unit = std::ldexp(1.0, bits / 2);
  return std::ldexp(std::trunc(parts.integer / unit) * unit, parts.exponent);
}
/// One bit shorter, and odd as before.
std::optional<double> one_bit_shorter(double value) {
  const Scaled parts = scaled(value);
  const double magnitude = std::fabs(parts.integer);
  if (magnitude < 4) return std::nullopt;
  double shorter = std::floor(magnitude / 2);
  if (std::fmod(shorter, 2) == 0) ++shorter;
  return std::ldexp(std::copysign(shorter, parts.integer), parts.exponent);
}
/// Keeps the first and the last bit of a value alone.
std::optional<double> with_outer_bits(double value) {
  const Scaled parts = scaled(value);
  const double outer = std::ldexp(1.0, std::ilogb(parts.integer)) + 1;
  if (outer >= std::fabs(parts.integer)) return std::nullopt;
  return std::ldexp(std::copysign(outer, parts.integer), parts.exponent);
}
using Shortening = std::optional<double> (*)(double);
constexpr Shortening shortenings[] = {with_half_the_bits, with_outer_bits, as_integer,
                                      one_bit_shorter, without_sign};
constexpr std::size_t plainer_kinds = std::size(plain_values) + std::size(shortenings);

/// Value after one step of a kind, or nullopt where that is no step.
std::optional<double> plainer(double value, std::size_t kind) {
  if (kind < std::size(plain_values)) {
    return rank_of(value) <= kind ? std::nullopt : std::optional(plain_values[kind]);
  }
  const bool is_plain = rank_of(value) < std::size(plain_values);
  if (is_plain || value == 0 || !std::isfinite(value)) return std::nullopt;
  return shortenings[kind - std::size(plain_values)](value);
}

bool make_plainer(corpus::ListedElement& element, corpus::DataType type, std::size_t kind) {
  const auto value = corpus::decode(type, element.bits);
  const auto next = value ? plainer(*value, kind) : std::nullopt;
  const auto bits = next ? corpus::encode_exactly(type, *next) : std::nullopt;
  if (!bits) return false;
  element.bits = *bits;
  return true;
}

std::size_t count_plainer(const Case& test_case) {
  return is_listed(test_case) ? (listed_count(test_case) + 1) * plainer_kinds : 0;
}

/// Index 0: all elements at once; then one after the other.
std::optional<Case> make_plain(const Case& test_case, std::size_t index) {
  const std::size_t kind = index % plainer_kinds;
  const std::size_t which = index / plainer_kinds;
  Case changed_case = test_case;
  std::size_t position = 1;
  bool changed = false;
  for (const auto role : corpus::input_roles) {
    const auto& tensor = corpus::tensor(test_case, role);
    for (auto& element : changed_case.data->listed[role]) {
      const bool chosen = which == 0 || which == position;
      if (chosen && tensor) changed |= make_plainer(element, tensor->dtype, kind);
      ++position;
    }
  }
  return changed ? std::optional(std::move(changed_case)) : std::nullopt;
}

}  // namespace

const SimplerStep plainer_elements{count_plainer, make_plain};

}  // namespace gradproof::cases
