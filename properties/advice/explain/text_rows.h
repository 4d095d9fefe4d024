#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "corpus/words/language.h"

namespace gradproof::advice {

/// The parts of a text between signs, without blanks at their ends; one may be empty.
inline std::vector<std::string_view> text_parts(std::string_view text, std::string_view sign) {
  std::vector<std::string_view> parts;
  for (std::size_t end = 0; end != text.npos;) {
    end = text.find(sign);
    std::string_view part = text.substr(0, end);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    parts.push_back(part.substr(0, part.find_last_not_of(' ') + 1));
    if (end != text.npos) text.remove_prefix(end + sign.size());
  }
  return parts;
}

/// The rows of a table that is written as text: a line each, with " | " between its `cells`.
inline std::vector<std::vector<std::string_view>> table_rows(std::string_view table,
                                                             std::size_t cells) {
  std::vector<std::vector<std::string_view>> rows;
  for (const std::string_view line : text_parts(table, "\n")) {
    if (line.empty()) continue;
    rows.push_back(text_parts(line, " | "));
    rows.back().resize(cells);
  }
  return rows;
}

/// A cell in both languages: "English || 中文".
inline corpus::Clause clause_of(std::string_view cell) {
  const auto parts = text_parts(cell, " || ");
  return {parts[0], parts.size() > 1 ? parts[1] : parts[0]};
}

}  // namespace gradproof::advice
