#include "oracle/gradients/dense/number_schemes.h"

#include <algorithm>
#include <array>

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

/// Of the left and of the right operands; none where nothing would do.
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

/// Three digits of both operands, and the sums of two of them.
constexpr int three = 3;
constexpr std::size_t planes_of_three = 6;
/// The digits that a layer is the sum of; or one digit twice.
constexpr std::array<std::array<int, 2>, planes_of_three> layers_of_three{
    {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};

/// Products of 52-bit multiply-adds stay below 2^52, or are cut.
constexpr int narrow_bits = 52;

/// The sums of products of digits by their weight, in powers of a digit's. None reaches 2^63.
/// The total is low + high * 2^(3 width), in two parts because it may exceed 128 bits.
struct SumsByWeight {
  std::array<std::int64_t, 5> sums;

  Int128 low(int width) const {
    return Int128{sums[0]} + Int128{sums[1]} * (Int128{1} << width) +
           Int128{sums[2]} * (Int128{1} << (2 * width));
  }
  /// In units of three digits' weight.
  Int128 high(int width) const { return Int128{sums[3]} + Int128{sums[4]} * (Int128{1} << width); }
};

/// What two digits' sums give, less what each digit gives, are the products crosswise:
/// (a_i + a_j)(b_i + b_j) - a_i b_i - a_j b_j = a_i b_j + a_j b_i.
/// By weight: 0: a0 b0; 1: a0 b1 + a1 b0; 2: a0 b2 + a2 b0 + a1 b1; 3: a1 b2 + a2 b1; 4: a2 b2.
/// Differences of sums modulo 2^64 are right, because no true sum reaches 2^63.
SumsByWeight sums_by_weight(const std::vector<const std::uint64_t*>& planes, std::int64_t place) {
  const std::uint64_t zero = planes[0][place];
  const std::uint64_t one = planes[1][place];
  const std::uint64_t two = planes[2][place];
  const auto as_signed = [](std::uint64_t sum) { return static_cast<std::int64_t>(sum); };
  return {{as_signed(zero), as_signed(planes[3][place] - zero - one),
           as_signed(planes[4][place] - zero - two + one), as_signed(planes[5][place] - one - two),
           as_signed(two)}};
}

}  // namespace

/// At least one bit for each width, so that an operand of zeros alone has a digit too.
SlicedDoubles::SlicedDoubles(const ProductSpan& span, InstructionSet instructions)
    : kernel_(double_kernel(instructions)), words_(word_kernels(instructions)) {
  const DigitCounts fewest = fewest_digits(span, bits_for_digits(span.terms));
  left_digits_ = std::max(fewest.left, 1);
  right_digits_ = std::max(fewest.right, 1);
  left_width_ = std::max(divided(span.left_bits, left_digits_), 1);
  right_width_ = std::max(divided(span.right_bits, right_digits_), 1);
}

void SlicedDoubles::make_words(Side side, int layer, const std::int64_t* integers,
                               std::int64_t count, Word* words) const {
  const int width = side == Side::Left ? left_width_ : right_width_;
  words_.doubles(integers, count, {.shift = layer * width, .mask = mask_of(width)}, words);
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

/// Budget in bits. Pairs: digits of v and w bits with v + w <= 50, biased 52; true sums v + w +
/// bit_width(terms) <= 63. Three digits with sums of two: 2 (width + 2) <= 52 for words, 2 (width +
/// 1) + bit_width(terms) <= 63 for sums. Three digits pay from seven pairs on (six for wide sums),
/// six planes instead of nine; they are also the only ones whose sums may exceed 127 bits.
NarrowIntegers::NarrowIntegers(const ProductSpan& span, InstructionSet instructions)
    : kernel_(narrow_kernel(instructions)), words_(word_kernels(instructions)) {
  // A biased digit has a bit more than the digit, so that two have two more; and sums have 63 bits.
  const int terms = bit_width(static_cast<Uint128>(span.terms));
  const DigitCounts fewest = fewest_digits(span, std::min(narrow_bits - 2, 63 - terms));
  // Of three digits of `width` bits each: a sum of two is below 2^(width + 1), biased below
  // 2^(width + 2), so that products of words stay below 2^(bits + 2) and true sums below
  // 2^(bits + terms).
  const int width = std::max(divided(std::max(span.left_bits, span.right_bits), three), 1);
  const int bits = 2 * (width + 1);  // of products of sums of two digits
  const auto pairs = static_cast<std::size_t>(fewest.left) * static_cast<std::size_t>(fewest.right);
  const bool is_wide = span.left_bits + span.right_bits + terms > 127;
  has_sums_ = bits + 2 <= narrow_bits && bits + terms <= 63 &&
              (pairs > planes_of_three || (is_wide && pairs == planes_of_three));
  if (has_sums_) {
    planes_ = planes_of_three;
    left_digits_ = right_digits_ = three;
    left_width_ = right_width_ = width;
    return;
  }
  planes_ = pairs;
  left_digits_ = fewest.left;
  right_digits_ = fewest.right;
  if (!holds()) return;
  left_width_ = std::max(divided(span.left_bits, left_digits_), 1);
  right_width_ = std::max(divided(span.right_bits, right_digits_), 1);
}

DigitCut NarrowIntegers::cut(Side side, int layer) const {
  const int bits = width(side);
  if (!has_sums_) return {.shift = layer * bits, .mask = mask_of(bits)};
  const auto [digit, other] = layers_of_three.at(static_cast<std::size_t>(layer));
  return {.shift = digit * bits,
          .other_shift = other == digit ? -1 : other * bits,
          .mask = mask_of(bits)};
}

void NarrowIntegers::combine(const std::vector<const Sum*>& planes, std::int64_t offset,
                             std::int64_t count, Int128* sums) const {
  std::fill(sums, sums + count, 0);
  if (has_sums_) {
    for (std::int64_t i = 0; i < count; ++i) {
      const SumsByWeight parts = sums_by_weight(planes, offset + i);
      const auto high = static_cast<Uint128>(parts.high(left_width_));
      sums[i] += static_cast<Int128>(static_cast<Uint128>(parts.low(left_width_)) +
                                     (high << (3 * left_width_)));
    }
    return;
  }
  std::size_t plane = 0;
  for (int left = 0; left < left_digits_; ++left)
    for (int right = 0; right < right_digits_; ++right) {
      const Sum* const from = planes[plane++] + offset;
      const int shift = left * left_width_ + right * right_width_;
      for (std::int64_t i = 0; i < count; ++i) sums[i] += Int128(raised(from[i], shift));
    }
}

void NarrowIntegers::combine(const std::vector<const Sum*>& planes, std::int64_t offset,
                             std::int64_t count, WideSum* sums) const {
  for (std::int64_t i = 0; i < count; ++i) {
    const SumsByWeight parts = sums_by_weight(planes, offset + i);
    sums[i] = wide_sum(parts.low(left_width_), parts.high(left_width_), 3 * left_width_);
  }
}

}  // namespace gradproof::oracle
