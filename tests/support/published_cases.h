#pragma once

#include <filesystem>
#include <string>

namespace gradproof::tests {

/// A file of corpus/cases/published; of what is packed there, the copy that the build unpacked.
/// Link gradproof_published_cases.
inline std::filesystem::path published_file(const std::string& name) {
  const auto stored = std::filesystem::path(GRADPROOF_PUBLISHED_CASES) / name;
  if (std::filesystem::exists(stored)) return stored;
  return std::filesystem::path(GRADPROOF_UNPACKED_CASES) / name;
}

}  // namespace gradproof::tests
