#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "properties/advice/logs/call_table.h"

namespace gradproof::advice {

/// A name of a row, with the digit of its axes.
struct Spelling {
  const CallRow* row = nullptr;
  std::string text;
  std::size_t axes = 0;
};
using Spellings = std::unordered_map<std::string, std::vector<Spelling>>;

/// All names of the forms Call and Words, by the last word of each.
const Spellings& spellings();

}  // namespace gradproof::advice
