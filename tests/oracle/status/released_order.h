#pragma once

#include "corpus/case.h"
#include "corpus/status.h"

namespace gradproof::oracle {

/// The released library's checks one after the other, in the order that the specification observed
/// (its section 4): a second transcription, by another route, of what the rules' released column
/// says rule by rule. Ranges, resources and arithmetic overflow are left out.
corpus::Status status_in_released_order(const corpus::Case& test_case);

}  // namespace gradproof::oracle
