#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "oracle/instruction_set.h"
#include "oracle/int128.h"
#include "oracle/tile_kernels.h"

namespace gradproof::oracle {

/// What decides how operands can be added: bits that the left and the right ones span, and the most
/// products that meet in one element.
struct ProductSpan {
  int left_bits, right_bits;
  std::int64_t terms;
};

/// A tier (see dense_gradient.h) adds products in words of 64 bits by tiles: of one or more digits
/// of either operand, into one or more planes of sums.

/// Digits of the operands' magnitudes in doubles, so narrow that no sum of products reaches 2^53.
/// Every pair of digits has a plane of its own.
/// Source: K. Ozaki et al., Error-free transformations of matrix multiplication by using fast
/// routines of matrix multiplication, Numerical Algorithms 59 (2012).
class SlicedDoubles {
 public:
  using Word = double;
  using Sum = double;

  SlicedDoubles(const ProductSpan& span, InstructionSet instructions);

  TileShape tile() const { return kernel_.shape; }
  std::int64_t longest_depth() const { return 1024; }
  int left_digits() const { return left_digits_; }
  int right_digits() const { return right_digits_; }
  std::size_t planes() const {
    return static_cast<std::size_t>(left_digits_) * static_cast<std::size_t>(right_digits_);
  }
  /// Words after a panel's own.
  static constexpr std::int64_t sums_per_line = 0;
  static constexpr Word zero = 0;

  Word left_word(std::int64_t integer, int digit) const {
    return digit_of(integer, digit, left_width_);
  }
  Word right_word(std::int64_t integer, int digit) const {
    return digit_of(integer, digit, right_width_);
  }

  /// `left[digit]`, `right[digit]`: panels; `planes[plane]`: tiles.
  void add(const std::vector<const Word*>& left, const std::vector<const Word*>& right,
           std::int64_t depth, const std::vector<Sum*>& planes, std::int64_t stride) const {
    std::size_t plane = 0;
    for (const Word* left_panel : left)
      for (const Word* right_panel : right) {
        kernel_.add(left_panel, right_panel, depth, planes[plane++], stride);
      }
  }

  /// The sum that the planes stand for at a place.
  Int128 combined(const std::vector<const Sum*>& planes, std::size_t place) const {
    Int128 sum = 0;
    std::size_t plane = 0;
    for (int left = 0; left < left_digits_; ++left)
      for (int right = 0; right < right_digits_; ++right) {
        const int shift = left * left_width_ + right * right_width_;
        sum += static_cast<std::int64_t>(planes[plane++][place]) * (Int128{1} << shift);
      }
    return sum;
  }

 private:
  static double digit_of(std::int64_t integer, int digit, int width) {
    const auto magnitude = static_cast<std::uint64_t>(integer < 0 ? -integer : integer);
    const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
    const auto value = static_cast<double>(
        static_cast<std::int64_t>(magnitude >> static_cast<unsigned>(digit * width) & mask));
    return integer < 0 ? -value : value;
  }

  DoubleKernel kernel_;
  int left_digits_ = 1, right_digits_ = 1;
  int left_width_ = 1, right_width_ = 1;
};

/// 52-bit multiply-adds of whole operands of up to 51 bits, biased to be positive; planes of the
/// low and the high parts of the sums.
class BiasedIntegers {
 public:
  using Word = std::uint64_t;
  using Sum = std::uint64_t;

  /// Whether it is right for these; `additions`: tiles that are added to one element.
  static bool holds(const ProductSpan& span, std::int64_t additions);

  explicit BiasedIntegers(InstructionSet instructions) : kernel_(ifma_kernel(instructions)) {}

  TileShape tile() const { return kernel_.shape; }
  std::int64_t longest_depth() const { return ifma_longest_depth; }
  int left_digits() const { return 1; }
  int right_digits() const { return 1; }
  std::size_t planes() const { return 2; }
  static constexpr std::int64_t sums_per_line = 1;
  static constexpr Word zero = ifma_bias;

  Word left_word(std::int64_t integer, int /*digit*/) const { return word(integer); }
  Word right_word(std::int64_t integer, int /*digit*/) const { return word(integer); }

  void add(const std::vector<const Word*>& left, const std::vector<const Word*>& right,
           std::int64_t depth, const std::vector<Sum*>& planes, std::int64_t stride) const {
    kernel_.add(left[0], right[0], depth, planes[0], planes[1], stride);
  }

  Int128 combined(const std::vector<const Sum*>& planes, std::size_t place) const {
    const Int128 high = static_cast<std::int64_t>(planes[1][place]);
    return high * (Int128{1} << 52U) + static_cast<std::int64_t>(planes[0][place]);
  }

 private:
  static Word word(std::int64_t integer) { return static_cast<Word>(integer) + ifma_bias; }

  IfmaKernel kernel_;
};

}  // namespace gradproof::oracle
