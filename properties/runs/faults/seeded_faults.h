#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <tl/expected.hpp>

namespace gradproof::runs {

/// A fault that the kernel with faults has, by name.
struct SeededFault {
  std::string name;
  std::string quantity;                ///< what a diagnosis should name
  std::string file;                    ///< of the kernel, relative to kernel/
  std::string profile = "documented";  ///< in which it shows
  std::string api = {};  ///< functions to ask for, apart by commas; empty: the usual ones

  friend bool operator==(const SeededFault&, const SeededFault&) = default;
};

/// The kernel's libraries that faults can be seeded in: a folder `with_faults` next to the
/// simulated backend's own. Errors: where they were looked for.
tl::expected<std::vector<std::filesystem::path>, std::string> libraries_with_faults();

/// The faults that these libraries know. Errors: the linker's words.
tl::expected<std::vector<SeededFault>, std::string> seeded_faults(
    const std::vector<std::filesystem::path>& libraries);

}  // namespace gradproof::runs
