#pragma once

#include "corpus/case.h"
#include "oracle/status/status_oracle.h"

namespace gradproof::fuzz {

/// Returns the ruling of the fuzzed library's profile on a call, whatever its data. Making a case,
/// judging it and marking its features all ask, one after the other, so the last answer is kept; it
/// is valid until another call is asked about.
const oracle::Ruling& ruling_of_call(const corpus::Case& test_case);

}  // namespace gradproof::fuzz
