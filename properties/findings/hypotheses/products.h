#pragma once

#include <cstddef>
#include <vector>

#include "properties/findings/hypotheses/witness.h"

namespace gradproof::findings::diagnosis {

/// Two elements that are multiplied, and where the product goes; indices are row-major.
struct Product {
  std::size_t grad_output = 0, other = 0, output = 0;
};

/// Products of non-zero operands, found by looking at every pair: for few non-zeros.
std::vector<Product> products_of(const oracle::Geometry& geometry, corpus::OutputRole role,
                                 const Numbers& grad_output, const Numbers& other);

/// Describes what is wrong with single elements: which product is missing, counted twice, in the
/// wrong place, or rounded. One sentence each; empty where the data have too many non-zeros to say.
std::vector<std::string> wrong_products(const Witness& witness);

}  // namespace gradproof::findings::diagnosis
