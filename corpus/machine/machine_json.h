#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "corpus/case_error.h"
#include "corpus/json/json_object.h"
#include "corpus/machine/machine.h"

namespace gradproof::corpus {

/// The machine of a machine.json. Strict, as cases are: unknown and missing keys, wrong types,
/// unknown names and impossible trees are errors that name the key.
tl::expected<Machine, CaseError> parse_machine(std::string_view text);

/// Reads a machine from a file. Errors: also a file that cannot be read.
tl::expected<Machine, CaseError> read_machine(const std::filesystem::path& file);

/// The text of machine.json, indented, with a line end. parse_machine gives the same machine back.
std::string to_json(const Machine& machine);

std::optional<OutputRole> gradient_named(std::string_view name);

/// Reads the member `algorithms` of a machine file, if it is there.
void read_algorithms(JsonObject& object, Machine& machine);
nlohmann::ordered_json json_of(const GradientAlgorithm& algorithm);

}  // namespace gradproof::corpus
