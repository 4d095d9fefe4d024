#pragma once

#include <cstdint>

namespace gradproof::oracle {

/// Which behaviour a status is held to: what the documents say, what the released library does, or
/// either.
enum class Profile : std::uint8_t { Documented, Released, Tolerant };

}  // namespace gradproof::oracle
