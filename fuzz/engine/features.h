#pragma once

#include "corpus/case.h"

namespace gradproof::fuzz {

/// Counts what a call is like as libFuzzer counts edges, so that an input that is the first to
/// break a rule, to make use of a permission, to meet two classes of calls or to reach a corner is
/// kept even where the code it runs is known. Nothing happens under other engines.
void mark_features(const corpus::Case& test_case);

}  // namespace gradproof::fuzz
