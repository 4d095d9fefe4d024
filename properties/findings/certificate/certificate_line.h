#pragma once

#include <string>

#include "oracle/arithmetic/judge_settings.h"
#include "properties/findings/provenance/provenance.h"
#include "properties/findings/results/run_record.h"

namespace gradproof::findings {

/// The head of a certificate, as members of a JSON object: what was judged, by which program, and
/// what the bounds assume of additions.
std::string certificate_head(const Provenance& provenance, const std::string& command,
                             oracle::Adder adder);

/// One verdict and what it rests on, likewise. The proof is worked out here, so it takes about as
/// long as the verdict did. Outputs that the verdict does not attest, and elements about which
/// nothing can be said, are left out.
std::string certificate_line(const RunRecord& record, const oracle::JudgeSettings& settings);

}  // namespace gradproof::findings
