#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "corpus/case_json.h"
#include "corpus/element_encoding.h"
#include "corpus/json/json_text.h"
#include "corpus/operators/operator_row.h"
#include "corpus/operators/parameters.h"

namespace gradproof::corpus {
namespace {

using Json = nlohmann::ordered_json;

Json fill_json(const TensorFill& fill, Distribution distribution) {
  Json json;
  json["density"] = fill.density;
  if (distribution == Distribution::ExactGrid) {
    json["magnitude"] = fill.magnitude;
    json["exponent"] = fill.exponent;
  } else {
    json["exponentLow"] = fill.exponent_low;
    json["exponentHigh"] = fill.exponent_high;
  }
  return json;
}

/// A finite value as a number, everything else (and -0, which readers of numbers tend to lose) as
/// bits.
Json element_json(std::uint64_t bits, DataType dtype) {
  const auto value = decode(dtype, bits);
  const bool plain =
      value && *value - *value == 0 && *value != 0 && encode_exactly(dtype, *value) == bits;
  if (!plain) {
    return fmt::format("0x{:0{}x}", bits, size_bytes(dtype) * 2);
  }
  const bool is_integer = *value == static_cast<double>(static_cast<std::int64_t>(
                                        *value < 0x1p53 && *value > -0x1p53 ? *value : 0.5));
  if (is_integer) return static_cast<std::int64_t>(*value);
  return *value;
}

Json data_json(const Case& test_case) {
  const DataRecipe& recipe = *test_case.data;
  Json json;
  json["seed"] = recipe.seed;
  json["distribution"] = name_of(recipe.distribution);
  if (recipe.distribution == Distribution::Uniform) {
    json["range"] = {recipe.range_low, recipe.range_high};
  }
  for (const InputRole role : input_roles) {
    if (recipe.fills && has_fills(recipe.distribution)) {
      json[std::string(name_of(test_case, role))] =
          fill_json((*recipe.fills)[role], recipe.distribution);
    }
    if (recipe.distribution != Distribution::Listed || !tensor(test_case, role)) continue;
    Json elements = Json::array();
    for (const auto& element : recipe.listed[role]) {
      elements.push_back({element.at, element_json(element.bits, tensor(test_case, role)->dtype)});
    }
    json[std::string(name_of(test_case, role))] = elements;
  }
  return json;
}

Json expectation_json(const Expectation& expectation) {
  Json json;
  json["status"] = code(expectation.status);
  if (expectation.stage) json["stage"] = *expectation.stage;
  if (expectation.profile) json["profile"] = *expectation.profile;
  for (const TilingField& field : expectation.tiling) json["tiling"][field.name] = field.value;
  return json;
}

}  // namespace

std::string to_json_line(const Case& test_case) {
  Json json;
  const OperatorRow& row = row_of(test_case.api);
  json["id"] = test_case.id;
  if (!test_case.source.empty()) json["source"] = test_case.source;
  json["api"] = row.name;
  json["soc"] = test_case.soc;
  if (test_case.soc_exercised) json["socExercised"] = *test_case.soc_exercised;
  for (const InputRole role : input_roles) {
    json[std::string(name_of(test_case, role))] = tensor_json(tensor(test_case, role));
  }
  row.write(json, test_case);
  for (const OutputRole role : output_roles) {
    const bool is_left_out = has_attributes(row.api) && !tensor(test_case, role);
    if (is_left_out || name_of(test_case, role).empty()) continue;
    json[std::string(name_of(test_case, role))] = tensor_json(tensor(test_case, role));
  }
  json["deterministic"] = test_case.deterministic;
  if (!test_case.shape_consistent) json["shapeConsistent"] = false;
  if (test_case.data) json["data"] = data_json(test_case);
  if (test_case.expect) json["expect"] = expectation_json(*test_case.expect);
  return json_text(json);
}

}  // namespace gradproof::corpus
