#include "properties/faults/planted_faults.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <system_error>

#include "properties/target/simulated_backend.h"

namespace gradproof::properties {
namespace {

namespace fs = std::filesystem;

/// In the order in which a program would name them: each finds in the later ones what it lacks.
constexpr std::string_view library_names[] = {"libopapi_nn.so", "libnnopbase.so", "libascendcl.so"};

/// A word of fault `index`: its name, its quantity or its file; null beyond the last.
using FaultWord = const char* (*)(std::size_t index, int field);

constexpr const char* word_symbol = "gradproof_planted_fault";

}  // namespace

tl::expected<std::vector<fs::path>, std::string> libraries_with_faults() {
  std::vector<std::string> tried;
  for (const fs::path& folder : simulated_library_folders()) {
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
      fmt::format("no libraries with planted faults in {}", fmt::join(tried, ", ")));
}

tl::expected<std::vector<PlantedFault>, std::string> planted_faults(
    const std::vector<fs::path>& libraries) {
  for (auto library = libraries.rbegin(); library != libraries.rend(); ++library) {
    void* handle = ::dlopen(library->c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return tl::unexpected(std::string(::dlerror()));
    const auto word = reinterpret_cast<FaultWord>(::dlsym(handle, word_symbol));
    if (word == nullptr) continue;
    std::vector<PlantedFault> faults;
    for (std::size_t i = 0; word(i, 0) != nullptr; ++i) {
      faults.push_back({word(i, 0), word(i, 1), word(i, 2)});
    }
    return faults;
  }
  return tl::unexpected(
      fmt::format("none of the libraries has {}: no faults were planted in them", word_symbol));
}

}  // namespace gradproof::properties
