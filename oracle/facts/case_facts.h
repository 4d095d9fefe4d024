#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "corpus/case.h"
#include "oracle/facts/operator_facts.h"
#include "oracle/facts/spatial_axis.h"

namespace gradproof::oracle {

/// Products that the rules treat alike.
enum class ProductClass : std::uint8_t {
  A1,           ///< Ascend310P, Ascend910: 1D and 2D, no empty tensors
  A23,          ///< Ascend910B, Ascend910_93
  A5,           ///< Ascend950: 8-bit floats
  Unsupported,  ///< Ascend310, Ascend310B
};

ProductClass class_of(corpus::Product product);

/// "Ascend310P, Ascend910".
std::string names_of_products(ProductClass products);

/// Chapters of the specification that a call falls under.
enum class Path : std::uint8_t {
  Ordinary,         ///< channels, batch and shapes are related to each other
  EmptyInput,       ///< A23, A5: input or weight has no elements
  EmptyGradOutput,  ///< A23, A5: gradOutput alone has no elements
  EmptyOnA1,        ///< A1: any of the three has no elements
};

/// Facts that several rules ask of one case, worked out once. Pointers are null where the case
/// passes a null pointer; they and `test_case` point into the case, which must outlive the facts.
/// Units: lengths and strides in elements. Later members build on earlier ones; what a null pointer
/// or an overflow leaves undefined is false, 0 or nullopt, and a rule asks for that first.
struct Facts {
  const corpus::Case& test_case;
  corpus::Product product;
  ProductClass product_class;
  Path path = Path::Ordinary;

  const corpus::TensorCase *grad_output, *input, *weight;
  const corpus::TensorCase *grad_input, *grad_weight, *grad_bias;
  const std::vector<std::int64_t>*bias_sizes, *stride, *padding, *dilation, *output_padding;

  /// The larger and the smaller feature map of the underlying ordinary convolution.
  const corpus::TensorCase *big, *small;

  bool mask_is_known = false;       ///< outputMask is there and has three elements
  std::array<bool, 3> requested{};  ///< by OutputRole; false where the mask is not known
  bool any_is_empty = false;        ///< gradOutput, input or weight has no elements
  std::size_t rank = 0;             ///< of input, where that is 3, 4 or 5; else 0
  std::optional<corpus::DataType> promoted = {};  ///< what the three inputs are promoted to
  bool has_8_bit_input = false;                   ///< gradOutput, input or weight is an 8-bit float

  // Whether the array has a length that the rules allow; false without an array or a rank.
  bool stride_fits = false, padding_fits = false, dilation_fits = false;
  bool output_padding_fits = false;

  /// gradOutput, input and weight have one rank, 3 to 5; padding and dilation fit. Only then are
  /// `axes` filled in.
  bool axes_are_known = false;
  SpatialAxes axes = {};

  /// weight.C * groups, the channels of `big`; nullopt where there is no such number or it
  /// overflows.
  std::optional<std::int64_t> grouped_channels = {};
  /// Arithmetic that a rule of this case's path needs leaves int64.
  bool arithmetic_overflows = false;

  /// Facts of a graph operator or a tiling class for its rules. For every call but
  /// aclnnConvolutionBackward only the pointers to tensors, the product and `promoted` of the above
  /// mean anything.
  std::optional<OperatorFacts> graph = {};

  /// Number of spatial axes, 1 to 3, for rank 3 to 5; `rank` must not be 0.
  std::size_t spatial_rank() const { return rank - 2; }
  bool is_requested(corpus::OutputRole role) const {
    return requested[static_cast<std::size_t>(role)];
  }
  /// True if `big` is gradOutput and `small` is input.
  bool transposed() const { return test_case.transposed; }
  std::array<const corpus::TensorCase*, 3> inputs() const { return {grad_output, input, weight}; }
  std::array<const corpus::TensorCase*, 3> outputs() const {
    return {grad_input, grad_weight, grad_bias};
  }
};

/// The facts of a case whose `soc` is this product (or, for a graph operator or a tiling class with
/// an unknown soc, any unsupported product). Precondition: no length is negative.
Facts facts_of(const corpus::Case& test_case, corpus::Product product);

/// True if one of its axes has length 0.
bool is_empty(const corpus::TensorCase& tensor);

/// True if both are there, of one rank, and have a batch and a channel axis.
bool are_paired(const corpus::TensorCase* left, const corpus::TensorCase* right);

/// Axes 0 and 1, which the tensor must have; of a weight they are output channels and input
/// channels of a group.
inline std::int64_t batch_of(const corpus::TensorCase& tensor) { return tensor.shape[0]; }
inline std::int64_t channels_of(const corpus::TensorCase& tensor) { return tensor.shape[1]; }

}  // namespace gradproof::oracle
