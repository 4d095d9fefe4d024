#include "properties/results/exact_total.h"

#include <cmath>
#include <limits>

namespace gradproof::properties {
namespace {

constexpr int lowest_exponent = -1074, significand_bits = 53, word_bits = 64;

}  // namespace

void ExactTotal::add_word(std::size_t place, std::uint64_t word) {
  while (word != 0 && place < words_.size()) {
    words_.at(place) += word;
    word = words_.at(place) < word ? 1 : 0;  // the carry
    ++place;
  }
}

void ExactTotal::add(double value) {
  if (!std::isfinite(value)) {
    ++not_finite_;
    return;
  }
  if (value <= 0) return;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  int lowest = exponent - significand_bits;
  auto significand = static_cast<std::uint64_t>(std::ldexp(fraction, significand_bits));
  if (lowest < lowest_exponent) {  // subnormal: the bits below are zero
    significand >>= static_cast<unsigned>(lowest_exponent - lowest);
    lowest = lowest_exponent;
  }
  const auto shift = static_cast<unsigned>(lowest - lowest_exponent);
  const unsigned inside = shift % word_bits;
  add_word(shift / word_bits, significand << inside);
  if (inside > 0) add_word(shift / word_bits + 1, significand >> (word_bits - inside));
}

void ExactTotal::merge(const ExactTotal& other) {
  for (std::size_t i = 0; i < words_.size(); ++i) add_word(i, other.words_.at(i));
  not_finite_ += other.not_finite_;
}

double ExactTotal::mean(std::uint64_t count) const {
  if (not_finite_ > 0) return std::numeric_limits<double>::infinity();
  if (count == 0) return 0;
  long double sum = 0;
  for (std::size_t i = words_.size(); i-- > 0;) {
    sum += std::ldexp(static_cast<long double>(words_.at(i)),
                      static_cast<int>(i) * word_bits + lowest_exponent);
  }
  return static_cast<double>(sum / static_cast<long double>(count));
}

}  // namespace gradproof::properties
