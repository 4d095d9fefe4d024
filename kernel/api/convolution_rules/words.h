#pragma once

#include <charconv>
#include <concepts>
#include <span>
#include <string>
#include <string_view>

#include "kernel/api/convolution_rules/call.h"

namespace gradproof::kernel::api::parameter_checks {

/// "FLOAT16"; the bare number where the type has no name.
std::string words(aclDataType type);

/// ", HIFLOAT8, FLOAT8_E4M3FN", the end of a list; `last` stands before its last member.
std::string eight_bit_words(std::string_view last);

/// "NCHW"; the bare number where the format has no name.
std::string words(aclFormat format);

/// "[2, 16, 10, 10]"
std::string words(std::span<const std::int64_t> values);

/// "Ascend910B"
std::string product_words(const Call& call);

inline void append(std::string& text, std::string_view part) { text += part; }
inline void append(std::string& text, const char* part) { text += part; }
inline void append(std::string& text, char part) { text += part; }
void append(std::string& text, const void* part);

template <std::integral Number>
void append(std::string& text, Number part) {
  char digits[24];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), part);
  text.append(std::begin(digits), end.ptr);
}

/// The parts one after the other.
template <typename... Parts>
std::string text(const Parts&... parts) {
  std::string all;
  (append(all, parts), ...);
  return all;
}

}  // namespace gradproof::kernel::api::parameter_checks
