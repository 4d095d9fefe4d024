#pragma once

#include <span>
#include <vector>

#include "corpus/case.h"
#include "corpus/observation.h"
#include "properties/targets/session/streams.h"
#include "properties/targets/target/run_settings.h"

namespace gradproof::targets {

/// Cases of one product in flight together: each on its own stream, all phase twos before the
/// first synchronisation. Observations by case, as run_case makes them, without repeats.
///
/// The data must be complete and the memory affordable. Errors: as run_case.
std::vector<corpus::Observation> run_on_streams(Streams& streams,
                                                std::span<const corpus::Case> cases,
                                                const RunSettings& settings);

}  // namespace gradproof::targets
