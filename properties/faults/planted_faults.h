#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <tl/expected.hpp>

namespace gradproof::properties {

/// A fault that the kernel with faults has, by name.
struct PlantedFault {
  std::string name;
  std::string quantity;  ///< what a diagnosis should name
  std::string file;      ///< of the kernel, relative to kernel/

  friend bool operator==(const PlantedFault&, const PlantedFault&) = default;
};

/// The kernel's libraries that faults can be planted in: a folder `with_faults` next to the
/// simulated backend's own. Errors: where they were looked for.
tl::expected<std::vector<std::filesystem::path>, std::string> libraries_with_faults();

/// The faults that these libraries know. Errors: the linker's words.
tl::expected<std::vector<PlantedFault>, std::string> planted_faults(
    const std::vector<std::filesystem::path>& libraries);

}  // namespace gradproof::properties
