#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "corpus/json_object.h"
#include "corpus/tensor_case.h"

namespace gradproof::corpus {

// What several operators' rows read and write.

/// Reads integers; null means that a null pointer is passed.
std::optional<std::vector<std::int64_t>> read_integers_or_null(JsonObject& object,
                                                               std::string_view key);
TensorCase read_tensor(JsonObject object);
void read_groups(JsonObject& object, std::int32_t& groups);
void read_cube_math_type(JsonObject& object, std::int8_t& mode);

nlohmann::ordered_json tensor_json(const std::optional<TensorCase>& tensor);

template <typename Values>
nlohmann::ordered_json array_json(const std::optional<Values>& values) {
  if (!values) return nullptr;
  return *values;
}

}  // namespace gradproof::corpus
