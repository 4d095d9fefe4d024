#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <tl/expected.hpp>

namespace gradproof::cli {

/// "500ms", "60s", "5m", "2h", or seconds without a unit. Errors: a sentence without the option's
/// name.
tl::expected<std::chrono::milliseconds, std::string> parse_duration(std::string_view text);

/// A count: "300", "2e7", "1.5e6".
tl::expected<std::uint64_t, std::string> parse_count(std::string_view text);

/// Bytes: "65536", "64M" (or "64MB", "64MiB"; a K is 1024), "1.5G".
tl::expected<std::uint64_t, std::string> parse_bytes(std::string_view text);

/// "yes" or "no".
tl::expected<bool, std::string> parse_yes_no(std::string_view text);

/// The value of one of the words. Errors: all of them.
template <typename Value>
tl::expected<Value, std::string> value_among(
    std::string_view text, std::initializer_list<std::pair<std::string_view, Value>> words) {
  std::string known;
  for (const auto& [word, value] : words) {
    if (text == word) return value;
    known += (known.empty() ? "" : ", ") + std::string(word);
  }
  return tl::unexpected(fmt::format("\"{}\" is none of {}", text, known));
}

/// The parts between commas; an empty one is an error.
tl::expected<std::vector<std::string>, std::string> parse_list(std::string_view text);

}  // namespace gradproof::cli
