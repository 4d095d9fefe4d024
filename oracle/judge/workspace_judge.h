#pragma once

#include <optional>
#include <string>

#include "corpus/case.h"
#include "corpus/observation.h"

namespace gradproof::oracle {

/// Says what is wrong with the workspace that a successful phase one asks for: more than any way to
/// compute the call can need and any device has. No machine can run such a call, so it would go
/// unjudged.
std::optional<std::string> problem_with_workspace(const corpus::Case& test_case,
                                                  const corpus::Observation& observation);

}  // namespace gradproof::oracle
