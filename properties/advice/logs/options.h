#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "properties/advice/logs/values/names.h"

namespace gradproof::advice {

/// Arguments of a call that stand in a value of their own.
struct CallOptions {
  std::string_view inside;  ///< its brackets
  std::string_view order;   ///< roles of those without a key, blanks between
};

/// Options that a part of `whole` makes or names: "dict(stride=2)", "{'stride': 2}", "Conv2dConfig
/// { stride: 2 }", "ConvOptions::new([2], [1], [1], 1)". nullopt: the text does not say all of
/// them.
std::optional<CallOptions> options_of(std::string_view text, std::string_view whole,
                                      const Names& names);

/// An argument in parts where it is printed for two: Torch7's "3 -> 64", and "7x5" of a kernel.
std::vector<std::string_view> printed_parts(std::string_view text, std::string_view role,
                                            const std::vector<std::string_view>& order);

}  // namespace gradproof::advice
