#pragma once

#include <nlohmann/json_fwd.hpp>

#include "properties/findings/results/summary.h"

namespace gradproof::findings {

/// All that a summary counts of runs that do not disagree. What disagreements alone have
/// (signatures, examples, wrong statuses) is left out: each of them has a line of its own.
nlohmann::json counts_json(const Summary& summary);

/// Throws JsonMistake or nlohmann::json::exception where it is none.
Summary summary_of_counts(const nlohmann::json& json);

}  // namespace gradproof::findings
