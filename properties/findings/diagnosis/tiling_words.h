#pragma once

#include <string>
#include <vector>

#include "corpus/case.h"
#include "properties/cases/check/check.h"
#include "properties/targets/target/target.h"

namespace gradproof::properties::diagnosis {

/// A wrong tiling in words: which fields of it differ from the specification's; empty where none
/// does.
std::vector<std::string> tiling_words(Target& target, const corpus::Case& test_case,
                                      const CheckSettings& settings);

}  // namespace gradproof::properties::diagnosis
