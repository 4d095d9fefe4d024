#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "properties/advice/logs/scan.h"

namespace gradproof::properties {

/// "f32[512,256,8,1]{3,2,1,0}": what is in braces is the order in memory, no shape.
struct XlaTensor {
  std::string dtype;
  Integers shape;
};

/// The next tensor; `position` is then behind its first bracket.
std::optional<XlaTensor> tensor_in(std::string_view text, std::size_t& position);

std::vector<XlaTensor> tensors_in(std::string_view text);

/// The results of each line "%name = ...", by name.
using XlaDefinitions = std::map<std::string, std::vector<XlaTensor>, std::less<>>;
XlaDefinitions definitions_of(std::string_view text);

/// The first name, "%1205.0"; empty: there is none.
std::string_view name_of(std::string_view text);

/// "%1205.0" is the first result of %1205.
std::optional<XlaTensor> defined(const XlaDefinitions& definitions, std::string_view name);

/// The integers behind a key such as " stride=", if they are there.
void take_integers(std::optional<std::string>& word, std::string_view line, std::string_view key);

}  // namespace gradproof::properties
