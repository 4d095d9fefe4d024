#pragma once

#include <string>

namespace gradproof::findings {

/// The word as a shell must be given it: in quotes where it has anything but plain characters.
std::string shell_word(const std::string& word);

}  // namespace gradproof::findings
