#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "corpus/case.h"

namespace gradproof::corpus {

/// A case whose inputs all have the same properties: only what is drawn for them matters.
inline Case drawn_case(DataType dtype, std::vector<std::int64_t> shape, DataRecipe recipe) {
  Case test_case;
  TensorCase tensor;
  tensor.shape = std::move(shape);
  tensor.dtype = dtype;
  test_case.grad_output = test_case.input = test_case.weight = tensor;
  test_case.data = std::move(recipe);
  return test_case;
}

}  // namespace gradproof::corpus
