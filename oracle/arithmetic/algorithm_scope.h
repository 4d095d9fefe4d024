#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "corpus/case.h"
#include "corpus/machine/algorithm.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/arithmetic/error_bound.h"
#include "oracle/arithmetic/judge_settings.h"
#include "oracle/arithmetic/winograd_form.h"
#include "oracle/geometry/geometry.h"

namespace gradproof::oracle {

/// Tiles in which a gradient of a call may be computed.
struct TileForm {
  corpus::Algorithm algorithm = corpus::Algorithm::Direct;
  std::array<const AxisForm*, 3> axes{};  ///< of D, H and W
  bool begins_anywhere = false;           ///< else the first tile begins at the map's origin
  std::string why;                        ///< who says so, as a clause
};

/// Tiles of a Winograd algorithm that the target may use for this gradient: declared, or found by
/// a probe, or those that the released library of Ascend950 takes for such a call. nullopt:
/// it is held to what adding the products themselves gives.
/// A form fits a call of FLOAT whose kernel has 3 taps along H, W or both, without stride or
/// dilation, and 1 along the other axes.
std::optional<TileForm> tiles_admitted(const JudgeSettings& settings, const corpus::Case& test_case,
                                       const Geometry& geometry, corpus::OutputRole role,
                                       const Arithmetic& way);

/// True if tiles are admitted in any of the ways of the gradient: then sums of integers may round
/// though sums of products do not.
bool may_be_in_tiles(const JudgeSettings& settings, const corpus::Case& test_case,
                     corpus::OutputRole role);

/// The bound of any data, gamma * S_w, and how S_w compares with S, the sum of the products'
/// magnitudes, where all operands are alike.
struct TileOutlook {
  std::uint64_t terms = 0;  ///< the largest T
  double gamma = 0;         ///< infinite where there is none
  double least_share = 1, most_share = 1;
  double largest_magnitude = 0;  ///< S_w of operands of magnitude 1 throughout, at most
};
TileOutlook outlook(const TileForm& form, const Geometry& geometry, corpus::OutputRole role,
                    const ErrorBound& bound);

/// Roundings of all transforms: R - T.
std::uint64_t roundings(const TileForm& form);

/// "Winograd F(3x3,2x2)".
std::string words(const TileForm& form);

}  // namespace gradproof::oracle
