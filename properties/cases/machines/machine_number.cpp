#include "properties/cases/machines/machine_number.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gradproof::cases {
namespace {

using corpus::MachineRounding;
using oracle::Int128;
using oracle::Uint128;

constexpr int width = 128;

bool goes_up(const Uint128& kept, const Uint128& rest, int dropped, MachineRounding rounding) {
  const bool is_beyond = dropped > width;  // all of it is below half of the unit
  const Uint128 half = is_beyond ? ~Uint128{0} : Uint128{1} << (dropped - 1);
  const bool is_odd = (kept & 1U) != 0;
  switch (rounding) {
    case MachineRounding::NearestEven:
      return rest > half || (rest == half && !is_beyond && is_odd);
    case MachineRounding::NearestAway:
      return rest >= half && !is_beyond;
    case MachineRounding::TowardZero:
      return false;
    case MachineRounding::Odd:
      return rest != 0 && !is_odd;
  }
  return false;
}

/// The number in units of 2^unit, toward minus infinity, and whether something was cut off.
struct Aligned {
  Int128 units = 0;
  bool is_cut = false;
};

Aligned aligned(const MachineNumber& number, int unit, bool toward_zero) {
  Aligned result;
  const int shift = number.exponent - unit;
  Uint128 magnitude = number.magnitude;
  if (shift >= 0) {
    magnitude <<= shift;
  } else {
    const Uint128 kept = -shift >= width ? Uint128{0} : magnitude >> -shift;
    result.is_cut = -shift >= width ? magnitude != 0 : (kept << -shift) != magnitude;
    magnitude = kept;
  }
  result.units = number.negative ? -static_cast<Int128>(magnitude) : static_cast<Int128>(magnitude);
  if (result.is_cut && number.negative && !toward_zero) result.units -= 1;
  return result;
}

}  // namespace

int MachineNumber::leading() const { return oracle::bit_width(magnitude) - 1 + exponent; }

std::optional<MachinePrecision> precision_of(std::string_view format, int bits) {
  constexpr int lowest_of_float = -126, highest_of_float = 127;
  constexpr int lowest_of_half = -14, highest_of_half = 15;
  const bool is_half = format == "FLOAT16";
  if (!is_half && format != "FLOAT" && format != "HF32" && format != "TF32" && format != "BF16") {
    return std::nullopt;
  }
  const int lowest = is_half ? lowest_of_half : lowest_of_float;
  return MachinePrecision{bits, lowest - (bits - 1), is_half ? highest_of_half : highest_of_float};
}

std::optional<MachinePrecision> precision_of(std::string_view format) {
  if (format == "FLOAT") return precision_of(format, 24);
  if (format == "FLOAT16") return precision_of(format, 11);
  if (format == "BF16") return precision_of(format, 8);
  return std::nullopt;
}

MachineNumber number_of(double value) {
  constexpr int bits = std::numeric_limits<double>::digits;
  if (value == 0) return {0, 0, std::signbit(value)};
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  auto magnitude = static_cast<std::uint64_t>(std::ldexp(fraction, bits));
  const int zeros = __builtin_ctzll(magnitude);
  return {magnitude >> zeros, exponent - bits + zeros, value < 0};
}

double double_of(const MachineNumber& number) {
  Uint128 magnitude = number.magnitude;
  int exponent = number.exponent;
  while (magnitude >> 53 != 0) {
    magnitude >>= 1;
    ++exponent;
  }
  const double value =
      std::ldexp(static_cast<double>(static_cast<std::uint64_t>(magnitude)), exponent);
  return number.negative ? -value : value;
}

MachineNumber rounded(const MachineNumber& number, const MachinePrecision& to,
                      corpus::MachineRounding rounding) {
  if (number.is_zero()) return number;
  const int unit = std::max(number.leading() - to.bits + 1, to.lowest_exponent);
  const int dropped = unit - number.exponent;
  if (dropped <= 0) return number;
  const Uint128 kept = dropped >= width ? Uint128{0} : number.magnitude >> dropped;
  const Uint128 rest = dropped >= width ? number.magnitude : number.magnitude - (kept << dropped);
  MachineNumber result{kept, unit, number.negative};
  if (goes_up(kept, rest, dropped, rounding)) result.magnitude += 1;
  return result;
}

MachineNumber product_of(const MachineNumber& one, const MachineNumber& other) {
  return {one.magnitude * other.magnitude, one.exponent + other.exponent,
          one.negative != other.negative};
}

MachinePrecision accumulator_of(const corpus::NodeArithmetic& node) {
  constexpr int lowest_normal = -126, highest = 127;
  return {node.accumulator_bits, lowest_normal - (node.accumulator_bits - 1), highest};
}

MachineNumber node_sum(std::span<const MachineNumber> addends, const corpus::NodeArithmetic& node) {
  constexpr int exact_window = 100;
  int largest = std::numeric_limits<int>::min();
  for (const MachineNumber& addend : addends) {
    if (!addend.is_zero()) largest = std::max(largest, addend.leading());
  }
  if (largest == std::numeric_limits<int>::min()) return {};
  const bool is_aligned = node.extra_bits.has_value();
  const int window = is_aligned ? node.accumulator_bits - 1 + *node.extra_bits : exact_window;
  const int unit = largest - window;
  Int128 sum = 0;
  bool is_cut = false;
  for (const MachineNumber& addend : addends) {
    if (addend.is_zero()) continue;
    const Aligned part = aligned(addend, unit, is_aligned);
    sum += part.units;
    is_cut = is_cut || part.is_cut;
  }
  MachineNumber total{oracle::magnitude_of(sum), unit, sum < 0};
  if (!is_aligned && is_cut) {  // sum < exact value < sum + 1: half of a unit stands for the rest
    const Int128 doubled = 2 * sum + 1;
    total = {oracle::magnitude_of(doubled), unit - 1, doubled < 0};
  }
  return rounded(total, accumulator_of(node), node.rounding);
}

}  // namespace gradproof::cases
