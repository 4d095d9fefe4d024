#pragma once

#include <cstdint>
#include <string_view>

namespace gradproof::oracle {

/// Standard that a status is held to: what the documents say, what the released library does, or
/// either; or none, of a function of tensors, which only computes.
enum class Profile : std::uint8_t { Documented, Released, Tolerant, Unruled };

/// "documented", "released", "tolerant", "unruled".
constexpr std::string_view name_of(Profile profile) {
  switch (profile) {
    case Profile::Documented:
      return "documented";
    case Profile::Released:
      return "released";
    case Profile::Unruled:
      return "unruled";
    case Profile::Tolerant:
      break;
  }
  return "tolerant";
}

}  // namespace gradproof::oracle
