#pragma once

#include "properties/advice/logs/values/value.h"

namespace gradproof::advice {

/// Computes with integers; of lists "+" joins and "*" repeats; of a tensor with what keeps its
/// shape. Unknown beyond 64 bits and where whole numbers are not divided into one.
Value arithmetic(const Value& one, char operation, const Value& other);

Value power(const Value& base, const Value& exponent);

}  // namespace gradproof::advice
