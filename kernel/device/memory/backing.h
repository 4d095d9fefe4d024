#pragma once

#include <cstddef>

namespace gradproof::kernel::device {

/// Content of fresh and freed device memory: NaN in every floating-point format that gradients have
/// but HIFLOAT8, and never a plausible result there either.
constexpr std::byte poison{0xFF};

/// Host memory of that many bytes, contents unspecified, or nullptr. A multiple of the page size.
std::byte* map_pages(std::size_t bytes);

/// Host memory that reads as poison everywhere and takes up no memory until it is written, or
/// nullptr.
std::byte* map_poisoned_pages(std::size_t bytes);

void unmap_pages(std::byte* pages, std::size_t bytes);

}  // namespace gradproof::kernel::device
