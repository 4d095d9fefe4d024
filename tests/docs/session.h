#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/docs/page.h"

namespace gradproof::docs {

/// Where the session finds what it runs.
struct Build {
  std::filesystem::path project;  ///< the sources
  std::filesystem::path binary;   ///< the build folder
  std::filesystem::path program;  ///< gradproof
};

/// What a command did. Its code is -1 where the session ended before it.
struct Ran {
  int code = -1;
  std::vector<std::string> output;
};

/// A folder that looks like a clone of the project after its build, in which one shell runs
/// commands one after the other. Gone with the object.
class Session {
 public:
  explicit Session(const Build& build);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Runs `commands` in order; what one exports, the next one has.
  std::vector<Ran> run(const std::vector<std::string>& commands) const;

  /// Whether the project, as the session sees it, has this path.
  bool has(const std::string& path) const;

 private:
  void lay_out_project(const Build& build) const;
  void lay_out_build(const Build& build) const;

  std::filesystem::path folder_;
};

}  // namespace gradproof::docs
