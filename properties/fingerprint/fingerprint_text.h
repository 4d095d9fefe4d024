#pragma once

#include <string>
#include <vector>

#include "properties/fingerprint/fingerprint.h"

namespace gradproof::properties {

/// A sentence for each gradient in plain words, and what was not explained, a line each.
std::string fingerprint_text(const Fingerprint& fingerprint);

/// "8 lanes, each one product after the other, then neighbours".
std::string words_of(const corpus::SummationTree& tree);

/// What is different in `now`, a sentence each: names the gradient, the field, both values; of a
/// tree that differs also two products that meet in another node.
std::vector<std::string> changes(const corpus::Machine& earlier, const corpus::Machine& now);

}  // namespace gradproof::properties
