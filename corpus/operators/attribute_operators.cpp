#include <utility>

#include "corpus/operators/operator_row.h"
#include "corpus/operators/parameters.h"

namespace gradproof::corpus {
namespace {

void read_attributes(JsonObject& object, Case& test_case) {
  read_groups(object, test_case.groups);
  OperatorAttributes attributes;
  if (object.has("dataFormat")) attributes.data_format = object.text("dataFormat");
  attributes.pads = read_integers_or_null(object, "pads");
  attributes.strides = read_integers_or_null(object, "strides");
  attributes.dilations = read_integers_or_null(object, "dilations");
  if (object.has("inputSize")) attributes.input_size = read_integers_or_null(object, "inputSize");
  if (object.has("filterSize")) {
    attributes.filter_size = read_integers_or_null(object, "filterSize");
  }
  if (object.has("enableHf32")) attributes.enable_hf32 = object.boolean("enableHf32");
  if (object.has("padMode")) attributes.pad_mode = object.text("padMode");
  if (object.has("outputPadding")) test_case.output_padding = object.integers("outputPadding");
  test_case.attributes = std::move(attributes);
}

void write_attributes(nlohmann::ordered_json& json, const Case& test_case) {
  const OperatorAttributes attributes = test_case.attributes.value_or(OperatorAttributes{});
  json["groups"] = test_case.groups;
  if (attributes.data_format) json["dataFormat"] = *attributes.data_format;
  json["pads"] = array_json(attributes.pads);
  json["strides"] = array_json(attributes.strides);
  json["dilations"] = array_json(attributes.dilations);
  if (attributes.input_size) json["inputSize"] = *attributes.input_size;
  if (attributes.filter_size) json["filterSize"] = *attributes.filter_size;
  if (attributes.enable_hf32) json["enableHf32"] = *attributes.enable_hf32;
  if (attributes.pad_mode) json["padMode"] = *attributes.pad_mode;
  if (test_case.output_padding) json["outputPadding"] = *test_case.output_padding;
}

constexpr OperatorRow row(Api api, std::string_view name, CallKind kind, bool computes_dx) {
  const Computed result = kind == CallKind::TilingClass ? Computed::WhereDescribed  //
                                                        : Computed::Always;
  return {.api = api,
          .name = name,
          .kind = kind,
          .operands = {true, !computes_dx, computes_dx},
          .outputs = {computes_dx ? result : Computed::Never,
                      computes_dx ? Computed::Never : result, Computed::Never},
          .read = read_attributes,
          .write = write_attributes};
}

}  // namespace

const std::array<OperatorRow, 4> attribute_rows{
    row(Api::Conv3DBackpropInputV2, "Conv3DBackpropInputV2", CallKind::GraphOperator, true),
    row(Api::Conv3DBackpropFilterV2, "Conv3DBackpropFilterV2", CallKind::GraphOperator, false),
    row(Api::Conv3DBpInputTiling, "Conv3DBpInputTiling", CallKind::TilingClass, true),
    row(Api::Conv3dBpFilterTiling, "Conv3dBpFilterTiling", CallKind::TilingClass, false)};

}  // namespace gradproof::corpus
