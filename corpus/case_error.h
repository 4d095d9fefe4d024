#pragma once

#include <cstddef>
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

}  // namespace gradproof::corpus
