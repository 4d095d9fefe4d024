#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <tl/expected.hpp>

namespace gradproof::advice {

/// Reads a file of a tensor whole. Errors: a sentence with its name.
tl::expected<std::string, std::string> bytes_of_file(const std::string& file);

/// The begin of a plain file, which holds any header, and the file's length.
struct FileBegin {
  std::string bytes;
  std::uintmax_t file_bytes = 0;
};

/// Reads the begin of a file. nullopt: it is empty, no plain file, or can't be read.
std::optional<FileBegin> begin_of_file(const std::string& file);

}  // namespace gradproof::advice
