#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include <tl/expected.hpp>

namespace gradproof::corpus {

/// Reads a file whole, or its first `most` bytes; "-" is the standard input. Errors: what is wrong
/// with the file, to stand after its name: it is a folder or a device (/dev/zero never ends), or
/// why it can't be opened or read.
tl::expected<std::string, std::string> file_contents(const std::filesystem::path& file,
                                                     std::size_t most = std::string::npos);

}  // namespace gradproof::corpus
