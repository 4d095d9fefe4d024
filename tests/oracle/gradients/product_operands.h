#pragma once

#include "corpus/case.h"
#include "oracle/numbers/dense.h"
#include "oracle/numbers/number_format.h"

namespace gradproof::oracle {

/// The gradients that are sums of products.
inline constexpr corpus::OutputRole product_roles[] = {corpus::OutputRole::GradInput,
                                                       corpus::OutputRole::GradWeight};

/// gradOutput, and what it is multiplied with.
struct ProductOperands {
  Dense<Number> grad_output, other;
};

}  // namespace gradproof::oracle
