#pragma once

#include <string>

#include "properties/runs/fingerprint/fingerprint.h"

namespace gradproof::runs {

/// A page without scripts: the sentences, and each measured tree as a picture. Products are at the
/// bottom in the order in which they join, an addition is a bar above what it adds.
std::string fingerprint_page(const Fingerprint& fingerprint);

}  // namespace gradproof::runs
