#pragma once

#include <string>
#include <vector>

#include "corpus/case.h"
#include "properties/check/check.h"
#include "properties/target/target.h"

namespace gradproof::properties::diagnosis {

/// A wrong tiling in words: which fields of it differ from the specification's; empty where none
/// does.
std::vector<std::string> tiling_words(Target& target, const corpus::Case& problem,
                                      const CheckSettings& settings);

}  // namespace gradproof::properties::diagnosis
