#pragma once

#include <cstddef>
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

/// The line without prompts, keywords and types before a name: ">>> ", "let ", "const int ".
std::string_view without_prefixes(std::string_view line);

/// The sign of an assignment that is in no brackets; npos: there is none.
std::size_t assignment_sign(std::string_view line);

/// The name on the left, "x", "%5", "self.stride"; a type behind a colon is dropped. Empty: none.
std::string_view name_of(std::string_view left);

/// Position of the type or shape behind a name, ": f32[2, 3]", "'s shape: (2, 3)"; npos: none.
std::size_t type_begin(std::string_view line, std::size_t at);

}  // namespace gradproof::advice
