#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "bench/planted_faults.h"
#include "properties/generators/selection.h"

namespace gradproof::bench {

/// What is drawn, and when a fault counts as not found.
struct HuntSettings {
  properties::Selection selection;
  std::uint64_t seed = 1;
  double seconds = 10;  ///< of processor time
};

/// Runs of cases by what they show: a recipe of data, a law, or the status alone.
struct Spent {
  std::uint64_t runs = 0;
  double seconds = 0;  ///< of processor time
};

/// More than there are recipes and laws.
inline constexpr std::size_t most_sorts = 96;

/// "status", the name of a recipe, "tiling RECIPE" or "law NAME"; empty beyond the last.
std::string name_of_sort(std::size_t sort);

/// How a campaign without its records, in one process, went about one fault.
struct Hunt {
  bool found = false;
  double start = 0;         ///< processor seconds until the libraries and the generator were ready
  double seconds = 0;       ///< of processor time, from then on
  std::uint64_t cases = 0;  ///< runs of cases, as `gradproof verify` counts them; the finding's too
  std::size_t sort = 0;     ///< of the run that found it
  std::string by;           ///< the verdict's signature, or how the process ended
  std::array<Spent, most_sorts> spent{};
};

/// Generates cases and holds the faulty kernel to them until one disagrees or the time is over, in
/// a process of its own; what ends that process, hangs it or fills the memory is found too. Errors:
/// libraries that cannot be used.
tl::expected<Hunt, std::string> hunt_for(const PlantedFault& fault, const HuntSettings& settings);

}  // namespace gradproof::bench
