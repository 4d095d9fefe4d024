#pragma once

#include <nlohmann/json.hpp>

#include "properties/findings/report/report.h"

namespace gradproof::findings {

/// Converts the report to the document that json_report() writes: docs/report.schema.json.
nlohmann::ordered_json report_document(const Report& report);

nlohmann::ordered_json mode_json(const Mode& mode);

/// JSON has no word for infinity: null.
nlohmann::ordered_json finite_or_null(double value);

}  // namespace gradproof::findings
