#pragma once

#include <optional>
#include <string>

#include "corpus/case.h"
#include "properties/cases/check/check.h"
#include "properties/targets/target/target.h"

namespace gradproof::findings::diagnosis {

/// "output equals the exact result without the bias": what a forward call did with its bias, where
/// one such thought accounts for the whole output of the small call and of the original.
std::optional<std::string> bias_words(targets::Target& target, const corpus::Case& shrunk,
                                      const corpus::Case& original,
                                      const cases::CheckSettings& settings);

}  // namespace gradproof::findings::diagnosis
