#include "oracle/gradients/dense/residue_basis.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gradproof::oracle {
namespace {

constexpr auto all_moduli = coprime_moduli();

/// The residue of at most half the modulus.
double symmetric(std::int64_t value, std::int32_t modulus) {
  const std::int64_t residue = value % modulus;
  return static_cast<double>(2 * residue > modulus ? residue - modulus : residue);
}

/// The number whose product with `value` is 1 modulo the modulus, by Euclid's algorithm: value *
/// factor is `rest` modulo the modulus at every step.
std::int64_t inverse_of(std::int64_t value, std::int64_t modulus) {
  std::int64_t rest = value % modulus;
  std::int64_t factor = 1;
  std::int64_t other_rest = modulus;
  std::int64_t other_factor = 0;
  while (rest > 1) {
    const std::int64_t quotient = other_rest / rest;
    other_rest -= quotient * rest;
    other_factor -= quotient * factor;
    std::swap(rest, other_rest);
    std::swap(factor, other_factor);
  }
  return factor < 0 ? factor + modulus : factor;
}

}  // namespace

/// Number of moduli whose product has 1.1 more bits than X has: |X| < M / 2.1.
std::optional<std::size_t> ResidueBasis::moduli_for(double bits) {
  // Bits of the product of the first so many.
  static const std::array<double, most_moduli> products = [] {
    std::array<double, most_moduli> result{};
    double sum = 0;
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = sum += std::log2(all_moduli[i]);
    return result;
  }();
  const auto* const enough =
      std::find_if(products.begin(), products.end(), [&](double has) { return has >= bits + 1.1; });
  if (enough == products.end()) return std::nullopt;
  return static_cast<std::size_t>(enough - products.begin()) + 1;
}

ResidueBasis::ResidueBasis(std::size_t moduli, std::size_t digits)
    : groups_((digits + group - 1) / group) {
  moduli_.reserve(moduli);
  for (std::size_t i = 0; i < moduli; ++i) {
    const std::int32_t value = all_moduli.at(i);
    moduli_.push_back({.value = value,
                       .inverse = 1.0 / value,
                       .high_weight = symmetric(std::int64_t{1} << 32U, value)});
  }
  set_cofactors();
  set_digits();
}

void ResidueBasis::set_cofactors() {
  for (Modulus& modulus : moduli_) {
    std::int64_t others = 1;
    for (const Modulus& other : moduli_) {
      if (other.value != modulus.value) others = others * other.value % modulus.value;
    }
    modulus.cofactor = symmetric(inverse_of(others, modulus.value), modulus.value);
  }
}

/// Sets the digits of the products of the moduli but one; of none but one the last is M.
void ResidueBasis::set_digits() {
  const std::size_t count = moduli_.size();
  digits_.resize(groups_ * (count + 1) * group);
  std::vector<std::uint64_t> digits(groups_ * group);
  for (std::size_t without = 0; without <= count; ++without) {
    digits.assign(digits.size(), 0);
    digits[0] = 1;
    for (std::size_t i = 0; i < count; ++i) {
      if (i == without) continue;
      std::uint64_t carry = 0;
      for (std::uint64_t& digit : digits) {
        carry += digit * static_cast<std::uint64_t>(moduli_[i].value);
        digit = carry & 0xFFFFFFFFU;
        carry >>= 32U;
      }
    }
    for (std::size_t digit = 0; digit < digits.size(); ++digit) {
      digits_[((digit / group * (count + 1)) + without) * group + digit % group] =
          static_cast<double>(digits[digit]);
    }
  }
}

}  // namespace gradproof::oracle
