#pragma once

#include <optional>
#include <span>
#include <string>

#include "corpus/case.h"
#include "corpus/tiling_field.h"

namespace gradproof::oracle {

/// True if a tiling class refuses a case that breaks none of its rules, because nothing fits L1;
/// nullopt where nothing published says.
std::optional<bool> lacks_tiling(const corpus::Case& test_case);

/// Describes what is wrong with a tiling that the rules let GetTiling give: a field with another
/// value than the published search gives it. nullopt: nothing.
std::optional<std::string> flaw_of_tiling(const corpus::Case& test_case,
                                          std::span<const corpus::TilingField> filled);

/// Describes how the tiling contradicts what the case's author states.
std::optional<std::string> flaw_against_expectation(const corpus::Case& test_case,
                                                    std::span<const corpus::TilingField> filled);

}  // namespace gradproof::oracle
