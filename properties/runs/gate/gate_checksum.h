#pragma once

#include <cstddef>
#include <optional>

#include "properties/runs/gate/candidate.h"

namespace gradproof::runs {

/// Differences between random sums over a result and the same sums of its products.
struct ChecksumShares {
  /// In standard deviations of what roundings to FLOAT after each addition, in random order, leave.
  double largest = 0, usual = 0;  ///< `usual`: the root of the mean square
  std::size_t sums = 0;           ///< that are independent
};

/// Looks at every element of a result in a time that grows with the operands, not with the
/// products: an element that is quite wrong shows in its sum. nullopt: nothing can be said of calls
/// of this kind.
std::optional<ChecksumShares> checksum_shares(const GateCall& call, corpus::OutputRole role,
                                              const corpus::Observation& seen, Secret& secret);

}  // namespace gradproof::runs
