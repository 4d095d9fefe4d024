#include "properties/runs/faults/seeded_faults.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <sstream>
#include <string_view>
#include <system_error>

#include "properties/targets/target/simulated_backend.h"

namespace gradproof::runs {
namespace {

namespace fs = std::filesystem;

/// Names in the order in which a program names them: each finds in later ones what it lacks.
constexpr std::string_view library_names[] = {"libgradproof_tiling_classes.so", "libopapi_nn.so",
                                              "libnnopbase.so", "libascendcl.so"};

/// A word of fault `index`: its name, its quantity, its file, its profile or its functions; null
/// beyond the last.
using FaultWord = const char* (*)(std::size_t index, int field);

constexpr const char* word_symbol = "gradproof_seeded_fault";

/// The faults as lines of name, quantity, file, profile and functions, apart by tabs; else '!' and
/// what is wrong.
std::string list_of(const std::vector<fs::path>& libraries) {
  for (auto library = libraries.rbegin(); library != libraries.rend(); ++library) {
    void* handle = ::dlopen(library->c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return std::string("!") + ::dlerror();
    const auto word = reinterpret_cast<FaultWord>(::dlsym(handle, word_symbol));
    if (word == nullptr) continue;
    std::string lines;
    for (std::size_t i = 0; word(i, 0) != nullptr; ++i) {
      lines += fmt::format("{}\t{}\t{}\t{}\t{}\n", word(i, 0), word(i, 1), word(i, 2), word(i, 3),
                           word(i, 4));
    }
    return lines;
  }
  return fmt::format("!none of the libraries has {}: no faults were seeded in them", word_symbol);
}

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer{};
  while (true) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

/// Lists the faults in a separate process. A library chooses its fault when it is loaded: loaded
/// here, every process forked from this one would have that choice.
std::string list_from_another_process(const std::vector<fs::path>& libraries) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::string("!") + std::strerror(errno);
  const pid_t child = ::fork();
  if (child == 0) {
    write_all(ends[1], list_of(libraries));
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text = child < 0 ? std::string("!no process can be forked") : read_all(ends[0]);
  ::close(ends[0]);
  while (child > 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return text;
}

}  // namespace

tl::expected<std::vector<fs::path>, std::string> libraries_with_faults() {
  std::vector<std::string> tried;
  for (const fs::path& folder : targets::simulated_library_folders()) {
    const fs::path place = folder / "with_faults";
    std::vector<fs::path> found;
    for (const std::string_view name : library_names) {
      std::error_code error;
      if (fs::exists(place / name, error)) found.push_back(place / name);
    }
    if (found.size() == std::size(library_names)) return found;
    tried.push_back(place.string());
  }
  return tl::unexpected(
      fmt::format("no libraries with seeded faults in {}; the build target `faults` makes them "
                  "(./dev build release faults)",
                  fmt::join(tried, ", ")));
}

tl::expected<std::vector<SeededFault>, std::string> seeded_faults(
    const std::vector<fs::path>& libraries) {
  const std::string text = list_from_another_process(libraries);
  if (text.starts_with('!')) return tl::unexpected(text.substr(1));
  std::vector<SeededFault> faults;
  std::istringstream lines(text);
  SeededFault fault;
  while (std::getline(lines, fault.name, '\t') && std::getline(lines, fault.quantity, '\t') &&
         std::getline(lines, fault.file, '\t') && std::getline(lines, fault.profile, '\t') &&
         std::getline(lines, fault.api)) {
    faults.push_back(fault);
  }
  if (faults.empty()) return tl::unexpected(std::string("the libraries with faults name none"));
  return faults;
}

}  // namespace gradproof::runs
