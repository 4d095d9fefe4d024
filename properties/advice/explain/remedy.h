#pragma once

#include <vector>

#include "corpus/case.h"
#include "oracle/status/status_oracle.h"
#include "properties/advice/explain/change.h"

namespace gradproof::advice {

/// True if the profile admits success alone, with values that mean something.
bool is_certainly_legal(const corpus::Case& test_case, oracle::Profile profile);

/// Single changes of a refused call that make it legal, the least first, at most three; where none
/// does, the first two changes together that do. What
/// follows from a change (gradOutput's shape, the gradients) goes with it where the change alone
/// does not suffice. Each is put to the oracle: legal by the rules of the profile and of the
/// documents both, so that no remedy is one that only one of them allows. Empty where the call is
/// legal, or two changes do not suffice.
std::vector<Change> remedies(const corpus::Case& test_case, oracle::Profile profile);

}  // namespace gradproof::advice
