#include <utility>

#include "corpus/json/json_members.h"
#include "corpus/operators/operator_row.h"

namespace gradproof::corpus {
namespace {

template <typename Json, typename SomeCase, typename Attributes>
void members(Json&& json, SomeCase& test_case, Attributes& attributes) {
  json("groups", test_case.groups);
  json.optional("dataFormat", attributes.data_format);
  json.nullable("pads", attributes.pads);
  json.nullable("strides", attributes.strides);
  json.nullable("dilations", attributes.dilations);
  for (const auto& [key, size] : {std::pair{"inputSize", &attributes.input_size},
                                  std::pair{"filterSize", &attributes.filter_size}}) {
    if (json.has(key, size->has_value())) json.nullable(key, *size);
  }
  json.optional("enableHf32", attributes.enable_hf32);
  json.optional("padMode", attributes.pad_mode);
  json.optional("outputPadding", test_case.output_padding);
}

void read_attributes(JsonObject& object, Case& test_case) {
  members(MemberReader(object), test_case, test_case.attributes.emplace());
}

void write_attributes(nlohmann::ordered_json& json, const Case& test_case) {
  const OperatorAttributes attributes = test_case.attributes.value_or(OperatorAttributes{});
  members(MemberWriter(json), test_case, attributes);
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
