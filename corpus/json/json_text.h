#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace gradproof::corpus {

/// Writes JSON whatever bytes its strings have: those that are no UTF-8 become U+FFFD, where the
/// library's own writer would throw. `indent`: blanks for each level; -1: one line.
template <typename Json>
std::string json_text(const Json& value, int indent = -1, bool as_ascii = false) {
  return value.dump(indent, ' ', as_ascii, Json::error_handler_t::replace);
}

}  // namespace gradproof::corpus
