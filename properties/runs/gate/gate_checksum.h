#pragma once

#include <cstddef>
#include <optional>

#include "properties/runs/gate/candidate.h"

namespace gradproof::runs {

/// Differences between random sums over a result and the same sums of its products.
struct ChecksumShares {
  /// In standard deviations of what roundings to FLOAT after each addition, in random order, leave.
  double largest = 0, usual = 0;  ///< `usual`: the root of the mean square
  std::size_t sums = 0;
};

/// Looks at every element of gradInput or gradWeight in a time that grows with the operands, not
/// with the products: an element that is quite wrong shows in its sum. nullopt: the result is
/// another.
std::optional<ChecksumShares> checksum_shares(const GateCall& call, corpus::OutputRole role,
                                              const corpus::Observation& seen, Secret& secret);

}  // namespace gradproof::runs
