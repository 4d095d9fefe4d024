#pragma once

#include <nlohmann/json.hpp>

#include <vector>

#include "properties/findings/report/earlier_runs.h"

namespace gradproof::findings {

/// Converts a comparison to JSON as report.json holds it (docs/report.schema.json).
nlohmann::ordered_json comparison_json(const Comparison& comparison);
nlohmann::ordered_json trend_json(const std::vector<TrendPoint>& trend);

}  // namespace gradproof::findings
