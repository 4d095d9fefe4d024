#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace gradproof::findings {

/// Identity of a library's build. Two libraries of one name are the same only if their hashes are.
struct LibraryIdentity {
  std::string path;         ///< absolute
  std::uint64_t bytes = 0;  ///< length of the file
  std::string sha256;       ///< of the file, 64 hexadecimal digits
  std::string build_id;  ///< what the linker noted (NT_GNU_BUILD_ID), hexadecimal; empty: nothing

  friend bool operator==(const LibraryIdentity&, const LibraryIdentity&) = default;
};

/// SHA-256 of the bytes, 64 hexadecimal digits.
std::string sha256_of(std::string_view bytes);

/// Reads the file once. Errors: a file that cannot be read, with the reason.
tl::expected<LibraryIdentity, std::string> identity_of(const std::filesystem::path& library);

}  // namespace gradproof::findings
