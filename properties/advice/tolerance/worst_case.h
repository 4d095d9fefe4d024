#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/machine/machine.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/numbers/dense.h"

namespace gradproof::advice {

/// A call with data that a correct kernel computes as wrongly as its bound allows, in one element.
struct WorstCase {
  corpus::Case call;   ///< with its data, complete
  oracle::Shape at{};  ///< the element, in N C D H W
  /// The element's factors as they are in memory, in the machine's order; of gradBias the second
  /// is 1. Zeros for products that meet padding and have a place.
  struct Factors {
    double grad_output = 0, other = 0;
  };
  std::vector<Factors> factors = {};
  double exact = 0;      ///< the sum of their products, to half a unit of double
  double magnitude = 0;  ///< the sum of their magnitudes
};

/// The machine that adds the products one after the other in FLOAT, each rounded before. No order
/// loses more: its worst case attains the bound that holds for every order.
corpus::GradientMachine sequential_machine(corpus::OutputRole role);

/// The worst case of one gradient of a legal call, whose magnitudes are at most `largest`, which is
/// from 2^-20 to 2^20. `call` is asked for this gradient alone (narrow_call). Errors: a sentence
/// (a sum too long, an explicit tree for another sum).
tl::expected<WorstCase, std::string> worst_case(const corpus::Case& call, corpus::OutputRole role,
                                                const corpus::GradientMachine& machine,
                                                const oracle::Arithmetic& arithmetic,
                                                double largest);

/// The products of the element as they are multiplied: operands converted. In the machine's order.
std::vector<double> converted_products(const WorstCase& worst, corpus::OutputRole role,
                                       const oracle::Arithmetic& arithmetic);

/// Result for the element by a kernel that adds in FLOAT in the machine's order; nullopt where
/// additions are not to nearest even with 24 bits.
std::optional<double> computed_in_order(const WorstCase& worst,
                                        const corpus::GradientMachine& machine,
                                        const oracle::Arithmetic& arithmetic);

}  // namespace gradproof::advice
