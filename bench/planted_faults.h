#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "oracle/status/profile.h"

namespace gradproof::bench {

enum class FaultGroup : unsigned char { Seeded, Museum, Mutant };

std::string_view name_of(FaultGroup group);

/// Half of the faults, by a fixed hash of their names. What is drawn and how is chosen with one
/// half alone, and what that gains is shown on the other one.
enum class FaultHalf : unsigned char { Choosing, Showing };

std::string_view name_of(FaultHalf half);

/// A kernel with a mistake in it.
struct PlantedFault {
  std::string name;
  FaultGroup group = FaultGroup::Seeded;
  FaultHalf half = FaultHalf::Choosing;
  std::vector<std::filesystem::path> libraries;  ///< in the order in which they are loaded
  std::string seeded;                            ///< what GRADPROOF_FAULT is; empty: not set
  oracle::Profile profile = oracle::Profile::Documented;  ///< in which it shows
};

/// Every seeded fault, those of the museum among them. Errors: the libraries with faults are not
/// built, or cannot be asked.
tl::expected<std::vector<PlantedFault>, std::string> seeded_faults_by_half();

/// The kernels that `./dev mutate --libraries` left in this folder. Errors: what is not as it
/// leaves it.
tl::expected<std::vector<PlantedFault>, std::string> mutants_in(
    const std::filesystem::path& folder);

}  // namespace gradproof::bench
