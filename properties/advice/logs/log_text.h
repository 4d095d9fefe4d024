#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace gradproof::advice {

/// More than this is no paste; it bounds time and memory.
inline constexpr std::size_t largest_log_bytes = std::size_t{12} << 20U;

/// The text as it is searched: UTF-16 and GBK as UTF-8, without a terminal's colours and carriage
/// returns. Errors: a sentence, for a text that is empty, too large or binary.
tl::expected<std::string, std::string> searchable_log(std::string_view text);

/// A part of a log as a terminal may be given it: control characters, marks that turn the direction
/// of writing and bytes that are no UTF-8 are shown as their numbers, and at most `longest` bytes
/// of the log are.
std::string shown(std::string_view part, std::size_t longest = 160);

/// Cuts the process, the time and the operator from the begin of a message of CANN.
std::string_view message_of(std::string_view line);

}  // namespace gradproof::advice
