#pragma once

#include <cstddef>
#include <vector>

#include "corpus/case.h"
#include "corpus/tensor_case.h"

namespace gradproof::targets {

/// Bytes of the storage that a tensor needs; the tensor must be one that can exist.
std::size_t storage_bytes(const corpus::TensorCase& tensor);

/// Writes dense row-major elements to the places where the view has them.
void scatter(const corpus::TensorCase& tensor, const std::vector<std::byte>& dense,
             std::byte* storage);

/// Reads the view's elements from a storage, dense and row-major.
std::vector<std::byte> gather(const corpus::TensorCase& tensor, const std::byte* storage);

/// Elements that no kernel computes: a NaN with a payload of ours where the type has room for one,
/// so that an element that was never written is told from one that was.
std::vector<std::byte> sentinel_elements(const corpus::TensorCase& tensor);

/// The number 1 in each element.
std::vector<std::byte> one_elements(const corpus::TensorCase& tensor);

/// Layout in which a function of tensors gets its operands.
enum class OperandLayout : bool {
  Dense,   ///< the elements, row-major
  Storage  ///< the memory that the case's strides and offset refer to; gaps hold NaN
};

/// The bytes of an operand that is there, of a case with data.
std::vector<std::byte> operand_bytes(const corpus::Case& test_case, corpus::InputRole role,
                                     OperandLayout layout);

}  // namespace gradproof::targets
