#include "properties/runs/gate/world.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>

#include "properties/findings/results/shell_word.h"
#include "properties/targets/target/simulated_backend.h"

namespace gradproof::runs {
namespace {

namespace fs = std::filesystem;
using findings::shell_word;

/// Where things lie inside.
constexpr const char *inside_candidate = "/opt/app", *inside_host = "/opt/host",
                     *inside_libraries = "/opt/lib", *inside_names = "/opt/more";

constexpr const char* isolation =
    "bwrap --unshare-all --die-with-parent --new-session --cap-drop ALL --clearenv --uid 1000 "
    "--gid 1000 --hostname host --proc /proc --dev /dev --size 268435456 --tmpfs /tmp --chdir /tmp "
    "--setenv PATH /usr/bin:/bin --setenv HOME /tmp --setenv USER user --setenv LOGNAME user "
    "--setenv LANG C.UTF-8 --setenv SHELL /bin/bash --setenv TERM xterm --setenv PWD /tmp "
    "--setenv SHLVL 1 --setenv TZ UTC";

/// No cores, no files above 1 GiB, 12 GiB of data.
constexpr const char* limits = "ulimit -c 0; ulimit -f 2097152; ulimit -d 12582912; ";

/// Has bubblewrap read the filter by its path: the shell keeps no descriptor that it does not know.
std::string filtered() {
  return fmt::format("--seccomp 9 9</proc/{}/fd/{}", ::getpid(), system_call_filter());
}

/// What is read-only inside; each path once.
class Binds {
 public:
  void add(const fs::path& outside, const fs::path& inside) {
    std::error_code error;
    if (!fs::exists(outside, error) || !seen_.insert(inside.string()).second) return;
    words +=
        fmt::format(" --ro-bind {} {}", shell_word(outside.string()), shell_word(inside.string()));
  }
  void add(const fs::path& same) { add(same, same); }
  /// An empty folder, or nothing, in place of what would be seen.
  void hide(const fs::path& path) {
    std::error_code error;
    if (!fs::exists(path, error)) return;
    words += fs::is_directory(path, error)
                 ? fmt::format(" --tmpfs {}", shell_word(path.string()))
                 : fmt::format(" --ro-bind /dev/null {}", shell_word(path.string()));
  }
  std::string words;

 private:
  std::set<std::string> seen_;
};

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "re"), ::pclose);
  std::string text;
  std::array<char, 4096> part{};
  while (pipe) {
    const std::size_t count = std::fread(part.data(), 1, part.size(), pipe.get());
    text.append(part.data(), count);
    if (count == 0) break;
  }
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// Finds a part of the host next to this program, or where it is installed.
tl::expected<fs::path, std::string> host_part(const std::string& name) {
  for (const fs::path& folder : targets::simulated_library_folders()) {
    for (const fs::path& at : {folder / "gate" / name, folder / "gradproof" / "gate" / name}) {
      std::error_code error;
      if (fs::exists(at, error)) return at;
    }
  }
  return tl::unexpected(fmt::format("{} is not installed with this program", name));
}

void add_system(Binds& binds) {
  for (const char* folder : {"/usr/lib", "/usr/lib64", "/usr/libexec", "/etc/ld.so.cache",
                             "/etc/alternatives", "/etc/ld.so.conf.d"}) {
    binds.add(folder);
  }
  binds.words += " --symlink usr/lib /lib --symlink usr/lib64 /lib64";
  for (const fs::path& folder : targets::simulated_library_folders()) {
    std::error_code error;
    if (!folder.string().starts_with("/usr/lib") || !fs::is_directory(folder, error)) continue;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      const std::string name = entry.path().filename();
      if (name.starts_with("libgradproof") || name.starts_with("libopapi")) binds.hide(entry);
    }
  }
}

/// Runtime and objects of a vendor, without the operators.
std::vector<fs::path> vendor_libraries() {
  std::vector<fs::path> libraries = targets::simulated_libraries();
  std::erase_if(libraries, [](const fs::path& library) {
    const std::string name = library.filename();
    return !name.starts_with("libascendcl") && !name.starts_with("libnnopbase");
  });
  return libraries;
}

/// The libraries that the user lets in by their files; a file that a name links to, too.
void add_allowed(const GateTarget& target, Binds& binds) {
  for (const std::string& name : target.allowed_libraries) {
    if (name.find('/') == std::string::npos) continue;
    binds.add(fs::canonical(name), fs::path(inside_libraries) / fs::path(name).filename());
  }
}

tl::expected<SealedWorld, std::string> library_world(const GateTarget& target) {
  const auto host = host_part("library_host");
  if (!host) return tl::unexpected(host.error());
  Binds binds;
  add_system(binds);
  const fs::path candidate = fs::path(inside_candidate) / "library.so";
  binds.add(fs::canonical(target.file), candidate);
  binds.add(*host, fs::path(inside_host));
  add_allowed(target, binds);
  std::string words;
  SealedWorld world;
  for (const fs::path& library : vendor_libraries()) {
    const std::string inside = fmt::format("{}/{}", inside_libraries, library.filename().string());
    binds.add(fs::canonical(library), inside);
    words += ' ' + inside;
    world.own.push_back(library.filename());
  }
  world.own.emplace_back("library.so");
  world.own.push_back(fs::canonical(target.file).filename());
  world.own.emplace_back("host");
  world.command = fmt::format("{}exec {} {}{} --setenv LD_LIBRARY_PATH {} -- {} {}{} 2>/dev/null",
                              limits, isolation, filtered(), binds.words, inside_libraries,
                              inside_host, shell_word(candidate.string()), words);
  return world;
}

/// The interpreter that has NumPy, and the folders that it reads, one a line.
constexpr const char* about_python =
    "for python in python3 /usr/bin/python3; do $python -I -c 'import numpy, os, sys; "
    "print(\"\\n\".join([sys.executable, os.path.realpath(sys.executable), "
    "sys.prefix + \"/pyvenv.cfg\", os.path.dirname(os.__file__), *sys.path]))' 2>/dev/null && "
    "break; done";

/// The candidate's folder, and the modules next to that.
std::string add_modules(const fs::path& file, Binds& binds) {
  const fs::path folder = fs::canonical(file).parent_path();
  const fs::path inside = fs::path(inside_candidate) / folder.filename();
  std::error_code error;
  binds.add(folder, inside);
  for (const auto& entry : fs::directory_iterator(folder.parent_path(), error)) {
    if (entry.path().extension() == ".py") {
      binds.add(entry.path(), fs::path(inside_candidate) / entry.path().filename());
    }
  }
  return inside.string();
}

tl::expected<SealedWorld, std::string> python_world(const GateTarget& target, bool with_names) {
  const auto host = host_part("python_host.py"), names = host_part("names.py");
  if (!host || !names) return tl::unexpected(host ? names.error() : host.error());
  const auto places = lines_of(output_of(about_python));
  if (places.size() < 4) {
    return tl::unexpected(std::string("no python3 with NumPy was found: install python3-numpy"));
  }
  Binds binds;
  add_system(binds);
  for (const std::string& place : places) {
    if (!place.starts_with("/usr/lib/")) binds.add(place);
  }
  for (const std::string& place : places) binds.hide(fs::path(place) / "gradproof");
  binds.add(*host, inside_host);
  const std::string folder = add_modules(target.file, binds);
  if (with_names) binds.add(*names, fs::path(inside_names) / "gradproof.py");
  add_allowed(target, binds);
  SealedWorld world;
  world.own = {"python3"};
  world.interpreter_folders = places;
  // Told by the first line, not on the command line, where names could tell of a test.
  world.first_line =
      fmt::format("{}/{}\t{}\t{}\t{}\t{}\n", folder, target.file.filename().string(),
                  target.function, folder, inside_candidate, with_names ? inside_names : "");
  world.command = fmt::format("{}exec {} {}{} --setenv LD_LIBRARY_PATH {} -- {} {} 2>/dev/null",
                              limits, isolation, filtered(), binds.words, inside_libraries,
                              shell_word(places.front()), inside_host);
  return world;
}

/// A program sees what this one sees, but for other processes, the network and the folders of the
/// product: what it consists of cannot be told from its command.
SealedWorld program_world(const GateTarget& target) {
  SealedWorld world;
  const std::string here = shell_word(fs::current_path().string());
  const bool is_hidden = here.find("/tmp/") < 2;  // behind a quotation mark, too
  world.command = fmt::format(
      "{}exec bwrap --unshare-all --die-with-parent --new-session --cap-drop ALL --ro-bind / / "
      "--proc /proc --dev /dev --tmpfs /tmp {}--chdir {} -- /bin/sh -c {} 2>/dev/null",
      limits, is_hidden ? fmt::format("--ro-bind {0} {0} ", here) : "", here,
      shell_word(target.command));
  return world;
}

}  // namespace

tl::expected<SealedWorld, std::string> world_of(const GateTarget& target, bool with_names) {
  std::error_code error;
  if (target.kind == GateTarget::Kind::Program) return program_world(target);
  if (!fs::is_regular_file(target.file, error)) {
    return tl::unexpected(fmt::format("{} is no file", target.file.string()));
  }
  return target.kind == GateTarget::Kind::Python ? python_world(target, with_names)
                                                 : library_world(target);
}

std::string why_no_world() {
  const std::string said =
      output_of(fmt::format("{} {} --ro-bind / /mnt --ro-bind /usr /usr --symlink usr/lib /lib "
                            "--symlink usr/lib64 /lib64 -- /usr/bin/true 2>&1 && echo yes",
                            isolation, filtered()));
  if (said.ends_with("yes\n")) return {};
  const auto lines = lines_of(said);
  return lines.empty() ? "bwrap says nothing" : lines.back();
}

}  // namespace gradproof::runs
