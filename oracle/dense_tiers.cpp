#include "oracle/dense_tiers.h"

#include <utility>

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

ExactTensor SlicedDoubles::combined(std::vector<std::vector<Sum>> planes, int unit) const {
  if (planes.size() == 1) return {std::move(planes[0]), unit};
  std::vector<Int128> sums(planes[0].size());
  std::size_t plane = 0;
  for (int left = 0; left < left_digits_; ++left)
    for (int right = 0; right < right_digits_; ++right, ++plane) {
      const int shift = left * left_width_ + right * right_width_;
      const Int128 weight = Int128{1} << shift;
      for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i] += static_cast<std::int64_t>(planes[plane][i]) * weight;
      }
    }
  return {std::move(sums), unit};
}

bool BiasedIntegers::holds(const ProductSpan& span, std::int64_t additions) {
  constexpr int word_bits = 51;
  if (span.left_bits > word_bits || span.right_bits > word_bits) return false;
  // The low parts stay below 2^62; the high ones take what is left of sums below terms * 2^bits.
  const auto high = static_cast<Uint128>(span.terms)
                    << static_cast<unsigned>(std::max(span.left_bits + span.right_bits - 52, 0));
  return additions <= 1024 && high <= (Uint128{1} << 63U) - 4096;
}

ExactTensor BiasedIntegers::combined(std::vector<std::vector<Sum>> planes, int unit) const {
  std::vector<Int128> sums(planes[0].size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const Int128 high = static_cast<std::int64_t>(planes[1][i]);
    sums[i] = high * (Int128{1} << 52U) + static_cast<std::int64_t>(planes[0][i]);
  }
  return {std::move(sums), unit};
}

}  // namespace gradproof::oracle
