#pragma once

#include <nlohmann/json.hpp>

#include "corpus/verdict.h"

namespace gradproof::findings {

/// Converts a verdict to the JSON that callers of libgradproof and `gradproof judge --json` read:
/// outcome, kind, law, reason, culprit, and for each output how it compares ("outputs", by name).
nlohmann::ordered_json verdict_json(const corpus::Verdict& verdict);

}  // namespace gradproof::findings
