#pragma once

#include "corpus/case.h"
#include "oracle/numbers/number_format.h"
#include "tests/support/random_problem.h"

namespace gradproof::oracle {

/// The tensors' types, the product and the math mode of a legal call.
struct Mode {
  const char* soc = "Ascend910B";
  corpus::DataType grad_output = corpus::DataType::Float;
  corpus::DataType input = corpus::DataType::Float;
  corpus::DataType weight = corpus::DataType::Float;
  int cube_math_type = 0;
};

/// A mode of any product, dtype and cubeMathType that the documents allow.
Mode random_mode(Random& random);

/// A legal call of this mode: small, of any rank that the product has, normal or transposed, any
/// mask that asks for something. Without data.
corpus::Case random_case(Random& random, const Mode& mode);

/// A 2D convolution of this mode with all three outputs: N, C and K channels, square map and
/// kernel, padded so that the map keeps its size.
corpus::Case square_case(const Mode& mode, std::int64_t batch, std::int64_t channels,
                         std::int64_t kernels, std::int64_t length, std::int64_t taps);

/// Every input element given by its bits: drawn over all codes of the dtype, or near its ends.
corpus::DataRecipe random_bits(Random& random, const corpus::Case& test_case);

}  // namespace gradproof::oracle
