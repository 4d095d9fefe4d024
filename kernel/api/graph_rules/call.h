#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kernel/api/convolution_rules/call.h"

namespace gradproof::kernel::api::graph_checks {

using parameter_checks::Argument;
using parameter_checks::Ints;
using parameter_checks::ProductSet;

enum class Operator : std::uint8_t { InputV2, FilterV2 };

/// "Conv3DBackpropInputV2"
std::string_view name_of(Operator kind);

/// One call of a graph operator's phase one and the device it is for. Both operators speak of the
/// same convolution: what differs is which tensor is the result and what the parameters are called.
/// Predicates on it are total: what the arguments leave undefined is nullopt, or none.
struct Call : parameter_checks::AnyCall {
  explicit Call(Operator operator_kind);

  Operator kind;
  Argument<Tensor> feature;  ///< InputV2: y; FilterV2: x
  Argument<Tensor> filter;   ///< InputV2: filter; FilterV2: y
  Argument<Tensor> out_backprop{.name = "outBackprop"};
  Argument<Ints> size;  ///< InputV2: inputSize; FilterV2: filterSize
  Argument<Ints> strides{.name = "strides"}, pads{.name = "pads"};
  Argument<Ints> dilations{.name = "dilations"};  ///< not given: all ones
  std::int64_t groups = 1;
  std::string data_format = "NDHWC";
  bool enable_hf32 = false;

  const Argument<Tensor>& result() const { return kind == Operator::InputV2 ? feature : filter; }
  /// The tensors read, in the order of the function's parameters.
  std::array<const Argument<Tensor>*, 2> operands() const {
    return {kind == Operator::InputV2 ? &filter : &feature, &out_backprop};
  }
  std::array<const Argument<Tensor>*, 3> tensors() const {
    return {&feature, &filter, &out_backprop};
  }
};

/// The axes of a 5D format, slowest first ("NDHWC"), or empty for any other format.
std::string_view axes_of(aclFormat format);

/// The format that data_format names, or nullopt unless it is NDHWC or NCDHW.
std::optional<aclFormat> data_format_of(const Call& call);

/// Length along N, C, D, H or W, where the tensor has five axes and a 5D format.
std::optional<std::int64_t> length(const Argument<Tensor>& tensor, char axis);

/// The value of strides or dilations for an axis; dilations that are not given are 1. Nullopt where
/// there are not five or data_format has no meaning.
std::optional<std::int64_t> value(const Call& call, const Argument<Ints>& values, char axis);

/// The value of a pad before or after D, H or W.
std::optional<std::int64_t> pad_begin(const Call& call, char axis);
std::optional<std::int64_t> pad_end(const Call& call, char axis);

/// The groups in force: `groups`, or where that is 1 the ratio of the feature map's channels to the
/// filter's. Source: rule G-20.
std::int64_t groups_in_force(const Call& call);

/// One spatial axis, where the call defines all of it and its lengths and stride are positive.
struct SpatialAxis {
  char name;
  std::int64_t stride;
  parameter_checks::AxisSizes sizes;
};
std::optional<SpatialAxis> spatial_axis(const Call& call, char axis);

inline constexpr std::string_view spatial_axes = "DHW";

/// Returns 0, or the code of phase one after reporting each rule that the call breaks.
aclnnStatus check(const Call& call);

}  // namespace gradproof::kernel::api::graph_checks
