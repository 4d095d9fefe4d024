#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

namespace gradproof::advice {

// Values in another tool's file, JSON or as Python prints them: `[1, 1]`, `(1, 1)`,
// `torch.float16`. Errors: a sentence that shows the value.

/// Converts a text in Python to its value; leaves other text, and every other value, as it is.
nlohmann::json plain_value(const nlohmann::json& given);

/// The member of an object; null: it has none.
nlohmann::json member_of(const nlohmann::json& object, const std::string& key);

/// The member where it is a text; else empty.
std::string text_of(const nlohmann::json& object, const std::string& key);

/// The value for a message: short, and printable whatever its bytes are.
std::string shown(const nlohmann::json& value);

/// A list of integers; one alone stands for itself.
tl::expected<std::vector<std::int64_t>, std::string> integers_of(const nlohmann::json& given);

/// Reads true, "True", 1 and their opposites.
tl::expected<bool, std::string> truth_of(const nlohmann::json& given);

/// Reads an integer; nullopt: no integer, or none of 64 bits.
std::optional<std::int64_t> integer_in(const nlohmann::json& value);

template <typename Integer>
tl::expected<Integer, std::string> integer_of(const nlohmann::json& given) {
  const auto number = integer_in(plain_value(given));
  if (number && std::in_range<Integer>(*number)) return static_cast<Integer>(*number);
  return tl::unexpected(fmt::format("{} is no integer of at most {}", shown(given),
                                    std::numeric_limits<Integer>::max()));
}

}  // namespace gradproof::advice
