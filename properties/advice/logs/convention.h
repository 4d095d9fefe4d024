#pragma once

#include <span>
#include <string_view>

#include "properties/advice/logs/found_call.h"

namespace gradproof::properties {

/// How another program writes a convolution, and the reader that translates it. docs/logs.md shows
/// the words of each row; a test compares them.
struct Convention {
  std::string_view name;        ///< in FoundCall::notation
  std::string_view looks_like;  ///< what its lines hold
  std::string_view sizes;       ///< which length is which
  std::string_view dilation;
  std::string_view padding;
  std::string_view left_out;  ///< what its lines may leave out, and what that means
  CallReader calls;
};

std::span<const Convention> conventions();

}  // namespace gradproof::properties
