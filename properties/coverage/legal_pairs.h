#pragma once

#include <cstddef>
#include <string_view>

namespace gradproof::properties {

/// Why no legal call has both classes (indices of `call_classes`, of different dimensions): the
/// rule that forbids it. Empty: the pair is legal, and a campaign must hit it.
std::string_view why_illegal(std::size_t left, std::size_t right);

}  // namespace gradproof::properties
