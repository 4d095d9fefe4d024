#pragma once

#include <nlohmann/json_fwd.hpp>

#include "properties/cases/coverage/coverage.h"

namespace gradproof::findings {

/// Coverage by the places of this program's tables, as in lines of results.
nlohmann::json coverage_json(const cases::Coverage& coverage);

/// Throws JsonMistake or nlohmann::json::exception where it is none of this program's.
cases::Coverage coverage_of_json(const nlohmann::json& saved);

}  // namespace gradproof::findings
