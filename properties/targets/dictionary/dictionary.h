#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace gradproof::properties {

/// Integers that a target may compare sizes with, ascending, each once. Sizes of generated cases
/// are drawn from them.
using Dictionary = std::vector<std::int64_t>;

/// Reads the integers of a text file: an integer from 1 to 2^31 a line; # begins a comment. Errors:
/// a file that cannot be read or holds none, and FILE:LINE of what is no such integer.
tl::expected<Dictionary, std::string> read_dictionary(const std::filesystem::path& file);

/// Reads the integers of a line, "5,63"; nullopt: it is no list of such integers.
std::optional<Dictionary> listed_dictionary(std::string_view text);

/// Integers that the first of the libraries that exports aclnnConvolutionBackward compares with;
/// none where no library does. Gradproof's own kernel is read where `own_kernel_too`.
Dictionary dictionary_of(std::span<const std::filesystem::path> libraries, bool own_kernel_too);

}  // namespace gradproof::properties
