#pragma once

#include <optional>
#include <string>

#include "corpus/case.h"
#include "properties/targets/target/target.h"

namespace gradproof::findings::diagnosis {

/// "the target says: ...": the error text that the target gives of the call, run once more. One
/// line, at most 300 bytes, all of them printable. nullopt: the call does not fail, or no text.
std::optional<std::string> own_words(targets::Target& target, const corpus::Case& test_case,
                                     const targets::RunSettings& settings);

}  // namespace gradproof::findings::diagnosis
