#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "properties/cases/laws/law.h"

namespace gradproof::cases {

/// One thing in which calls may differ while their bits are the same, where a library claims so.
struct Axis {
  std::string_view name, claim;
  std::array<std::string_view, 3> laws;  ///< that look at it; empty: no more
};

/// The axes of all claims.
std::span<const Axis> axes_of_claims();

/// Laws that hold only of a library that claims so: none is drawn for others.
std::span<const Law> claim_laws();

/// True if a library may claim that.
bool is_claim(std::string_view name);

/// The laws of the axes of these claims.
std::vector<const Law*> laws_of_claims(std::span<const std::string> claims);

}  // namespace gradproof::cases
