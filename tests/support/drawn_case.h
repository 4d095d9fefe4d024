#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "corpus/case.h"

namespace gradproof::corpus {

/// A case whose inputs all have the same properties: only what is drawn for them matters.
inline Case drawn_case(DataType dtype, std::vector<std::int64_t> shape, DataRecipe recipe) {
  Case problem;
  TensorCase tensor;
  tensor.shape = std::move(shape);
  tensor.dtype = dtype;
  problem.grad_output = problem.input = problem.weight = tensor;
  problem.data = std::move(recipe);
  return problem;
}

}  // namespace gradproof::corpus
