#pragma once

#include <optional>

#include "properties/findings/report/report_table.h"
#include "properties/findings/results/summary.h"

namespace gradproof::findings {

/// Bit equality by what may differ between two calls, of the claims that a run was asked to check;
/// nullopt: none. Accuracy is no part of it.
std::optional<ReportTable> claims_table(const Summary& summary);

}  // namespace gradproof::findings
