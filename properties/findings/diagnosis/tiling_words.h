#pragma once

#include <string>
#include <vector>

#include "corpus/case.h"
#include "properties/cases/check/check.h"
#include "properties/targets/target/target.h"

namespace gradproof::findings::diagnosis {

/// A wrong tiling in words: which fields of it differ from the specification's; empty where none
/// does.
std::vector<std::string> tiling_words(targets::Target& target, const corpus::Case& test_case,
                                      const cases::CheckSettings& settings);

}  // namespace gradproof::findings::diagnosis
