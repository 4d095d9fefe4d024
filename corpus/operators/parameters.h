#pragma once

#include <optional>

#include <nlohmann/json.hpp>

#include "corpus/json/json_object.h"
#include "corpus/tensor_case.h"

namespace gradproof::corpus {

// What several operators' rows read and write.

TensorCase read_tensor(JsonObject object);
nlohmann::ordered_json tensor_json(const std::optional<TensorCase>& tensor);

/// Reads a number, or a word for one.
std::int8_t read_cube_math_type(JsonObject& object);

}  // namespace gradproof::corpus
