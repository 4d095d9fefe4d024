#include "oracle/gradients/dense/number_schemes.h"

#include <algorithm>

namespace gradproof::oracle {
namespace {

int divided(int bits, int digits) { return (bits + digits - 1) / digits; }

/// Bits that two digits may have together, so that all sums of their products are below 2^53: of n
/// terms, n < 2^bit_width(n).
int bits_for_digits(std::int64_t terms) { return 53 - bit_width(static_cast<Uint128>(terms)); }

std::int64_t mask_of(int width) { return (std::int64_t{1} << width) - 1; }

/// A signed sum times 2^shift, modulo 2^128.
/// Unsigned, since shifting a negative number or overflowing is undefined for signed types and the
/// residue is all that is needed: sums of at most 127 bits and a sign are determined by it.
Uint128 raised(std::uint64_t sum, int shift) {
  return static_cast<Uint128>(Int128{static_cast<std::int64_t>(sum)}) << shift;
}

/// Numbers of digits of the left and of the right operands; none where nothing would do.
struct DigitCounts {
  int left = 0, right = 0;
};

/// The fewest pairs of digits such that a left and a right digit have at most `most` bits together.
/// All counts up to 63 are tried, fewer than 4,000 steps for a gradient.
/// Ceilings of bits / digits are the widths of the digits; more digits are narrower and cost more
/// products.
DigitCounts fewest_digits(const ProductSpan& span, int most) {
  DigitCounts result;
  int fewest = 1 << 12;
  for (int left = 1; left <= 63; ++left)
    for (int right = 1; right <= 63 && left * right < fewest; ++right) {
      if (divided(span.left_bits, left) + divided(span.right_bits, right) > most) continue;
      fewest = left * right;
      result = {left, right};
    }
  return result;
}

/// Products of 52-bit multiply-adds stay below 2^52, or are cut.
constexpr int narrow_bits = 52;

}  // namespace

/// Takes at least one bit for each width, so that an operand of zeros alone has a digit too.
SlicedDoubles::SlicedDoubles(const ProductSpan& span, InstructionSet instructions)
    : kernel_(double_kernel(instructions)), words_(word_kernels(instructions)) {
  const DigitCounts fewest = fewest_digits(span, bits_for_digits(span.terms));
  left_digits_ = std::max(fewest.left, 1);
  right_digits_ = std::max(fewest.right, 1);
  left_width_ = std::max(divided(span.left_bits, left_digits_), 1);
  right_width_ = std::max(divided(span.right_bits, right_digits_), 1);
}

void SlicedDoubles::make_words(Side side, const std::int64_t* integers, std::int64_t count,
                               Word* words) const {
  const int width = side == Side::Left ? left_width_ : right_width_;
  for (int layer = 0; layer < layers(side); ++layer, words += count) {
    words_.doubles(integers, count, {.shift = layer * width, .mask = mask_of(width)}, words);
  }
}

void SlicedDoubles::combine(const std::vector<const Sum*>& planes, std::int64_t offset,
                            std::int64_t count, Int128* sums) const {
  std::fill(sums, sums + count, 0);
  std::size_t plane = 0;
  for (int left = 0; left < left_digits_; ++left)
    for (int right = 0; right < right_digits_; ++right) {
      const Sum* const from = planes[plane++] + offset;
      const int shift = left * left_width_ + right * right_width_;
      for (std::int64_t i = 0; i < count; ++i) {
        sums[i] += static_cast<std::int64_t>(from[i]) * (Int128{1} << shift);
      }
    }
}

void SlicedDoubles::combine(const std::vector<const Sum*>& planes, std::int64_t offset,
                            std::int64_t count, double* sums) const {
  std::copy_n(planes[0] + offset, count, sums);
}

/// Operands of 51 bits and a sign are, with the bias of 2^51, unsigned words of 52 bits.
bool BiasedIntegers::holds(const ProductSpan& span, std::int64_t additions) {
  constexpr int word_bits = 51;
  if (span.left_bits > word_bits || span.right_bits > word_bits) return false;
  // The low parts stay below 2^62: up to 1024 additions of less than 2^52. The high ones, in units
  // of 2^52, take what is left of sums below terms * 2^bits.
  const auto high = static_cast<Uint128>(span.terms)
                    << static_cast<unsigned>(std::max(span.left_bits + span.right_bits - 52, 0));
  return additions <= 1024 && high <= (Uint128{1} << 63U) - 4096;
}

/// Budget in bits: digits of v and w bits with v + w <= 50, biased 52; true sums v + w +
/// bit_width(terms) <= 63.
NarrowIntegers::NarrowIntegers(const ProductSpan& span, InstructionSet instructions)
    : kernel_(narrow_kernel(instructions)), words_(word_kernels(instructions)) {
  // A biased digit has a bit more than the digit, so that two have two more; and sums have 63 bits.
  const int terms = bit_width(static_cast<Uint128>(span.terms));
  const DigitCounts fewest = fewest_digits(span, std::min(narrow_bits - 2, 63 - terms));
  left_digits_ = fewest.left;
  right_digits_ = fewest.right;
  if (!holds()) return;
  left_width_ = std::max(divided(span.left_bits, left_digits_), 1);
  right_width_ = std::max(divided(span.right_bits, right_digits_), 1);
}

void NarrowIntegers::make_words(Side side, const std::int64_t* integers, std::int64_t count,
                                Word* words) const {
  const int bits = width(side);
  for (int layer = 0; layer < layers(side); ++layer, words += count) {
    words_.digits(integers, count, {.shift = layer * bits, .mask = mask_of(bits)}, bias(side),
                  words);
  }
}

void NarrowIntegers::combine(const std::vector<const Sum*>& planes, std::int64_t offset,
                             std::int64_t count, Int128* sums) const {
  std::fill(sums, sums + count, 0);
  std::size_t plane = 0;
  for (int left = 0; left < left_digits_; ++left)
    for (int right = 0; right < right_digits_; ++right) {
      const Sum* const from = planes[plane++] + offset;
      const int shift = left * left_width_ + right * right_width_;
      for (std::int64_t i = 0; i < count; ++i) sums[i] += Int128(raised(from[i], shift));
    }
}

}  // namespace gradproof::oracle
