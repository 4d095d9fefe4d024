#pragma once

#include <string>
#include <vector>

#include "corpus/machine/machine.h"

namespace gradproof::cases {

/// Describes the differences in `now`, a sentence each: names the gradient, the field, both values;
/// of a tree that differs also two products that meet in another node.
std::vector<std::string> changes(const corpus::Machine& earlier, const corpus::Machine& now);

}  // namespace gradproof::cases
