#pragma once

#include <string>

#include "properties/fingerprint/fingerprint.h"

namespace gradproof::properties {

/// A sentence for each gradient in plain words, and what was not explained, a line each.
std::string fingerprint_text(const Fingerprint& fingerprint);

}  // namespace gradproof::properties
