#include "properties/targets/session/run_tiling.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "corpus/element_values.h"
#include "lib/conv_backprop/conv_backprop_types.h"
#include "properties/targets/session/tensor_memory.h"
#include "properties/targets/tiling/tiling_classes.h"

namespace gradproof::targets {
namespace {

using ConvCommonApi::ConvDtype;
using ConvCommonApi::ConvFormat;
using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::Observation;
using corpus::Status;

/// The enumerator for a logical or private format; nullopt where the classes have none.
std::optional<ConvFormat> format_of(Format format, ConvFormat of_ncdhw) {
  switch (format) {
    case Format::Ncdhw:
      return of_ncdhw;
    case Format::Nd:
      return ConvFormat::ND;
    case Format::Nchw:
      return ConvFormat::NCHW;
    case Format::Nhwc:
      return ConvFormat::NHWC;
    case Format::Hwcn:
      return ConvFormat::HWCN;
    case Format::Dhwcn:
      return ConvFormat::DHWCN;
    case Format::Ndhwc:
      return ConvFormat::NDHWC;
    case Format::Nc1hwc0:
      return ConvFormat::NC1HWC0;
    case Format::Ndc1hwc0:
      return ConvFormat::NDC1HWC0;
    case Format::FractalZ3d:
      return ConvFormat::FRACTAL_Z_3D;
    default:
      return std::nullopt;
  }
}

std::optional<ConvDtype> dtype_of(DataType dtype) {
  switch (dtype) {
    case DataType::Float16:
      return ConvDtype::FLOAT16;
    case DataType::Float:
      return ConvDtype::FLOAT32;
    case DataType::BFloat16:
      return ConvDtype::BF16;
    default:
      return std::nullopt;
  }
}

/// Tells the tensor to the class; false: not five axes, or a format or dtype of no class. A tensor
/// that is not there has the default format, and `of_absent` for dtype.
bool tell(const std::optional<corpus::TensorCase>& tensor, ConvFormat of_ncdhw, DataType of_absent,
          TilingOperand& operand) {
  const auto format = tensor ? format_of(tensor->format, of_ncdhw) : of_ncdhw;
  const auto dtype = dtype_of(tensor ? tensor->dtype : of_absent);
  if (!format || !dtype) return false;
  operand.format = static_cast<std::int32_t>(*format);
  operand.dtype = static_cast<std::int32_t>(*dtype);
  if (!tensor) return true;
  operand.has_shape = true;
  if (tensor->shape.size() != operand.shape.size()) return false;
  std::ranges::copy(tensor->shape, operand.shape.begin());
  return true;
}

/// Data type that SetWeightType and its like get where a tensor is not there.
DataType dtype_of_absent(const Case& test_case) {
  const auto& other = test_case.weight ? test_case.weight : test_case.grad_output;
  return other ? other->dtype : DataType::Float16;
}

bool tell_tensors(const Case& test_case, TilingQuestion& it) {
  const DataType absent = dtype_of_absent(test_case);
  const bool dx = corpus::computes_dx(test_case.api);
  const auto& weight = dx ? test_case.weight : test_case.grad_weight;
  const auto& input = dx ? test_case.grad_input : test_case.input;
  const ConvFormat of_input = dx ? ConvFormat::NCDHW : ConvFormat::NDC1HWC0;
  return tell(weight, ConvFormat::FRACTAL_Z_3D, dx ? absent : DataType::Float, it.weight) &&
         tell(test_case.grad_output, ConvFormat::NDC1HWC0, absent, it.grad_output) &&
         tell(input, of_input, absent, it.input);
}

template <std::size_t count>
bool tell(const std::optional<std::vector<std::int64_t>>& values, std::size_t skipped,
          std::array<std::int64_t, count>& target) {
  if (!values) return true;
  if (values->size() != count + skipped) return false;
  std::copy(values->begin() + static_cast<std::ptrdiff_t>(skipped), values->end(), target.begin());
  return true;
}

bool tell_attributes(const Case& test_case, TilingQuestion& it) {
  static const corpus::OperatorAttributes none;
  const auto& attributes = test_case.attributes ? *test_case.attributes : none;
  constexpr std::size_t batch_and_channels = 2;
  it.has_output_padding = test_case.output_padding.has_value();
  const bool has_setter = !it.has_output_padding || corpus::computes_dx(test_case.api);
  return has_setter && test_case.groups == 1 && tell(attributes.pads, 0, it.pads) &&
         tell(attributes.strides, batch_and_channels, it.strides) &&
         tell(attributes.dilations, batch_and_channels, it.dilations) &&
         tell(test_case.output_padding, 0, it.output_padding);
}

/// Question of the case; nullopt where the case says what no setter takes.
std::optional<TilingQuestion> question_of(const Case& test_case) {
  TilingQuestion it;
  if (tell_tensors(test_case, it) && tell_attributes(test_case, it)) return it;
  return std::nullopt;
}

std::string words_of_failure(const CannApi& api, int status) {
  const char* words = api.recent_error_message ? api.recent_error_message() : nullptr;
  return fmt::format("the kernel's launch returned {}{}{}", status, words ? ": " : "",
                     words ? words : "");
}

/// Computes the gradient, as phase two.
void run_on_cores(const CannApi& api, const Case& test_case, const TilingQuestion& question,
                  Observation& seen) {
  const bool dx = corpus::computes_dx(test_case.api);
  const auto run = dx ? api.input_tiling_run : api.filter_tiling_run;
  if (run == nullptr) return;
  const auto role = dx ? corpus::OutputRole::GradInput : corpus::OutputRole::GradWeight;
  const auto grad_output = corpus::element_values(test_case, corpus::InputRole::GradOutput);
  const auto other =
      corpus::element_values(test_case, dx ? corpus::InputRole::Weight : corpus::InputRole::Input);
  auto& output = seen.outputs[role];
  output.before = sentinel_elements(*corpus::tensor(test_case, role));
  output.bits = output.before;
  const HostOperands operands{grad_output.data(), other.data(), output.bits.data()};
  if (const int status = run(&question, &operands)) {
    seen.failure = words_of_failure(api, status);
    return;
  }
  seen.phase_two = seen.synchronise = Status::Success;
}

std::int64_t field_of(const TilingAnswer& answer, std::string_view name) {
  const auto filled = answer.filled();
  const auto found = std::ranges::find(filled, name, &NamedField::name);
  return found == filled.end() ? 0 : found->value;
}

/// The published searches give tilings that a device has no room for. Dx: M and N are counted in
/// blocks of C0, the cube has fractals of 16, so that FLOAT, whose C0 is 8, may take one more row
/// of fractals than L0 holds. Dw: where no block fits, the last one that was tried is the answer.
bool fits_a_core(const Case& test_case, const TilingAnswer& answer) {
  constexpr std::int64_t edge = 16, l0_bytes = 65'536, l0c_bytes = 131'072, l1_bytes = 524'032,
                         sum_bytes = 4;
  const bool dx = corpus::computes_dx(test_case.api);
  const auto bytes = static_cast<std::int64_t>(corpus::size_bytes(test_case.grad_output->dtype));
  const auto field = [&](std::string_view name) { return field_of(answer, name); };
  const auto length = [&](std::string_view name) { return (field(name) + edge - 1) / edge * edge; };
  const std::int64_t m = length("baseM"), n = length("baseN"),
                     k = dx ? field("baseK") : length("baseK");
  const bool fits_l1 = dx || (field("stepKa") * field("baseK") * m * field("al1Pbuffer") +
                              field("bl1Bound") * field("bl1Pbuffer")) *
                                     bytes <=
                                 l1_bytes;
  return m * k * field("al0Pbuffer") * bytes <= l0_bytes &&
         n * k * field("bl0Pbuffer") * bytes <= l0_bytes &&
         m * n * field("cl0Pbuffer") * sum_bytes <= l0c_bytes && fits_l1;
}

}  // namespace

Observation run_tiling(Streams& streams, const Case& test_case, const RunSettings& settings) {
  const auto question = question_of(test_case);
  if (!question)
    return corpus::not_run("no setter of the tiling class can be told what the case says");
  const CannApi& api = streams.api();
  const bool dx = corpus::computes_dx(test_case.api);
  TilingAnswer answer;
  (dx ? api.input_tiling : api.filter_tiling)(&*question, &answer);
  Observation seen;
  seen.phase_one = static_cast<Status>(answer.status);
  seen.out_parameters_untouched = answer.untouched;
  if (!answer.flavours_agree) seen.failure = "GetTiling fills its two structures differently";
  for (const NamedField& field : answer.filled()) seen.tiling.push_back({field.name, field.value});
  const bool wants_values = answer.status == 0 && !settings.status_only && test_case.data &&
                            test_case.shape_consistent && computes_on_cores(test_case) &&
                            fits_a_core(test_case, answer);
  if (wants_values && streams.stream_on(*corpus::product_of(test_case))) {
    run_on_cores(api, test_case, *question, seen);
  }
  return seen;
}

}  // namespace gradproof::targets
