#pragma once

#include "corpus/case.h"
#include "corpus/observation.h"
#include "properties/targets/session/streams.h"
#include "properties/targets/target/run_settings.h"

namespace gradproof::targets {

/// Runs both phases of one case and observes what they show. This is the only code that calls
/// CANN's functions for a case.
///
/// Inputs are placed with `problem.data`, which must be complete (oracle/recipes/recipe_plan.h). A
/// case that asks for determinism runs twice, with other workspace contents the second time.
/// Everything allocated is freed. A graph operator or a tiling class that the target lacks is
/// `unsupported`. Errors: none; what went wrong around the operator is in `unsupported` or
/// `failure`.
corpus::Observation run_case(Streams& streams, const corpus::Case& test_case,
                             const RunSettings& settings);

}  // namespace gradproof::targets
