#pragma once

#include <filesystem>
#include <string_view>

#include <tl/expected.hpp>

#include "corpus/case_error.h"
#include "properties/runs/prove/scope.h"

namespace gradproof::runs {

/// The scope that a name stands for (`small`, `blocks`), or the one in this file. Errors: the file,
/// and the key or the place in it.
tl::expected<Scope, corpus::CaseError> scope_named(const std::filesystem::path& name_or_file);

/// The scope in a JSON text: docs/prove.md has its keys. Strict: unknown and repeated keys, values
/// out of range and ranges that are empty are errors.
tl::expected<Scope, corpus::CaseError> parse_scope(std::string_view text);

}  // namespace gradproof::runs
