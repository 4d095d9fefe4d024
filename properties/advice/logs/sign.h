#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gradproof::advice {

/// What a text is about. In the order in which kinds are named.
enum class LogKind : std::uint8_t {
  OtherOperator,
  OutOfMemory,
  Installation,
  GraphOperator,
  GraphCapture,  ///< of an NPU graph: a call that cannot be captured, or its end
  VersionLimit,
  Product,
  DeviceFault,  ///< of a kernel or the device, after all checks
  Runtime,      ///< the runtime was called wrongly: an argument, a handle, a context
  Crash,
  Parameter,  ///< a parameter was refused, and the text says which or returns such a status
  Framework,  ///< refused by a framework before any device
  Precision,
  Call,  ///< holds a call, whole or in part
  Unknown,
};

std::string_view words_of(LogKind kind);

/// A phrase by which a text is understood.
struct Sign {
  std::string_view phrase;          ///< a pattern (pattern.h), in small letters
  std::string_view also;            ///< on the same line; empty: nothing more
  LogKind kind = LogKind::Unknown;  ///< Unknown: it says none
  std::string_view rule;            ///< that the message states, in its own words; empty: none
  std::string_view meaning;         ///< for a person; {0} is the pattern's first number
  std::string_view next;            ///< what to do
};

std::span<const Sign> all_signs();

/// A sign and where it is in a text.
struct FoundSign {
  const Sign* sign = nullptr;
  std::size_t line = 0;
  std::string meaning;
  std::string_view text;  ///< the line, as it is in the log
};

/// The first place of each sign.
std::vector<FoundSign> signs_in(std::string_view text);

}  // namespace gradproof::advice
