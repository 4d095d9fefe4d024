#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

namespace gradproof::oracle {

/// The largest that 128 products of two residues leave inside 31 bits: residues are at most half of
/// it in magnitude, and 128 * 4095^2 = 2,146,435,200 < 2^31.
inline constexpr std::int32_t largest_modulus = 8191;
/// Steps of a summation whose products of residues are added in 32 bits.
inline constexpr std::int64_t residue_depth = 128;
/// Largest number of moduli: those for sums of two 63-bit operands, 13 bits each, and some more.
inline constexpr std::size_t most_moduli = 16;

/// The largest numbers that have no divisor in common, two by two.
constexpr std::array<std::int32_t, most_moduli> coprime_moduli() {
  std::array<std::int32_t, most_moduli> moduli{};
  std::size_t found = 0;
  for (std::int32_t next = largest_modulus; found < moduli.size(); --next) {
    bool is_coprime = true;
    for (std::size_t i = 0; i < found; ++i) is_coprime &= std::gcd(moduli[i], next) == 1;
    if (is_coprime) moduli[found++] = next;
  }
  return moduli;
}

/// A modulus p, and what conversions to and from residues need of it. Residues are symmetric: at
/// most p / 2 in magnitude.
struct Modulus {
  std::int32_t value = 1;
  double inverse = 1;      ///< 1 / p, rounded
  double high_weight = 0;  ///< the residue of 2^32
  double cofactor = 0;     ///< with M the product of all moduli, the inverse of M / p modulo p
};

/// The moduli M = p_0 p_1 ... of a residue number system and how an integer X with |X| < M / 2.1
/// comes out of its residues x_i (the Chinese remainder theorem): with y_i the residue of
/// x_i * cofactor_i,
///   X = sum of y_i M / p_i - k M, with k the integer nearest to the sum of y_i / p_i.
/// That k is right: the sum of y_i / p_i is X / M + k, and |X / M| < 1 / 2.1 leaves more room than
/// its rounding errors need. M / p_i and M are given in 32-bit digits, modulo 2^(32 * digits),
/// which is enough for X that fits these as a signed number.
/// Source: D. E. Knuth, The Art of Computer Programming, vol. 2, section 4.3.2 (modular
/// arithmetic).
class ResidueBasis {
 public:
  /// Digits come in groups.
  static constexpr std::size_t group = 4;

  /// Number of moduli for integers below 2^bits in magnitude; nothing where there are not enough.
  static std::optional<std::size_t> moduli_for(double bits);

  ResidueBasis(std::size_t moduli, std::size_t digits);

  const std::vector<Modulus>& moduli() const { return moduli_; }
  std::size_t groups() const { return groups_; }
  /// Digits group * 4 ... group * 4 + 3 of M / p_i, the lowest first, as integers in doubles.
  const double* part(std::size_t group_index, std::size_t i) const {
    return digits_.data() + ((group_index * (moduli_.size() + 1)) + i) * group;
  }
  /// Product of M.
  const double* product(std::size_t group_index) const { return part(group_index, moduli_.size()); }

 private:
  void set_cofactors();
  void set_digits();

  std::vector<Modulus> moduli_;
  std::size_t groups_;
  std::vector<double> digits_;
};

}  // namespace gradproof::oracle
