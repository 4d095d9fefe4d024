#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gradproof::corpus {

/// Function or operator that a case calls. Each has a row in operators/operator_row.h.
enum class Api : std::uint8_t {
  ConvolutionBackward,     ///< aclnnConvolutionBackward
  Conv3DBackpropInputV2,   ///< graph operator
  Conv3DBackpropFilterV2,  ///< graph operator
  Conv3DBpInputTiling,     ///< Ascend C tiling class
  Conv3dBpFilterTiling,    ///< Ascend C tiling class
  ConvTbcBackward,         ///< aclnnConvTbcBackward
  Convolution,             ///< aclnnConvolution
  ConvTbc,                 ///< aclnnConvTbc
  ConvDepthwise2d,         ///< aclnnConvDepthwise2d
};

std::string_view name_of(Api api);
std::optional<Api> api_named(std::string_view name);

/// True for Conv3DBackpropInputV2 and Conv3DBackpropFilterV2.
bool is_graph_operator(Api api);

/// True for one of Ascend C's tiling classes, whose tiling a kernel computes a gradient with.
bool is_tiling_class(Api api);

/// Takes OperatorAttributes: a graph operator or a tiling class.
bool has_attributes(Api api);

/// True if the one result of an API that has attributes is dx; else it is dw.
bool computes_dx(Api api);

/// True for a forward operator, whose result is conv(x, w) + b. That is dx of the convolution in
/// the other direction, so its case keeps x as gradOutput, w as weight, b as input and the result
/// as gradInput.
bool is_forward(Api api);

}  // namespace gradproof::corpus
