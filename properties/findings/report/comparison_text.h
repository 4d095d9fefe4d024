#pragma once

#include <string>

#include "properties/findings/report/report.h"

namespace gradproof::findings {

/// A section of Markdown, of at most some 40 lines; empty where nothing earlier was given.
std::string comparison_markdown(const Report& report);

/// Lines for the terminal: what is new, and the trend. Empty as above.
std::string comparison_lines(const Report& report);

}  // namespace gradproof::findings
