#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gradproof::advice {

/// What an operator that a text names is to aclnnConvolutionBackward.
enum class Relation : std::uint8_t {
  Itself,         ///< aclnnConvolutionBackward
  Forward,        ///< aclnnConvolution and its kind
  GraphGradient,  ///< a graph operator that computes a gradient of a convolution
  GraphForward,   ///< a graph operator that computes a convolution
  Framework,      ///< PyTorch's convolution_backward, which torch_npu makes a call of ours
  Another,        ///< no convolution of CANN
};

/// An operator that a text names.
struct NamedOperator {
  std::string name;
  Relation relation = Relation::Another;
  bool in_phase_one = false;
  bool is_kernel = false;  ///< named as the kernel that ran alone
};

/// The operators that a text names, first the one that it says failed. Words of scripts (Conv2d)
/// are no operators.
std::vector<NamedOperator> operators_in(std::string_view text);

/// Words of a text, three at most, that name a convolution by its axes or as transposed:
/// "conv_transpose1d".
std::vector<std::string> convolutions_in(std::string_view text);

/// True where a word has "conv" in it, and is none of "convert" or "conviction".
bool names_convolution(std::string_view text);

std::string_view words_of(Relation relation);

bool is_graph_operator(Relation relation);

/// Libraries and layers that printed parts of the text: "torch_npu", "cuDNN", ...
std::vector<std::string_view> paths_in(std::string_view text);

}  // namespace gradproof::advice
