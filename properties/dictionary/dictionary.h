#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <tl/expected.hpp>

namespace gradproof::properties {

/// Integers that a target may compare sizes with, ascending, each once. Sizes of generated cases
/// are drawn from them.
using Dictionary = std::vector<std::int64_t>;

/// Those of a text file: an integer from 1 to 2^31 a line; # begins a comment. Errors: a file that
/// cannot be read or holds none, and FILE:LINE of what is no such integer.
tl::expected<Dictionary, std::string> read_dictionary(const std::filesystem::path& file);

/// What the first of the libraries that exports aclnnConvolutionBackward compares with; none where
/// no library does. Gradproof's own kernel is read where `own_kernel_too`.
Dictionary dictionary_of(std::span<const std::filesystem::path> libraries, bool own_kernel_too);

/// "3 integers, fingerprint 0123456789abcdef": tells one dictionary from another.
std::string in_words(const Dictionary& dictionary);

}  // namespace gradproof::properties
