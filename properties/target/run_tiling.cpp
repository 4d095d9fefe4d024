#include "properties/target/run_tiling.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "lib/conv_backprop/conv_backprop_types.h"
#include "properties/target/simulated_backend.h"
#include "properties/target/tiling_classes.h"

namespace gradproof::properties {
namespace {

using ConvCommonApi::ConvDtype;
using ConvCommonApi::ConvFormat;
using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::Observation;
using corpus::Status;
using corpus::TensorCase;
using Ask = decltype(&gradproof_ask_input_tiling);

Observation unsupported(std::string reason) {
  Observation seen;
  seen.unsupported = std::move(reason);
  return seen;
}

Ask find_ask() {
  // In this program, where it is linked in.
  constexpr const char* name = "gradproof_ask_input_tiling";
  if (void* linked = ::dlsym(RTLD_DEFAULT, name)) return reinterpret_cast<Ask>(linked);
  for (const auto& folder : simulated_library_folders()) {
    const auto file = folder / "libgradproof_tiling_classes.so";
    void* handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) continue;
    return reinterpret_cast<Ask>(::dlsym(handle, name));
  }
  return nullptr;
}

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

/// Sets one tensor of the question; false where it has no five axes or an unknown format.
bool tell(const std::optional<TensorCase>& tensor, ConvFormat of_ncdhw, bool& has,
          std::array<std::int64_t, 5>& shape, std::int32_t& format) {
  format = static_cast<std::int32_t>(of_ncdhw);
  if (!tensor) return true;
  const auto known = format_of(tensor->format, of_ncdhw);
  if (!known || tensor->shape.size() != 5) return false;
  has = true;
  format = static_cast<std::int32_t>(*known);
  std::ranges::copy(tensor->shape, shape.begin());
  return true;
}

template <std::size_t count>
bool tell(const std::optional<std::vector<std::int64_t>>& values, std::size_t skipped,
          std::array<std::int64_t, count>& target) {
  if (!values) return true;
  if (values->size() != count + skipped) return false;
  std::copy(values->begin() + static_cast<std::ptrdiff_t>(skipped), values->end(), target.begin());
  return true;
}

/// nullopt where the case says what no setter takes.
std::optional<TilingQuestion> question_of(const Case& problem) {
  static const corpus::OperatorAttributes none;
  const auto& attributes = problem.attributes ? *problem.attributes : none;
  TilingQuestion it;
  const auto& typed = problem.weight ? problem.weight : problem.grad_output;
  const auto dtype = dtype_of(typed ? typed->dtype : DataType::Float16);
  const bool shapes =
      tell(problem.weight, ConvFormat::FRACTAL_Z_3D, it.has_weight, it.weight, it.weight_format) &&
      tell(problem.grad_output, ConvFormat::NDC1HWC0, it.has_grad_output, it.grad_output,
           it.grad_output_format) &&
      tell(problem.grad_input, ConvFormat::NCDHW, it.has_input, it.input, it.input_format);
  constexpr std::size_t batch_and_channels = 2;
  const bool arrays = tell(attributes.pads, 0, it.pads) &&
                      tell(attributes.strides, batch_and_channels, it.strides) &&
                      tell(attributes.dilations, batch_and_channels, it.dilations) &&
                      tell(problem.output_padding, 0, it.output_padding);
  if (!dtype || !shapes || !arrays || problem.groups != 1) return std::nullopt;
  it.dtype = static_cast<std::int32_t>(*dtype);
  it.has_output_padding = problem.output_padding.has_value();
  return it;
}

}  // namespace

Observation run_tiling(Target& target, const Case& problem) {
  if (target.library().name() != simulated_name) {
    return unsupported("tiling classes are asked of the simulated backend only");
  }
  static const Ask ask = find_ask();
  const bool has_class = problem.api == corpus::Api::Conv3DBpInputTiling;
  if (!has_class || ask == nullptr) {
    return unsupported(
        fmt::format("the simulated backend has no class {}", corpus::name_of(problem.api)));
  }
  const auto question = question_of(problem);
  if (!question) return unsupported("no setter of the tiling class can be told what the case says");
  TilingAnswer answer;
  ask(&*question, &answer);
  Observation seen;
  seen.phase_one = static_cast<Status>(answer.status);
  seen.out_parameters_untouched = answer.untouched;
  if (!answer.flavours_agree) seen.failure = "GetTiling fills its two structures differently";
  return seen;
}

}  // namespace gradproof::properties
