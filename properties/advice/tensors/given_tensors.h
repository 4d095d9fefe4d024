#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "oracle/judge/operand_store.h"

namespace gradproof::advice {

/// A call of aclnnConvolutionBackward, what it was given and what somebody's code made of it.
struct GivenTensors {
  corpus::Case test_case;  ///< its data are not looked at
  /// Bytes of the elements, dense and row-major over the tensor's shape, little endian. Of an
  /// output that is not requested: empty.
  corpus::PerInput<std::vector<std::byte>> operands;
  corpus::PerOutput<std::vector<std::byte>> results;

  oracle::GivenOperands operand_bytes() const { return {operands[0], operands[1], operands[2]}; }
};

/// Describes what keeps the tensors from being judged; nullopt: nothing. It names what is missing,
/// does not fit, or has another size, by the tensor's name.
std::optional<std::string> problem_with(const GivenTensors& tensors);
/// Describes the problem with the operands and shapes, without a look at the results' bytes.
std::optional<std::string> problem_with_operands(const GivenTensors& tensors);

}  // namespace gradproof::advice
