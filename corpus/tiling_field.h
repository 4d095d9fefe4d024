#pragma once

#include <cstdint>
#include <string>

namespace gradproof::corpus {

/// One number of the structure that a tiling class fills, by its name there: {"baseM", 256}.
struct TilingField {
  std::string name;
  std::int64_t value = 0;

  friend bool operator==(const TilingField&, const TilingField&) = default;
};

}  // namespace gradproof::corpus
