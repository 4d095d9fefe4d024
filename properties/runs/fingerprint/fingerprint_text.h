#pragma once

#include <string>

#include "properties/runs/fingerprint/fingerprint.h"

namespace gradproof::runs {

/// Describes how the gradient is computed in plain words; then the evidence and what is not
/// explained, a line each.
std::string sentence_of(const GradientFingerprint& found);

/// Describes each gradient, and why the questions ended early.
std::string fingerprint_text(const Fingerprint& fingerprint);

/// A page without scripts: the sentences, and each measured tree as a picture. Products are at the
/// bottom in the order in which they join, an addition is a bar above what it adds.
std::string fingerprint_page(const Fingerprint& fingerprint);

}  // namespace gradproof::runs
