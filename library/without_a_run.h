#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace gradproof::library {

/// The verdict on results that somebody computed, as JSON: `tensors` are the operands' and results'
/// elements, dense; empty for what the call leaves out. Errors: what is wrong with the call or with
/// a tensor's size.
tl::expected<std::string, std::string> judged_tensors(
    std::string_view call, const std::array<std::span<const std::byte>, 6>& tensors);

/// Why the call is refused, or how exact it is. Errors: what is wrong with the call's JSON.
tl::expected<std::string, std::string> explained(std::string_view call, bool as_json);

}  // namespace gradproof::library
