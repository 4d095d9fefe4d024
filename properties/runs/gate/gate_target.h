#pragma once

#include <chrono>
#include <memory>

#include "properties/runs/gate/candidate.h"
#include "properties/targets/target/target.h"

namespace gradproof::runs {

/// The candidate as shrinker, diagnosis and laws ask a target, by cases with data of their own. No
/// call takes longer than 2 s or beyond `until`; once one is not answered, none is asked any more.
std::unique_ptr<targets::Target> target_of(Candidate& candidate,
                                           std::chrono::steady_clock::time_point until);

/// The call as a case whose data are its operands, element by element.
corpus::Case listed_case(const GateCall& call);

/// The call of a case whose operands are all there and have data.
GateCall call_of(const corpus::Case& test_case);

}  // namespace gradproof::runs
