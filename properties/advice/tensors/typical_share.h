#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "properties/findings/hypotheses/witness.h"

namespace gradproof::advice {

/// Errors of a result as a share of the errors that a right library shows on such data.
struct TypicalShare {
  /// The largest |computed - exact| as a share of what a right library exceeds in `typical_rate` of
  /// the elements, of each element by its own products, added in sequence in random order.
  double share = 0;
  std::size_t elements = 0;  ///< looked at: all, or as many as have two million products
};

/// Figures for a person, in doubles; no verdict rests on them. `format`: in which the operands were
/// multiplied. `worst`: coordinate N C D H W of an element that is looked at in any case. `seed`:
/// of the sample of a large result. `until`: what was not looked at then is left out. nullopt: no
/// element has a finite sum of products, or `format` is none of the call's.
std::optional<TypicalShare> typical_share(
    const findings::diagnosis::Witness& witness, std::string_view format,
    const std::optional<oracle::Shape>& worst, std::uint64_t seed = 0,
    std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max());

}  // namespace gradproof::advice
