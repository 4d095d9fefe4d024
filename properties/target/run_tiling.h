#pragma once

#include "corpus/case.h"
#include "corpus/observation.h"
#include "properties/target/target.h"

namespace gradproof::properties {

/// Tells a tiling class what the case says and asks it for a tiling; its answer is `phase_one`.
///
/// A tensor of format NCDHW is told as the class's own private format. The classes are the
/// simulated backend's: with any other target the case is `unsupported`, as is one that no setter
/// can be told.
corpus::Observation run_tiling(Target& target, const corpus::Case& problem);

}  // namespace gradproof::properties
