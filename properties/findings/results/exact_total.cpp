#include "properties/findings/results/exact_total.h"

#include <bit>
#include <cmath>
#include <limits>

#include "properties/findings/results/sparse_counts.h"

namespace gradproof::findings {
namespace {

constexpr int lowest_exponent = -1074, significand_bits = 53, word_bits = 64;

/// The double nearest to an integer times 2^-1074. `more`: and a little more. Nothing of it
/// depends on how long the processor's long double is.
double rounded(const std::array<std::uint64_t, 35>& integer, bool more) {
  std::size_t top = integer.size() - 1;
  while (top > 0 && integer.at(top) == 0) --top;
  std::uint64_t leading = integer.at(top);
  int exponent = static_cast<int>(top) * word_bits + lowest_exponent;
  if (top == 0) return std::ldexp(static_cast<double>(leading), exponent);
  // 64 bits, the last of which is set for all that follow: they decide ties.
  const auto shift = static_cast<unsigned>(std::countl_zero(leading));
  const std::uint64_t next = integer.at(top - 1);
  if (shift > 0) leading = leading << shift | next >> (word_bits - shift);
  for (std::size_t i = 0; i + 1 < top; ++i) more |= integer.at(i) != 0;
  if (more || next << shift != 0) leading |= 1U;
  return std::ldexp(static_cast<double>(leading), exponent - static_cast<int>(shift));
}

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

nlohmann::json ExactTotal::saved() const { return {not_finite_, sparse_counts(words_)}; }

ExactTotal ExactTotal::restored(const nlohmann::json& saved) {
  ExactTotal total;
  total.not_finite_ = saved.at(0);
  add_sparse_counts(saved.at(1), total.words_);
  return total;
}

double ExactTotal::mean(std::uint64_t count) const {
  if (not_finite_ > 0) return std::numeric_limits<double>::infinity();
  if (count == 0) return 0;
  std::array<std::uint64_t, 35> quotient{};
  unsigned __int128 rest = 0;
  for (std::size_t i = words_.size(); i-- > 0;) {
    rest = rest << word_bits | words_.at(i);
    quotient.at(i) = static_cast<std::uint64_t>(rest / count);
    rest %= count;
  }
  return rounded(quotient, rest != 0);
}

}  // namespace gradproof::findings
