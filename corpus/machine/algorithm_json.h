#pragma once

#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

#include "corpus/json/json_object.h"
#include "corpus/machine/machine.h"

namespace gradproof::corpus {

std::optional<OutputRole> gradient_named(std::string_view name);

/// Reads the member `algorithms` of a machine file, if it is there.
void read_algorithms(JsonObject& object, Machine& machine);
nlohmann::ordered_json json_of(const GradientAlgorithm& algorithm);

}  // namespace gradproof::corpus
