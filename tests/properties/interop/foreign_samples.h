#pragma once

// The samples of docs/interop.md, and what is read from them.

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "properties/advice/interop/imported_cases.h"

namespace gradproof::tests {

using advice::ImportedCases;

inline std::string sample(const std::string& name) {
  std::ifstream stream(std::string(GRADPROOF_SOURCES) + "/docs/examples/interop/" + name);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (text.empty()) throw std::runtime_error(name);
  return text;
}

inline ImportedCases imported(const std::string& text) {
  const auto result = advice::imported_cases(text, "FILE");
  if (!result) throw std::runtime_error("not recognised");
  if (!*result) throw std::runtime_error(result->error().text());
  return **result;
}

}  // namespace gradproof::tests
