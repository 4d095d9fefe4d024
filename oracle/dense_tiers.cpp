#include "oracle/dense_tiers.h"

#include <algorithm>

namespace gradproof::oracle {
namespace {

int divided(int bits, int digits) { return (bits + digits - 1) / digits; }

/// Bits that two digits may have together, so that all sums of their products are below 2^53.
int bits_for_digits(std::int64_t terms) { return 53 - bit_width(static_cast<Uint128>(terms)); }

}  // namespace

SlicedDoubles::SlicedDoubles(const ProductSpan& span, InstructionSet instructions)
    : kernel_(double_kernel(instructions)) {
  const int most = bits_for_digits(span.terms);
  int fewest = 1 << 12;
  for (int left = 1; left <= 63; ++left)
    for (int right = 1; right <= 63 && left * right < fewest; ++right) {
      if (divided(span.left_bits, left) + divided(span.right_bits, right) > most) continue;
      fewest = left * right;
      left_digits_ = left;
      right_digits_ = right;
    }
  left_width_ = std::max(divided(span.left_bits, left_digits_), 1);
  right_width_ = std::max(divided(span.right_bits, right_digits_), 1);
}

bool BiasedIntegers::holds(const ProductSpan& span, std::int64_t additions) {
  constexpr int word_bits = 51;
  if (span.left_bits > word_bits || span.right_bits > word_bits) return false;
  // The low parts stay below 2^62; the high ones take what is left of sums below terms * 2^bits.
  const auto high = static_cast<Uint128>(span.terms)
                    << static_cast<unsigned>(std::max(span.left_bits + span.right_bits - 52, 0));
  return additions <= 1024 && high <= (Uint128{1} << 63U) - 4096;
}

}  // namespace gradproof::oracle
