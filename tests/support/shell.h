#pragma once

#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

namespace gradproof::tests {

/// The result of a command.
struct Ran {
  int code = -1;       ///< 1000 and the signal, where one ended it
  std::string output;  ///< standard output and error together

  std::string last_line() const {
    const std::string text = output.substr(0, output.find_last_not_of('\n') + 1);
    return text.substr(text.find_last_of('\n') + 1);
  }
};

/// Runs a command line by the shell, in a folder.
inline Ran run_in_shell(const std::string& command, const std::filesystem::path& folder = ".") {
  const std::string line = "cd '" + folder.string() + "' && ( " + command + " ) 2>&1";
  FILE* const pipe = ::popen(line.c_str(), "r");
  if (pipe == nullptr) throw std::system_error(errno, std::generic_category(), command);
  Ran ran;
  std::array<char, 4096> piece{};
  while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), pipe)) {
    ran.output.append(piece.data(), count);
  }
  const int status = ::pclose(pipe);
  ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  return ran;
}

}  // namespace gradproof::tests
