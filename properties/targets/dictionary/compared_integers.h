#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "properties/targets/dictionary/elf_library.h"

namespace gradproof::properties {

/// Limits of a dictionary's integers: smaller ones are drawn anyway, no size reaches larger ones.
inline constexpr std::int64_t least_compared = 5, most_compared = std::int64_t{1} << 19;
inline constexpr std::size_t most_words = 512;

/// The integers that the code of a library for x86-64 or aarch64 compares with, ascending: the
/// constants of compares and of subtractions whose result is branched on. Those of one byte are
/// characters and flags and left out, and so is what is compared with very often; where more than
/// most_words remain, the rarest do. Code more than 8 MiB away from the address is not read: of a
/// library of all operators, most is of others. Of other processors: none. Depends on the file
/// alone.
std::vector<std::int64_t> compared_integers(const ElfLibrary& library, std::uint64_t around);

}  // namespace gradproof::properties
