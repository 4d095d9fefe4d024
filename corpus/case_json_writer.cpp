#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "corpus/case_json.h"
#include "corpus/element_encoding.h"

namespace gradproof::corpus {
namespace {

using Json = nlohmann::ordered_json;

Json tensor_json(const std::optional<TensorCase>& tensor) {
  if (!tensor) return nullptr;
  Json json;
  json["shape"] = tensor->shape;
  json["dtype"] = name_of(tensor->dtype);
  json["format"] = name_of(tensor->format);
  if (tensor->strides) json["strides"] = *tensor->strides;
  if (tensor->offset != 0) json["offset"] = tensor->offset;
  if (tensor->storage_shape) json["storageShape"] = *tensor->storage_shape;
  return json;
}

template <typename Values>
Json array_json(const std::optional<Values>& values) {
  if (!values) return nullptr;
  return *values;
}

void write_call(Json& json, const Case& problem) {
  json["biasSizes"] = array_json(problem.bias_sizes);
  json["stride"] = array_json(problem.stride);
  json["padding"] = array_json(problem.padding);
  json["dilation"] = array_json(problem.dilation);
  json["transposed"] = problem.transposed;
  json["outputPadding"] = array_json(problem.output_padding);
  json["groups"] = problem.groups;
  json["outputMask"] = array_json(problem.output_mask);
  json["cubeMathType"] = problem.cube_math_type;
}

void write_operator_attributes(Json& json, const Case& problem) {
  const OperatorAttributes attributes = problem.attributes.value_or(OperatorAttributes{});
  json["groups"] = problem.groups;
  if (attributes.data_format) json["dataFormat"] = *attributes.data_format;
  json["pads"] = array_json(attributes.pads);
  json["strides"] = array_json(attributes.strides);
  json["dilations"] = array_json(attributes.dilations);
  if (attributes.input_size) json["inputSize"] = *attributes.input_size;
  if (attributes.filter_size) json["filterSize"] = *attributes.filter_size;
  if (attributes.enable_hf32) json["enableHf32"] = *attributes.enable_hf32;
  if (attributes.pad_mode) json["padMode"] = *attributes.pad_mode;
  if (problem.output_padding) json["outputPadding"] = *problem.output_padding;
}

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

Json data_json(const Case& problem) {
  const DataRecipe& recipe = *problem.data;
  Json json;
  json["seed"] = recipe.seed;
  json["distribution"] = name_of(recipe.distribution);
  if (recipe.distribution == Distribution::Uniform) {
    json["range"] = {recipe.range_low, recipe.range_high};
  }
  for (const InputRole role : input_roles) {
    const auto index = static_cast<std::size_t>(role);
    if (recipe.fills && has_fills(recipe.distribution)) {
      json[std::string(name_of(role))] = fill_json((*recipe.fills)[index], recipe.distribution);
    }
    if (recipe.distribution != Distribution::Listed || !tensor(problem, role)) continue;
    Json elements = Json::array();
    for (const auto& element : recipe.listed[index]) {
      elements.push_back({element.at, element_json(element.bits, tensor(problem, role)->dtype)});
    }
    json[std::string(name_of(role))] = elements;
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

std::string to_json_line(const Case& problem) {
  Json json;
  const bool is_aclnn = problem.api == Api::ConvolutionBackward;
  json["id"] = problem.id;
  if (!problem.source.empty()) json["source"] = problem.source;
  json["api"] = name_of(problem.api);
  json["soc"] = problem.soc;
  if (problem.soc_exercised) json["socExercised"] = *problem.soc_exercised;
  for (const InputRole role : input_roles) {
    json[std::string(name_of(role))] = tensor_json(tensor(problem, role));
  }
  is_aclnn ? write_call(json, problem) : write_operator_attributes(json, problem);
  for (const OutputRole role : output_roles) {
    if (!is_aclnn && !tensor(problem, role)) continue;
    json[std::string(name_of(role))] = tensor_json(tensor(problem, role));
  }
  json["deterministic"] = problem.deterministic;
  if (!problem.shape_consistent) json["shapeConsistent"] = false;
  if (problem.data) json["data"] = data_json(problem);
  if (problem.expect) json["expect"] = expectation_json(*problem.expect);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace gradproof::corpus
