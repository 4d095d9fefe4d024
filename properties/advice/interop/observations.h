#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace gradproof::advice {

/// A line of results.jsonl as an observation of a test case in the format of Hypothesis's
/// observability, without its line end. `run_start`: seconds since 1970 at which the run began.
/// Errors: what is wrong with the line.
tl::expected<std::string, std::string> observation_of(std::string_view results_line,
                                                      double run_start);

/// Writes the observations of results files, a line each. A line of results that is given twice
/// counts once, and a last one that is cut off is left out. Errors: a file that cannot be read or
/// written, a line that is none, as FILE:LINE: problem.
std::optional<std::string> write_observations(const std::vector<std::filesystem::path>& results,
                                              const std::filesystem::path& file);

}  // namespace gradproof::advice
