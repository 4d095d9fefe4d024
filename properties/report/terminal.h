#pragma once

#include <string>

#include "properties/results/summary.h"

namespace gradproof::properties {

/// The report for a person: counts with their reasons, disagreements by signature, and how near
/// each precision mode came to its bound. Renders what the summary holds and computes nothing.
std::string terminal_report(const Summary& summary);

}  // namespace gradproof::properties
