#include "corpus/json/json_members.h"
#include "corpus/operators/operator_row.h"
#include "corpus/operators/parameters.h"

namespace gradproof::corpus {
namespace {

template <typename Json, typename SomeCase>
void members_but_mode(Json&& json, SomeCase& test_case) {
  json.nullable("biasSizes", test_case.bias_sizes);
  convolution_members(json, test_case);
  json.nullable("outputMask", test_case.output_mask);
}

void read_convolution(JsonObject& object, Case& test_case) {
  members_but_mode(MemberReader(object), test_case);
  test_case.cube_math_type = read_cube_math_type(object);
}

void write_convolution(nlohmann::ordered_json& json, const Case& test_case) {
  members_but_mode(MemberWriter(json), test_case);
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
