#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <tl/expected.hpp>

namespace gradproof::runs {

/// What is let in: a library with CANN's functions, a function of a Python file, or a program that
/// speaks the pipe's protocol.
struct GateTarget {
  enum class Kind : unsigned char { Library, Python, Program };
  Kind kind = Kind::Library;
  std::filesystem::path file;                  ///< of a program: empty
  std::string function;                        ///< Python alone
  std::string command;                         ///< of a program
  std::vector<std::string> allowed_libraries;  ///< names, or files that it needs
};

/// How a candidate is started, and what it cannot reach.
struct SealedWorld {
  std::string command;           ///< for a shell
  std::string first_line = {};   ///< of a Python host: file, function and folders, by tabs
  std::vector<std::string> own;  ///< begins of names of libraries that are the host's, not its
  std::vector<std::string> interpreter_folders = {};  ///< and its files
};

/// A world of own user, process, mount, network and IPC namespaces by bubblewrap: the system's
/// libraries, the host and the candidate can be read, an empty folder written. `with_names`: a
/// module with the package's names that a function may use, for one that cannot be loaded without.
/// Errors: the file that is missing.
tl::expected<SealedWorld, std::string> world_of(const GateTarget& target, bool with_names);

/// A filter for bubblewrap's --seccomp in a file of this process' memory: threads may begin, no
/// processes; none is traced, nothing mounted, no network reached for. What calls so is sent
/// SIGSYS. Result: its descriptor; -1: none can be made.
int system_call_filter();

/// Describes the system call that ended a candidate whose host left with this exit code; empty:
/// none did.
std::string barred_call(int exit_code);

/// Describes why no such world can be made on this host; empty: it can.
std::string why_no_world();

}  // namespace gradproof::runs
