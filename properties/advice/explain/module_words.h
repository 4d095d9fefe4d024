#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "properties/advice/explain/call_from_words.h"

namespace gradproof::advice {

/// True if a text is a convolution of torch.nn as Python prints it: "Conv2d(3, 64, ...".
bool is_module(std::string_view text);

/// Adds to the words what a module says: weight's shape, stride, padding, dilation, groups, whether
/// there is a bias. "Conv2d(3, 64, kernel_size=(7, 7), stride=(2, 2))", "nn.ConvTranspose3d(...)".
/// Words that are there already stay. Errors: a sentence.
std::optional<std::string> add_module(std::string_view text, CallWords& words);

}  // namespace gradproof::advice
