#pragma once

#include <cstddef>
#include <exception>
#include <string>

namespace gradproof::corpus {

/// Why a case could not be read: names the culprit so that it can be found and corrected.
struct CaseError {
  std::string file;      ///< empty: not read from a file
  std::size_t line = 0;  ///< 1-based; 0: the file as a whole
  std::string key;       ///< dotted path, e.g. "gradOutput.shape[2]"; empty: the line as a whole
  std::string problem;

  /// "FILE:LINE: key.path: problem".
  std::string text() const;
};

/// Returns the JSON library's complaint about a text that it cannot read, without its own number in
/// brackets: "parse error at line 1, column 7: ...".
inline std::string words_of_json_error(const std::exception& error) {
  const std::string words = error.what();
  const auto end = words.find("] ");
  return words.starts_with("[json.exception.") && end != std::string::npos ? words.substr(end + 2)
                                                                           : words;
}

}  // namespace gradproof::corpus
