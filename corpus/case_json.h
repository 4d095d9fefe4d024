#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/case_error.h"

namespace gradproof::corpus {

/// The case on one JSON line. Strict: unknown, repeated and missing keys, wrong types, unknown
/// names and numbers out of range are errors. `line` goes into the error.
tl::expected<Case, CaseError> parse_case(std::string_view text, std::size_t line = 1);

/// The canonical line of a case: keys in a fixed order, keys with default values left out, no line
/// end. parse_case gives the same case back.
std::string to_json_line(const Case& test_case);

/// All cases of a JSON Lines file; empty lines are passed over. The first error ends it.
tl::expected<std::vector<Case>, CaseError> read_cases(const std::filesystem::path& file);

}  // namespace gradproof::corpus
