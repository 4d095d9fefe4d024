#pragma once

// Cases of our own as other tools write them.

#include <nlohmann/json.hpp>

#include <map>
#include <string>

#include "corpus/case.h"
#include "corpus/words/spelling.h"

namespace gradproof::tests {

using Json = nlohmann::json;

/// ATK's word for a dtype.
inline std::string atk_dtype(corpus::DataType type) {
  static const std::map<corpus::DataType, std::string> words{{corpus::DataType::Float, "fp32"},
                                                             {corpus::DataType::Float16, "fp16"},
                                                             {corpus::DataType::BFloat16, "bf16"}};
  return words.at(type);
}

inline Json atk_tensor(const char* name, const corpus::TensorCase& tensor,
                       const corpus::DataRecipe& data) {
  return {{"name", name},
          {"type", "tensor"},
          {"required", true},
          {"dtype", atk_dtype(tensor.dtype)},
          {"shape", tensor.shape},
          {"range_values", {data.range_low, data.range_high}},
          {"outlier_values", nullptr}};
}

inline Json atk_attribute(const char* name, const Json& value) {
  return {{"name", name}, {"type", "attr"}, {"shape", nullptr}, {"range_values", value}};
}

inline Json atk_list(const char* name, const Json& values) {
  Json parts = Json::array();
  for (const Json& value : values) parts.push_back(atk_attribute(name, value));
  return parts;
}

inline Json atk_case(const corpus::Case& one, std::uint64_t id) {
  Json inputs{atk_tensor("gradOutput", *one.grad_output, *one.data),
              atk_tensor("input", *one.input, *one.data),
              atk_tensor("weight", *one.weight, *one.data),
              atk_list("biasSizes", *one.bias_sizes),
              atk_list("stride", *one.stride),
              atk_list("padding", *one.padding),
              atk_list("dilation", *one.dilation),
              atk_attribute("transposed", one.transposed),
              atk_list("outputPadding", *one.output_padding),
              atk_attribute("groups", one.groups),
              atk_list("outputMask", *one.output_mask),
              atk_attribute("cubeMathType", one.cube_math_type),
              atk_attribute("format", name_of(one.input->format))};
  return {{"id", id}, {"name", "any"}, {"aclnn_name", "ConvolutionBackward"}, {"inputs", inputs}};
}

/// A list as Python prints it.
inline std::string python_of(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  if (!value.is_array())
    return value.is_string() ? "'" + value.get<std::string>() + "'" : value.dump();
  std::string text = "(";
  for (const Json& item : value) text += python_of(item) + ",";
  return text + ")";
}

inline const std::string ttk_header =
    "testcase_name,api_name,tensor_view_shapes,tensor_dtypes,tensor_formats,attributes,"
    "output_tensor_indexes,input_data_ranges\n";

inline std::string ttk_row(const corpus::Case& one) {
  Json shapes = Json::array(), dtypes = shapes, formats = shapes;
  for (const auto* tensor : {&one.grad_output, &one.input, &one.weight, &one.grad_input,
                             &one.grad_weight, &one.grad_bias}) {
    shapes.push_back((*tensor)->shape);
    dtypes.push_back(corpus::plain_spelling(name_of((*tensor)->dtype)));
    formats.push_back(name_of((*tensor)->format));
  }
  const std::string attributes =
      "{'biasSizes': " + python_of(*one.bias_sizes) + ", 'stride': " + python_of(*one.stride) +
      ", 'padding': " + python_of(*one.padding) + ", 'dilation': " + python_of(*one.dilation) +
      ", 'transposed': " + python_of(one.transposed) +
      ", 'outputPadding': " + python_of(*one.output_padding) +
      ", 'groups': " + python_of(one.groups) + ", 'outputMask': " + python_of(*one.output_mask) +
      ", 'cubeMathType': " + python_of(one.cube_math_type) + "}";
  return one.id + ",aclnnConvolutionBackward,\"" + python_of(shapes) + "\",\"" + python_of(dtypes) +
         "\",\"" + python_of(formats) + "\",\"" + attributes + "\",\"(3,4,5)\",\"((-1,1),)\"\n";
}

}  // namespace gradproof::tests
