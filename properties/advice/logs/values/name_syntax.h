#pragma once

#include <cstddef>
#include <string_view>

namespace gradproof::advice {

/// The line without prompts, keywords and types before a name: ">>> ", "let ", "const int ".
std::string_view without_prefixes(std::string_view line);

/// The sign of an assignment that is in no brackets; npos: there is none.
std::size_t assignment_sign(std::string_view line);

/// The name on the left, "x", "%5", "self.stride"; a type behind a colon is dropped. Empty: none.
std::string_view name_of(std::string_view left);

/// Position of the type or shape behind a name, ": f32[2, 3]", "'s shape: (2, 3)"; npos: none.
std::size_t type_begin(std::string_view line, std::size_t at);

}  // namespace gradproof::advice
