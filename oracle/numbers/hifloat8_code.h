#pragma once

#include <cstdint>

#include "oracle/numbers/number.h"

namespace gradproof::oracle {

/// The prefix code of HIFLOAT8 (arXiv:2409.16626): what the 256 codes stand for, and the code of
/// each of its numbers. Bits: sign, prefix ("dot") of 2 to 4 bits, sign and lower bits of the
/// exponent, 1 to 3 bits of fraction; the prefix says how many exponent bits follow. One zero, one
/// NaN, two infinities.
Number decode_hifloat8(std::uint32_t bits);
std::uint32_t encode_hifloat8(const Number& number);

}  // namespace gradproof::oracle
