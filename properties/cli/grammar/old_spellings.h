#pragma once

#include <string>
#include <vector>

namespace gradproof::cli {

/// A command line in the words of this release.
struct Renewed {
  std::vector<std::string> words;
  std::vector<std::string> notes;  ///< a sentence for each old spelling
};

/// Understands what the release before took. The next release does no more.
Renewed renewed(const std::vector<std::string>& words);

}  // namespace gradproof::cli
