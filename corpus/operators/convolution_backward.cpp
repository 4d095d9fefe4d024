#include "corpus/operators/operator_row.h"
#include "corpus/operators/parameters.h"

namespace gradproof::corpus {
namespace {

void read_convolution(JsonObject& object, Case& problem) {
  read_groups(object, problem.groups);
  problem.bias_sizes = read_integers_or_null(object, "biasSizes");
  problem.stride = read_integers_or_null(object, "stride");
  problem.padding = read_integers_or_null(object, "padding");
  problem.dilation = read_integers_or_null(object, "dilation");
  problem.transposed = object.boolean("transposed");
  problem.output_padding = read_integers_or_null(object, "outputPadding");
  if (!object.reads_null("outputMask")) problem.output_mask = object.booleans("outputMask");
  read_cube_math_type(object, problem.cube_math_type);
}

void write_convolution(nlohmann::ordered_json& json, const Case& problem) {
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
