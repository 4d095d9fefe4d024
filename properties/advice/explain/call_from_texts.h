#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "corpus/case.h"

namespace gradproof::advice {

/// A call as a person types it: "2,3,224,224" and the like, not yet understood.
struct CallTexts {
  std::optional<std::string> api = {};  ///< whose call; aclnnConvolutionBackward
  std::optional<std::string> input, weight, grad_output;
  std::optional<std::string> stride, padding, dilation, output_padding, groups, transposed;
  std::optional<std::string> bias, bias_sizes, mask, dtype, format, cube_math_type;

  /// True if any of them was given.
  bool any() const;
};

/// The call, with PyTorch's defaults for what is missing: stride 1, padding 0, dilation 1, groups
/// 1, every gradient requested (gradBias only with --bias), FLOAT, NC... formats; a
/// single value of an attribute stands for every axis. gradOutput's shape follows from the rest
/// where it is not given. A forward operator's call has gradOutput's words for its output. Errors:
/// the option, what it was given, what it takes.
tl::expected<corpus::Case, std::string> call_from_texts(const CallTexts& words);

/// True if a text begins like a call in one line: "input:2,3,8,8 ...".
bool is_call_line(std::string_view text);

/// Adds to the words what a line of `key:value` says; the keys are the options' names without
/// dashes, and `soc`. A word without a key belongs to the value before it, as in "input:(2, 3, 8)".
/// Members that are there already stay. Errors: a sentence.
std::optional<std::string> add_call_line(std::string_view line, CallTexts& words,
                                         std::optional<std::string>& soc);

/// The words as such a line, on a product of that name.
std::string call_line(const CallTexts& words, std::string_view soc);

}  // namespace gradproof::advice
