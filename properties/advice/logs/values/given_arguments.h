#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "properties/advice/logs/values/value.h"

namespace gradproof::advice {

using GivenArguments = std::vector<Argument>;

/// The arguments that a text gives to a function whose head stands from `begin` to `end`: of
/// "f(x, w)", "grad(f)(x, w)", "model(x)" where model is an object of the class that holds
/// "forward". nullopt: it is not called, or in several ways.
std::optional<GivenArguments> arguments_given(std::string_view text, std::string_view function,
                                              std::size_t begin, std::size_t end);

/// Arguments of the bracket behind the closing one: of "grad(f)(x)"; nullopt: none follows.
std::optional<GivenArguments> arguments_behind(std::string_view text, std::size_t close);

}  // namespace gradproof::advice
