#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

#include "oracle/numbers/number_format.h"
#include "oracle/sums/dyadic.h"
#include "oracle/sums/large_vector.h"

namespace gradproof::oracle {

/// A wide integer in units of 2^exponent, read from where it is kept: n 32-bit digits d, the lowest
/// first, in two's complement. Its value is
///   (sum of d[i] * 2^(32 i) - (d[n-1] >> 31) * 2^(32 n)) * 2^exponent.
/// The digits are referred to and must outlive it.
///
/// The value does not change where digits are added at the top that repeat the sign: two's
/// complement of n digits represents the residue modulo 2^(32 n) that lies in [-2^(32 n - 1), 2^(32
/// n - 1)), so that a sum must stay in this range, and carries out of the last digit can be dropped
/// on the way.
/// Source: D. E. Knuth, The Art of Computer Programming, vol. 2, section 4.3.1 (classical
/// algorithms for digits of any base).
class DigitSum {
 public:
  static constexpr std::size_t most_digits = 24;  ///< 768 bits; ExactSum needs 640

  DigitSum(std::span<const std::uint32_t> digits, int exponent)
      : digits_(digits), exponent_(exponent) {}

  bool is_zero() const;

  /// Four digits from the leading non-zero one on, which are 97 to 128 significant bits (fewer only
  /// where the sum has no more digits), and whether anything is left below them: rounded towards
  /// zero, with a sticky bit. That is enough to round the exact value correctly to every format of
  /// the oracle, whose precisions are at most 24 bits.
  /// 97: the leading digit has at least one significant bit, the three others have 32 each. With
  /// anything left below, 97 bits are more than the 64 that Truncated asks for.
  Truncated truncated() const;

  /// Converts the sum to a number over GMP; exact.
  Dyadic dyadic() const;

 private:
  bool is_negative() const { return (digits_.back() >> 31U) != 0; }

  std::span<const std::uint32_t> digits_;
  int exponent_;
};

/// Equally many pairs of 32-bit digits for each of `size` sums, sum after sum, in units of
/// 2^exponent; not initialised. Copies share the digits.
/// Shape: one dimension; digit d of sum i is at 2 * pairs_each * i + d. The caller guarantees that
/// every sum fits: -2^(64 * pairs_each - 1) <= sum < 2^(64 * pairs_each - 1), in units.
class DigitSums {
 public:
  DigitSums(std::size_t size, std::size_t pairs_each, int exponent)
      : size_(size),
        pairs_each_(pairs_each),
        exponent_(exponent),
        digits_(LargeMemory<std::uint32_t>().allocate(2 * size * pairs_each),
                [count = 2 * size * pairs_each](std::uint32_t* digits) {
                  LargeMemory<std::uint32_t>().deallocate(digits, count);
                }) {}

  std::size_t size() const { return size_; }

  /// Writes the digits of a sum: its pairs lie `stride` apart, each as lower + 2^32 * higher.
  /// The bytes of a pair are those of its two digits, the lower one first, on a little-endian
  /// processor.
  void write(std::size_t index, const std::uint64_t* pairs, std::size_t stride) {
    static_assert(std::endian::native == std::endian::little, "the lower digit comes first");
    std::uint32_t* digits = digits_.get() + 2 * index * pairs_each_;
    for (std::size_t i = 0; i < pairs_each_; ++i, digits += 2) {
      std::memcpy(digits, pairs + i * stride, sizeof *pairs);
    }
  }

  DigitSum operator[](std::size_t index) const {
    return {{digits_.get() + 2 * index * pairs_each_, 2 * pairs_each_}, exponent_};
  }

 private:
  std::size_t size_, pairs_each_;
  int exponent_;
  std::shared_ptr<std::uint32_t[]> digits_;
};

}  // namespace gradproof::oracle
