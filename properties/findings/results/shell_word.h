#pragma once

#include <string>

namespace gradproof::findings {

/// Quotes a word for a shell where it has anything but plain characters. What comes back may be
/// printed whatever the word holds.
std::string shell_word(const std::string& word);

}  // namespace gradproof::findings
