#pragma once

#include <string>

#include "corpus/case.h"
#include "corpus/verdict.h"
#include "properties/cases/check/check.h"
#include "properties/targets/target/target.h"

namespace gradproof::cases::laws_detail {

/// Changes the call to deterministic mode: only then do the documents promise the same bits for the
/// same call (DET-01), so that the data need not be exact.
corpus::Case in_deterministic_mode(const corpus::Case& test_case);

/// Two calls of one case, each with its own settings: their bits must be the same. `difference`:
/// of the second call, in words.
corpus::Verdict same_bits(targets::Target& target, const corpus::Case& test_case,
                          const CheckSettings& first, const CheckSettings& second,
                          const std::string& difference);

}  // namespace gradproof::cases::laws_detail
