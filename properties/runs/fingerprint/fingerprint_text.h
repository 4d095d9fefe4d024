#pragma once

#include <string>

#include "properties/runs/fingerprint/fingerprint.h"

namespace gradproof::runs {

/// Describes how the gradient is computed in plain words; then the evidence and what is not
/// explained, a line each.
std::string sentence_of(const GradientFingerprint& found);

/// Describes each gradient, and why the questions ended early.
std::string fingerprint_text(const Fingerprint& fingerprint);

}  // namespace gradproof::runs
