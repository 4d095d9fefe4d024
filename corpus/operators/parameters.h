#pragma once

#include <optional>

#include <nlohmann/json.hpp>

#include "corpus/json/json_object.h"
#include "corpus/tensor_case.h"

namespace gradproof::corpus {

// What several operators' rows read and write.

TensorCase read_tensor(JsonObject object);
nlohmann::ordered_json tensor_json(const std::optional<TensorCase>& tensor);

/// Reads or writes the attributes of a convolution, by a MemberReader or a MemberWriter.
template <typename Json, typename SomeCase>
void convolution_members(Json&& json, SomeCase& test_case) {
  json.nullable("stride", test_case.stride);
  json.nullable("padding", test_case.padding);
  json.nullable("dilation", test_case.dilation);
  json("transposed", test_case.transposed);
  json.nullable("outputPadding", test_case.output_padding);
  json("groups", test_case.groups);
}

/// Reads a number, or a word for one.
std::int8_t read_cube_math_type(JsonObject& object);

}  // namespace gradproof::corpus
