#pragma once

#include <optional>

#include "corpus/case.h"
#include "oracle/status_oracle.h"
#include "properties/explain/change.h"

namespace gradproof::properties {

/// Whether the profile admits success of this call, with values that are defined.
bool admits_success(const corpus::Case& problem, oracle::Profile profile);

/// The first, and so the least, of the single changes that make a legal call of this one; nullopt
/// where it is legal already or no single change suffices. Legal by the rules of the profile and of
/// the documents both, so that nobody is sent to what only one of them allows.
std::optional<Change> nearest_legal_call(const corpus::Case& problem, oracle::Profile profile);

}  // namespace gradproof::properties
