#include "tests/docs/session.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace gradproof::docs {
namespace {

namespace fs = std::filesystem;

std::string quoted(const fs::path& path) { return "'" + path.string() + "'"; }

void link_entries(const fs::path& from, const fs::path& to, const std::string& except) {
  for (const auto& entry : fs::directory_iterator(from)) {
    if (entry.path().filename() != except) {
      fs::create_symlink(entry.path(), to / entry.path().filename());
    }
  }
}

std::vector<std::string> lines_in(const fs::path& file) {
  std::vector<std::string> lines;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

int code_in(const fs::path& file) {
  int code = -1;
  std::ifstream(file) >> code;
  return code;
}

}  // namespace

Session::Session(const Build& build) {
  std::string pattern = (fs::temp_directory_path() / "gradproof-page-XXXXXX").string();
  folder_ = ::mkdtemp(pattern.data());
  for (const char* name : {"project/build/release/bin", "bin", "home", "steps"}) {
    fs::create_directories(folder_ / name);
  }
  lay_out_project(build);
  lay_out_build(build);
  // Which has what Debian's packages install; another Python may come before it.
  const fs::path python = "/usr/bin/python3";
  if (fs::exists(python)) fs::create_symlink(python, folder_ / "bin/python3");
  std::ofstream(folder_ / "environment")
      << "export GRADPROOF_REAL=" << quoted(build.program) << "\n"
      << "export GRADPROOF_PROJECT=" << quoted(build.project) << "\n"
      << "export HOME=" << quoted(folder_ / "home") << "\n"
      << "export PYTHONPATH=" << quoted(folder_ / "project/bindings/python")
      << " PYTHONDONTWRITEBYTECODE=1\n"
      << "export GRADPROOF_LIBRARY=" << quoted(build.binary / "lib/libgradproof.so.1") << "\n"
      << "export LC_ALL=C.UTF-8\n"
      << "export PATH=" << quoted(folder_ / "bin") << ":\"$PATH\"\n"
      << "cd " << quoted(folder_ / "project") << "\n";
}

Session::~Session() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Session::lay_out_project(const Build& build) const {
  const fs::path programs = build.project / "tests/docs/programs";
  for (const char* name : {"bindings", "docs", "corpus", "kernel", "oracle", "properties", "tools",
                           "README.md", "README.zh.md"}) {
    fs::create_symlink(build.project / name, folder_ / "project" / name);
  }
  fs::copy_file(programs / "dev", folder_ / "project/dev");
  for (const char* name : {"gradproof", "git", "python_of_a_page"}) {
    fs::copy_file(programs / name, folder_ / "bin" / name);
  }
}

void Session::lay_out_build(const Build& build) const {
  const fs::path dev = folder_ / "project/build/release";
  link_entries(build.binary, dev, "bin");
  link_entries(build.program.parent_path(), dev / "bin", "gradproof");
  fs::create_symlink(folder_ / "bin/gradproof", dev / "bin/gradproof");
}

std::vector<Ran> Session::run(const std::vector<std::string>& commands) const {
  const auto step = [&](std::size_t i, const char* kind) {
    return folder_ / "steps" / (std::to_string(i) + kind);
  };
  // Each command is read from a file of its own: one that does not parse affects no other.
  std::ofstream script(folder_ / "session");
  script << ". " << quoted(folder_ / "environment") << "\n";
  for (std::size_t i = 0; i < commands.size(); ++i) {
    std::ofstream(step(i, ".command")) << commands[i] << "\n";
    script << ". " << quoted(step(i, ".command")) << " >" << quoted(step(i, ".output"))
           << " 2>&1 </dev/null\necho $? >" << quoted(step(i, ".code")) << "\n";
  }
  script.close();
  const std::string shell = "env -u GRADPROOF_FAULT -u GRADPROOF_PROFILE bash " +
                            quoted(folder_ / "session") + " >/dev/null 2>&1";
  [[maybe_unused]] const int ended = std::system(shell.c_str());
  std::vector<Ran> results;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    results.push_back({code_in(step(i, ".code")), lines_in(step(i, ".output"))});
  }
  return results;
}

bool Session::has(const std::string& path) const { return fs::exists(folder_ / "project" / path); }

}  // namespace gradproof::docs
