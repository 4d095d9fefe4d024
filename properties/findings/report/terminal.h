#pragma once

#include <string>

#include "properties/findings/report/report.h"

namespace gradproof::findings {

/// A few sentences in lines of at most 80 columns: the verdict with its scope, what was not judged
/// and why, what that excludes of further cases.
std::string terminal_report(const Report& report);

/// Everything for a person: counts with their reasons, disagreements by signature, and how near
/// each precision mode came to its bound, all of the residual risk. Computes nothing.
std::string terminal_tables(const Report& report);

}  // namespace gradproof::findings
