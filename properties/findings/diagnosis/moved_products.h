#pragma once

#include <string>
#include <vector>

#include "corpus/case.h"
#include "corpus/verdict.h"
#include "properties/findings/diagnosis/diagnosis_settings.h"

namespace gradproof::findings::diagnosis {

/// Describes where along each axis a large call fails, whose listed elements are few: they are
/// moved together, so that the same products meet at another batch item, channel or position, and
/// the call is run. "wrong at columns of gradOutput from 18 on, all else as in this call (agrees:
/// 0, 9, 17; wrong: 18, 19)". Where both channels and places of the sum matter, a partial sum is
/// what is wrong. Nothing along axes on which it fails everywhere, or on small calls, whose sizes
/// the shrinker has made as small as the fault allows.
std::vector<std::string> where_products_are_wrong(targets::Target& target,
                                                  const corpus::Case& shrunk,
                                                  const corpus::Verdict& verdict,
                                                  const DiagnosisSettings& settings);

}  // namespace gradproof::findings::diagnosis
