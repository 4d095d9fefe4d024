#pragma once

#include <string>

namespace gradproof::cli {

/// "gradproof 0.3.0 (9ce832f1c3c5)": the commit is that of the sources when they were configured,
/// and missing where they were no clone.
std::string program_version();

}  // namespace gradproof::cli
