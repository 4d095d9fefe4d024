#include "oracle/sums/exact_sum.h"

namespace gradproof::oracle {

// `total & 0xFFFFFFFF` and `total >> 32` are remainder and floor of a division by 2^32, also of a
// negative total. The carry out of the last chunk is the sign's extension, and is dropped: the
// digits are the sum in two's complement.
// Chunks are below 2^62 in magnitude (see the class) and carries below 2^31, so `total` stays in
// int64.
ExactSum::Digits ExactSum::digits() const {
  Digits result{};
  std::int64_t carry = 0;
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    const std::int64_t total = chunks_[i] + carry;
    result[i] = static_cast<std::uint32_t>(total & 0xFFFFFFFF);
    carry = total >> 32;
  }
  return result;
}

bool ExactSum::is_zero() const {
  const Digits kept = digits();
  return DigitSum(kept, lowest_exponent).is_zero();
}

Truncated ExactSum::truncated() const {
  const Digits kept = digits();
  return DigitSum(kept, lowest_exponent).truncated();
}

Dyadic ExactSum::dyadic() const {
  const Digits kept = digits();
  return DigitSum(kept, lowest_exponent).dyadic();
}

}  // namespace gradproof::oracle
