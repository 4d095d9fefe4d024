#include "oracle/arithmetic/addend_law.h"

#include <algorithm>
#include <cmath>

#include "oracle/numbers/number_format.h"

namespace gradproof::oracle {
namespace {

/// Mean square of converting this value; 0 where the format holds what the other one does.
double conversion(double value, NumberFormat from, NumberFormat to) {
  if (value == 0 || precision(from) <= precision(to)) return 0;
  return std::ldexp(1.0, 2 * unit_exponent(to, std::ilogb(value))) / 12;
}

/// Enters an addend whose exact last bit is known: rounded to FLOAT if it has more bits.
void round_to_float(RandomAddend& addend) {
  const int unit = unit_exponent(NumberFormat::Float, std::ilogb(addend.value));
  addend.rounding = mean_square_of_rounding(unit, addend.last_bit);
  addend.last_bit = std::max(addend.last_bit, unit);
}

AddendLaw law_of(std::vector<RandomAddend> addends) {
  AddendLaw law{.addends = std::move(addends)};
  std::ranges::sort(law.addends, {}, &RandomAddend::value);
  const auto count = static_cast<double>(law.addends.size());
  for (const RandomAddend& addend : law.addends) {
    law.mean += addend.value / count;
    law.mean_square += addend.value * addend.value / count;
  }
  return law;
}

/// Thins a law of many addends to enough of them for the errors; moments are those of all.
AddendLaw thinned(AddendLaw law) {
  constexpr std::size_t kept = 256;
  const std::size_t count = law.addends.size();
  if (count <= kept) return law;
  std::vector<RandomAddend> few;
  for (std::size_t i = 0; i < kept; ++i)
    few.push_back(law.addends[(2 * i + 1) * count / (2 * kept)]);
  law.addends = std::move(few);
  return law;
}

}  // namespace

double mean_square_of_rounding(int unit, int last_bit) {
  const int lost = unit - last_bit;
  if (lost <= 0) return 0;
  return std::ldexp(1 + std::ldexp(2.0, -2 * lost), 2 * unit) / 12;
}

AddendLaw addend_law(const RandomOperand& grad_output, const RandomOperand& other,
                     const Arithmetic& arithmetic) {
  const NumberFormat format = arithmetic.operands;
  const bool is_bias = other.values.empty();
  const auto last_bit = [&](double value, NumberFormat in_memory) {
    const bool is_shorter = precision(in_memory) < precision(format);
    return unit_exponent(is_shorter ? in_memory : format, std::ilogb(value));
  };
  std::vector<RandomAddend> addends;
  for (const double one : grad_output.values) {
    // A few values do not show the smallest elements of a shorter format, which alone are rounded.
    if (is_bias) {
      addends.push_back({one, one == 0 ? 0 : unit_exponent(NumberFormat::Float, std::ilogb(one))});
    }
    for (const double factor : other.values) {
      RandomAddend addend{.value = one * factor};
      if (addend.value != 0) {
        addend.last_bit = last_bit(one, grad_output.format) + last_bit(factor, other.format);
        addend.by_grad_output = conversion(one, grad_output.format, format) * factor * factor;
        addend.by_other = conversion(factor, other.format, format) * one * one;
        round_to_float(addend);
      }
      addends.push_back(addend);
    }
  }
  return law_of(std::move(addends));
}

AddendLaw addend_law(std::span<const double> products, const Arithmetic& arithmetic, bool is_bias) {
  const int bits = is_bias ? precision(NumberFormat::Float) : 2 * precision(arithmetic.operands);
  std::vector<RandomAddend> addends;
  for (const double product : products) {
    if (product == 0) continue;
    RandomAddend addend{.value = product, .last_bit = std::ilogb(product) - (bits - 1)};
    round_to_float(addend);
    addends.push_back(addend);
  }
  return thinned(law_of(std::move(addends)));
}

}  // namespace gradproof::oracle
