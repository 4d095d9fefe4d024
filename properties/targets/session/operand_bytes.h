#pragma once

#include <cstddef>
#include <vector>

#include "corpus/case.h"

namespace gradproof::targets {

/// Layout in which a function of tensors gets its operands.
enum class OperandLayout : bool {
  Dense,   ///< the elements, row-major
  Storage  ///< the memory that the case's strides and offset refer to; gaps hold NaN
};

/// The bytes of an operand that is there, of a case with data.
std::vector<std::byte> operand_bytes(const corpus::Case& test_case, corpus::InputRole role,
                                     OperandLayout layout);

}  // namespace gradproof::targets
