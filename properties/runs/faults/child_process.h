#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gradproof::runs {

/// End of a program.
struct ProcessEnd {
  std::optional<int> exit_code;  ///< nullopt: a signal ended it, or it took too long
  std::string words;             ///< "exit code 3", "killed by signal 11", "still ran after 90 s"
  std::string last_output;       ///< the last line that it wrote, to either stream
};

/// Runs a program to its end with these variables added to this process's environment. One that
/// takes longer than `limit` is killed.
ProcessEnd run_process(const std::vector<std::string>& words,
                       const std::vector<std::pair<std::string, std::string>>& environment,
                       std::chrono::milliseconds limit);

}  // namespace gradproof::runs
