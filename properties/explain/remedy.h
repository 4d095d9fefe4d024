#pragma once

#include <string>
#include <vector>

#include "corpus/case.h"
#include "oracle/status_oracle.h"

namespace gradproof::properties {

/// One change of a call, in words: "stride[0] = 1 instead of 0".
struct Remedy {
  std::string words;
  corpus::Case problem;  ///< the call changed
};

/// Single changes after which the profile admits success and nothing else, the least first, at most
/// three; each was put to the oracle. `grad_output_follows`: gradOutput's shape is nobody's wish
/// and goes with the change. Empty where the call is legal, or one change does not suffice.
std::vector<Remedy> remedies(const corpus::Case& problem, bool grad_output_follows,
                             oracle::Profile profile);

/// Whether the profile admits success alone, with values that mean something.
bool is_certainly_legal(const corpus::Case& problem, oracle::Profile profile);

}  // namespace gradproof::properties
