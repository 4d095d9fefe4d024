#include "corpus/operators/operator_row.h"
#include "corpus/operators/parameters.h"

namespace gradproof::corpus {
namespace {

void read_convolution(JsonObject& object, Case& test_case) {
  read_groups(object, test_case.groups);
  test_case.bias_sizes = read_integers_or_null(object, "biasSizes");
  test_case.stride = read_integers_or_null(object, "stride");
  test_case.padding = read_integers_or_null(object, "padding");
  test_case.dilation = read_integers_or_null(object, "dilation");
  test_case.transposed = object.boolean("transposed");
  test_case.output_padding = read_integers_or_null(object, "outputPadding");
  if (!object.reads_null("outputMask")) test_case.output_mask = object.booleans("outputMask");
  read_cube_math_type(object, test_case.cube_math_type);
}

void write_convolution(nlohmann::ordered_json& json, const Case& test_case) {
  json["biasSizes"] = array_json(test_case.bias_sizes);
  json["stride"] = array_json(test_case.stride);
  json["padding"] = array_json(test_case.padding);
  json["dilation"] = array_json(test_case.dilation);
  json["transposed"] = test_case.transposed;
  json["outputPadding"] = array_json(test_case.output_padding);
  json["groups"] = test_case.groups;
  json["outputMask"] = array_json(test_case.output_mask);
  json["cubeMathType"] = test_case.cube_math_type;
}

}  // namespace

const OperatorRow convolution_backward_row{
    .api = Api::ConvolutionBackward,
    .name = "aclnnConvolutionBackward",
    .kind = CallKind::Aclnn,
    .operands = {true, true, true},
    .outputs = {Computed::WhereMasked, Computed::WhereMasked, Computed::WhereMasked},
    .documents_views = true,
    .documents_empty_problems = true,
    .read = read_convolution,
    .write = write_convolution};

}  // namespace gradproof::corpus
