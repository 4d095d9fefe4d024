#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "corpus/case.h"

namespace gradproof::corpus {

/// Way in which the elements of a gradient are computed.
enum class Algorithm : std::uint8_t {
  Direct,       ///< the products of an element, added
  SplitSums,    ///< the same in parts that are added at the end: one more order of addition
  Winograd3x2,  ///< F(3x3,2x2), of gradWeight
  Winograd3x4,  ///< F(3x3,4x4), of gradWeight
  Winograd2x3,  ///< F(2x2,3x3), of gradInput
  Winograd4x3,  ///< F(4x4,3x3), of gradInput
  Unknown,      ///< whichever: held to what a direct one is, until a probe finds more
};

constexpr bool is_winograd(Algorithm algorithm) {
  return algorithm >= Algorithm::Winograd3x2 && algorithm <= Algorithm::Winograd4x3;
}

inline constexpr std::array winograd_algorithms{Algorithm::Winograd3x2, Algorithm::Winograd3x4,
                                                Algorithm::Winograd2x3, Algorithm::Winograd4x3};

/// Name in a machine file: "direct", "split_sums", "winograd_f3x3_2x2" ...
std::string_view name_of(Algorithm algorithm);

/// Algorithm of one gradient, in every call that it can be used in.
struct GradientAlgorithm {
  OutputRole gradient = OutputRole::GradInput;
  Algorithm algorithm = Algorithm::Direct;
  /// True if tiles may begin anywhere; else they do at the map's origin.
  bool tiles_anywhere = false;
  /// Fewest channels a group, of either map, of the calls that are computed so.
  std::int64_t least_channels = 1;

  friend bool operator==(const GradientAlgorithm&, const GradientAlgorithm&) = default;
};

/// Reason why this algorithm computes no such gradient, in a sentence; nullopt: it does.
std::optional<std::string> impossibility(const GradientAlgorithm& algorithm);

}  // namespace gradproof::corpus
