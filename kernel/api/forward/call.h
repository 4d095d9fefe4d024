#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "kernel/api/convolution_rules/call.h"

namespace gradproof::kernel::api::forward {

using operators::Checked;
using parameter_checks::Argument;
using parameter_checks::Ints;
using parameter_checks::ProductSet;

/// Axes of aclnnConvTbc's map [length, batch, channels] as N, C, L, and of its weight [kernel,
/// input channels, output channels] as output channels, input channels, kernel.
using MapAxes = std::array<std::size_t, 3>;
inline constexpr MapAxes tbc_map{1, 2, 0}, tbc_weight{2, 1, 0};

enum class Function : std::uint8_t { Convolution, ConvTbc, ConvDepthwise2d };

/// One call of a forward operator's first phase and the device it is for. Parameters that a
/// function lacks have the values that it computes with (aclnnConvTbc: stride and dilation 1).
struct ForwardCall : parameter_checks::AnyCall {
  Function function = Function::Convolution;
  Argument<Tensor> input{.name = "input"}, weight{.name = "weight"}, bias{.name = "bias"},
      output{.name = "output"};
  Argument<Ints> kernel_size{.name = "kernelSize"}, stride{.name = "stride"},
      padding{.name = "padding"}, dilation{.name = "dilation"};
  bool transposed = false;
  Argument<Ints> output_padding{.name = "outputPadding"};
  std::int64_t groups = 1;
  int cube_math_type = 0;

  bool is_tbc() const { return function == Function::ConvTbc; }
  bool is_depthwise() const { return function == Function::ConvDepthwise2d; }
  bool is_convolution() const { return function == Function::Convolution; }
  bool on_310b() const { return product == device::Product::Ascend310B; }
  bool on_310p() const { return product == device::Product::Ascend310P; }
  bool on_a1() const { return set() == ProductSet::A1; }
  /// Multiplies as Ascend910B does.
  bool on_a23() const { return set() == ProductSet::A23; }

  /// Inputs, then the output.
  std::array<const Argument<Tensor>*, 3> maps() const { return {&input, &weight, &output}; }
  bool any_input_is_empty() const { return is_empty(input) || is_empty(weight); }
};

/// Name in messages, "aclnnConvolution".
std::string_view name_of(Function function);

/// A call for a function: that has its parameters' names and the values of those that it lacks.
ForwardCall call_of(Function function);

/// The dtype that cubeMathType applies to: that of x and w, FLOAT where two wide ones differ;
/// nullopt where an 8-bit type meets another, or one has no dtype of the operator.
std::optional<aclDataType> promoted(const ForwardCall& call);

/// One spatial axis; output_padding is 0 unless transposed.
struct ForwardAxis {
  std::int64_t input = 1, kernel = 1, output = 1;
  std::int64_t stride = 1, dilation = 1, padding_begin = 0, padding_end = 0, output_padding = 0;

  /// Positions that the dilated kernel covers.
  Checked window() const { return (Checked(kernel) - 1) * dilation + 1; }
  Checked padded_input() const { return Checked(input) + padding_begin + padding_end; }
};

/// Shapes whose ranks and lengths of arrays fit each other, with the axes in the order N C D H W.
struct Geometry {
  std::int64_t batch = 1, input_channels = 1, output_channels = 1;  ///< of x and y
  std::int64_t weight_first = 1, weight_second = 1;                 ///< of w
  std::int64_t output_batch = 1;
  std::vector<ForwardAxis> axes;
  std::int64_t groups = 1;

  /// Channels that y must have; nullopt where int64 cannot hold them.
  std::optional<std::int64_t> channels_due(bool transposed) const;
};

/// Reads shapes and arrays by axis; nullopt where a tensor is missing, or has another rank, or an
/// array another length, than the function demands.
std::optional<Geometry> geometry_of(const ForwardCall& call);

/// The length that the call demands of y on an axis; nullopt: stride below 1, or beyond int64.
std::optional<std::int64_t> length_due(const ForwardCall& call, const ForwardAxis& axis);

/// Number of spatial axes, from x; nullopt where the function knows none of its rank.
std::optional<std::size_t> spatial_axes_of(const ForwardCall& call);

/// True if `padding` has a length that the function knows for that number of axes.
bool has_padding_for(const ForwardCall& call, std::size_t axes);

/// Returns 0, or the code of phase one after reporting each rule that the call breaks.
aclnnStatus check(const ForwardCall& call);

}  // namespace gradproof::kernel::api::forward
