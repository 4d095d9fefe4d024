#pragma once

#include <cstdint>

#include "corpus/case.h"
#include "corpus/observation.h"
#include "properties/session/run_case.h"
#include "properties/target/target.h"

namespace gradproof::properties {

/// Beyond this a tiling class is asked, and no kernel run: one element at a time, the simulated
/// cores take seconds.
inline constexpr std::uint64_t most_macs_on_cores = 2'000'000;

/// A gradient that is computed with the tiling: all three tensors are there, and it is not too
/// large.
bool computes_on_cores(const corpus::Case& problem);

/// Tells a tiling class what the case says and asks it for a tiling; its answer is `phase_one`. A
/// kernel written against the class's API then computes the gradient with it, which is `phase_two`,
/// where the tiling fits the local memories of a core.
///
/// A tensor of format NCDHW is told as the class's own private format. The target must have the
/// class (missing_for). A case that no setter can be told is `unsupported`.
corpus::Observation run_tiling(Target& target, const corpus::Case& problem,
                               const RunSettings& settings);

}  // namespace gradproof::properties
