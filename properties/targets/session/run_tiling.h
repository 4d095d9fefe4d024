#pragma once

#include "corpus/case.h"
#include "corpus/observation.h"
#include "properties/targets/session/streams.h"
#include "properties/targets/target/run_settings.h"

namespace gradproof::targets {

/// Tells a tiling class what the case says and asks it for a tiling; its answer is `phase_one`. A
/// kernel written against the class's API then computes the gradient with it, which is `phase_two`,
/// where the tiling fits the local memories of a core.
///
/// A tensor of format NCDHW is told as the class's own private format. The target must have the
/// class (missing_for). A case that no setter can be told is `unsupported`.
corpus::Observation run_tiling(Streams& streams, const corpus::Case& test_case,
                               const RunSettings& settings);

}  // namespace gradproof::targets
