#pragma once

#include <cstdint>

#include "oracle/numbers/number.h"

namespace gradproof::oracle {

/// The prefix code of HIFLOAT8 (arXiv:2409.16626): what the 256 codes
/// stand for, and the code of each of its numbers.
Number decode_hifloat8(std::uint32_t bits);
std::uint32_t encode_hifloat8(const Number& number);

}  // namespace gradproof::oracle
