#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gradproof::fuzz {

/// The result of a program of runtime and aclnn calls.
struct CallSequence {
  std::vector<std::string> steps;      ///< in words, those that could be done
  std::optional<std::string> failure;  ///< where the runtime did not follow its model, at the last
};

/// Bytes of one step: which, and up to three choices.
inline constexpr std::size_t step_bytes = 4;

/// Carries out the program that the bytes say, on a device that is as new. Total: what cannot be
/// done where it stands is left out.
CallSequence carry_out(std::span<const std::uint8_t> bytes);

/// The shortest program that fails as well, by leaving steps out; the program itself if it does not
/// fail.
std::vector<std::uint8_t> shortened(std::vector<std::uint8_t> bytes);

}  // namespace gradproof::fuzz
