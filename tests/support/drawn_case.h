#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "corpus/case.h"

namespace gradproof::corpus {

/// A case all of whose inputs are alike: what is drawn for them is all that matters.
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
