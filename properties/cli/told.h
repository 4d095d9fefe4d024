#pragma once

#include <string_view>

namespace gradproof::cli {

/// Writes a sentence to the standard error, as a terminal may be given it. A stream that takes
/// nothing is no failure: the exit code says the same.
void tell(std::string_view sentence, std::string_view before = "gradproof: ");

}  // namespace gradproof::cli
