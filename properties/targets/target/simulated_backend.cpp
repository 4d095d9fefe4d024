#include "properties/targets/target/simulated_backend.h"

#include <fmt/format.h>

#include <cstdlib>
#include <system_error>

#include "corpus/product_row.h"

namespace gradproof::targets {
namespace {

namespace fs = std::filesystem;

std::string one_device_a_product() {
  std::string devices;
  for (const corpus::ProductRow& row : corpus::product_rows) {
    if (!devices.empty()) devices += ',';
    devices += row.device;
  }
  return devices;
}

constexpr std::string_view library_names[] = {"libascendcl.so", "libnnopbase.so", "libopapi_nn.so"};
/// Installed with them where Ascend C was built too.
constexpr std::string_view tiling_classes_name = "libgradproof_tiling_classes.so";

/// Relative to the folder of the running program: the same folder, an installed tree, a build tree.
constexpr std::string_view installed_place = "../" GRADPROOF_LIBRARY_FOLDER;
constexpr std::string_view places[] = {".", installed_place, "../lib", "../kernel", "../../kernel"};

}  // namespace

void furnish_simulated_machine() {
  constexpr int keep_what_the_user_set = 0;
  ::setenv("GRADPROOF_DEVICES", one_device_a_product().c_str(), keep_what_the_user_set);
  // Any fixed schedule: what a run and its replay show must not depend on the calls before.
  ::setenv("GRADPROOF_SCHEDULE_SEED", "1", keep_what_the_user_set);
}

std::vector<fs::path> simulated_library_folders() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  std::vector<fs::path> folders;
  for (const std::string_view place : places) {
    folders.push_back((program.parent_path() / place).lexically_normal());
  }
  return folders;
}

std::vector<fs::path> simulated_libraries() {
  for (const fs::path& folder : simulated_library_folders()) {
    std::vector<fs::path> found;
    for (const std::string_view name : library_names) {
      std::error_code error;
      if (fs::exists(folder / name, error)) found.push_back(folder / name);
    }
    if (found.size() != std::size(library_names)) continue;
    std::error_code error;
    if (fs::exists(folder / tiling_classes_name, error))
      found.push_back(folder / tiling_classes_name);
    return found;
  }
  return {};
}

std::string joined_names(const std::vector<std::filesystem::path>& libraries) {
  if (libraries.empty()) return std::string(simulated_name);
  std::vector<std::string> names;
  names.reserve(libraries.size());
  for (const std::filesystem::path& library : libraries)
    names.push_back(library.filename().string());
  return fmt::format("{}", fmt::join(names, ","));
}

}  // namespace gradproof::targets
