#pragma once

#include <string>
#include <string_view>

#include "oracle/status_oracle.h"
#include "properties/report/run_record.h"

namespace gradproof::properties {

/// "documented", "released", "tolerant".
std::string_view name_of(oracle::Profile profile);

/// The line of results.jsonl for one run, without its line end. A number that JSON has no word for
/// is null; keys that do not apply are left out.
std::string results_line(const RunRecord& record, std::string_view target, oracle::Profile profile);

}  // namespace gradproof::properties
