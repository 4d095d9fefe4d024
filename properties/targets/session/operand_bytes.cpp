#include "properties/targets/session/operand_bytes.h"

#include "corpus/element_values.h"
#include "properties/targets/session/tensor_memory.h"

namespace gradproof::targets {

std::vector<std::byte> operand_bytes(const corpus::Case& test_case, corpus::InputRole role,
                                     OperandLayout layout) {
  auto elements = corpus::element_values(test_case, role);
  const corpus::TensorCase& tensor = *corpus::tensor(test_case, role);
  const bool is_dense = !tensor.strides && tensor.offset == 0 && !tensor.storage_shape;
  if (layout == OperandLayout::Dense || is_dense) return elements;
  corpus::TensorCase memory;
  memory.shape = {corpus::storage_element_count(tensor).value_or(0)};
  memory.dtype = tensor.dtype;
  std::vector<std::byte> storage = sentinel_elements(memory);
  scatter(tensor, elements, storage.data());
  return storage;
}

}  // namespace gradproof::targets
