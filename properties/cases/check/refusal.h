#pragma once

#include "corpus/case.h"
#include "corpus/verdict.h"
#include "properties/cases/check/check.h"
#include "properties/targets/target/target.h"

namespace gradproof::cases {

/// Looks again at a legal call that the target refused "for resources" although every published
/// limit has room for it (oracle/status/published_room.h): a disagreement if the target accepts the
/// same call with another mask or in the other mode of determinism, or if it computes calls of
/// these types and this mode and refuses this one for a value of one attribute, or for several
/// together. A target that leaves out a whole kind of calls, such as groups, is no such case: what
/// it lacks, it lacks throughout. Any other verdict comes back as it was.
///
/// Cost: phase one of some 20 calls, where something was refused.
corpus::Verdict looked_at_again(targets::Target& target, const corpus::Case& test_case,
                                const CheckSettings& settings, corpus::Verdict verdict);

}  // namespace gradproof::cases
