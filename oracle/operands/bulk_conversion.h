#pragma once

#include <cstdint>
#include <span>

#include "oracle/numbers/instruction_set.h"
#include "oracle/numbers/number_format.h"
#include "oracle/operands/operands.h"

namespace gradproof::oracle {

/// Converts all numbers of a tensor in turn, eight at once where the processor can. Whatever the
/// instructions, the results are the same.

/// The extent of these numbers.
Extent extent_of(std::span<const Number> numbers, InstructionSet instructions);

/// Converts each of the numbers, which must be finite, as `integer_of` (accumulators.h) gives it.
/// `integers` has room for as many.
void integers_of(std::span<const Number> numbers, int unit, std::int64_t* integers,
                 InstructionSet instructions);

}  // namespace gradproof::oracle
