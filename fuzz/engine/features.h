#pragma once

#include "corpus/case.h"
#include "oracle/status/status_oracle.h"

namespace gradproof::fuzz {

/// Counts what a call is like as libFuzzer counts edges, so that an input that is the first to
/// break a rule, to make use of a permission, to meet two classes of calls or to reach a corner is
/// kept even where the code it runs is known. Nothing happens under other engines.
void mark_features(const corpus::Case& test_case);

/// Returns the ruling of the fuzzed library's profile on a call, whatever its data. Making a case,
/// judging it and marking its features all ask, one after the other, so the last answer is kept; it
/// is valid until another call is asked about.
const oracle::Ruling& ruling_of_call(const corpus::Case& test_case);

}  // namespace gradproof::fuzz
