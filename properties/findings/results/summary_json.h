#pragma once

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include "properties/findings/results/summary.h"
#include "properties/findings/results/tolerance.h"

namespace gradproof::findings {

/// All that a summary counts of runs that do not disagree. What disagreements alone have
/// (signatures, examples, wrong statuses) is left out: each of them has a line of its own.
nlohmann::json counts_json(const Summary& summary);

/// Throws JsonMistake or nlohmann::json::exception where it is none.
Summary summary_of_counts(const nlohmann::json& json);

/// A mode in lines of sums: [soc, dtypes, cubeMathType].
inline nlohmann::json saved_mode(const Mode& mode) {
  return {mode.soc, mode.dtypes, mode.cube_math_type};
}

/// Throws nlohmann::json::exception where it is none.
inline Mode restored_mode(const nlohmann::json& saved) {
  return {saved.at(0).get<std::string>(), saved.at(1).get<std::string>(), saved.at(2).get<int>()};
}

}  // namespace gradproof::findings
