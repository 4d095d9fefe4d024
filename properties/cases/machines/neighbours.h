#pragma once

#include <vector>

#include "corpus/machine/machine.h"

namespace gradproof::cases {

/// Machines that differ from this one in one thing that probes can mistake: the product, a
/// rounding, a bit, the order of children, products that padding leaves out.
std::vector<corpus::GradientMachine> neighbours_of(const corpus::GradientMachine& machine);

}  // namespace gradproof::cases
