// Versions of the packages of an installation.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/on_stream.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::entry;
using api::refuse_value;
using api::require_non_null;

/// Packages of this product, and those that it stands for. Others are found in an installation.
constexpr std::string_view own_packages[] = {"runtime", "opbase", "ops_nn",
                                             "cann",    "driver", "firmware"};

/// True for a package name without a way out of the folder.
bool is_package_name(std::string_view name) {
  return !name.empty() && name.size() < 64 && std::ranges::all_of(name, [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '-' || letter == '_';
  });
}

/// Returns the text after "Version=" in the package's file, or nullopt.
std::optional<std::string> version_in_file(const std::string& package) {
  const char* const root = std::getenv("ASCEND_HOME_PATH");
  if (root == nullptr) return std::nullopt;
  std::ifstream file(fmt::format("{}/share/info/{}/version.info", root, package));
  constexpr std::string_view key = "Version=";
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(key)) return line.substr(key.size());
  }
  return std::nullopt;
}

std::optional<std::string> version_of(std::string package) {
  if (!is_package_name(package)) return std::nullopt;
  if (auto found = version_in_file(package)) return found;
  std::ranges::replace(package, '_', '-');
  if (auto found = version_in_file(package)) return found;
  std::ranges::replace(package, '-', '_');
  if (auto found = version_in_file(package)) return found;
  if (std::ranges::find(own_packages, package) == std::end(own_packages)) return std::nullopt;
  return GRADPROOF_VERSION;
}

aclError refuse_package(const char* function, std::string_view name) {
  return device::refuse(
      ACL_ERROR_INVALID_FILE,
      fmt::format("EE1001: {}: no package \"{}\" under $ASCEND_HOME_PATH/share/info", function,
                  name.substr(0, 64)));
}

/// A version's numbers, and what stands after them.
struct Numbers {
  std::array<std::int32_t, 3> parts{};
  std::string_view stage;  ///< "alpha", "beta", "rc", or empty
  std::int32_t stage_number = 0;
};

bool read_number(std::string_view& text, std::int32_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 0) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool skip(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

/// major.minor.patch, then perhaps -alpha.k, -beta.k or -rc.k.
std::optional<Numbers> read_version(std::string_view text) {
  Numbers numbers;
  for (std::size_t part = 0; part < numbers.parts.size(); ++part) {
    if (part > 0 && !skip(text, ".")) return std::nullopt;
    if (!read_number(text, numbers.parts[part])) return std::nullopt;
  }
  if (text.empty()) return numbers;
  for (const std::string_view stage : {"alpha", "beta", "rc"}) {
    std::string_view rest = text;
    if (!skip(rest, "-") || !skip(rest, stage) || !skip(rest, ".")) continue;
    if (!read_number(rest, numbers.stage_number) || !rest.empty()) return std::nullopt;
    numbers.stage = stage;
    return numbers;
  }
  return std::nullopt;
}

/// Returns the number that is taken off before a stage's number is added.
std::int32_t offset_of(std::string_view stage) {
  return stage == "alpha" ? 300 : stage == "beta" ? 200 : stage == "rc" ? 100 : 0;
}

template <std::size_t Size>
void copy_text(char (&to)[Size], std::string_view text) {
  std::memset(to, 0, Size);
  text.copy(to, Size - 1);
}

}  // namespace

extern "C" {

aclError aclsysGetVersionStr(char* pkgName, char* versionStr) {
  return entry([&]() -> aclError {
    const char* const function = "aclsysGetVersionStr";
    if (const aclError code =
            require_non_null(function, {{"pkgName", pkgName}, {"versionStr", versionStr}}))
      return code;
    const auto version = version_of(pkgName);
    if (!version.has_value()) return refuse_package(function, pkgName);
    const std::size_t length = version->copy(versionStr, ACL_PKG_VERSION_MAX_SIZE - 1);
    versionStr[length] = '\0';
    return 0;
  });
}

aclError aclsysGetVersionNum(char* pkgName, int32_t* versionNum) {
  return entry([&]() -> aclError {
    const char* const function = "aclsysGetVersionNum";
    if (const aclError code =
            require_non_null(function, {{"pkgName", pkgName}, {"versionNum", versionNum}}))
      return code;
    const auto version = version_of(pkgName);
    if (!version.has_value()) return refuse_package(function, pkgName);
    const auto numbers = read_version(*version);
    if (!numbers.has_value()) {
      return refuse_value(ACL_ERROR_INTERNAL_ERROR, function, "the package's version", *version,
                          "major.minor.patch, then perhaps -alpha.k, -beta.k, -rc.k");
    }
    const auto [major, minor, patch] = numbers->parts;
    *versionNum = major * 10'000'000 + minor * 100'000 + patch * 1'000 - offset_of(numbers->stage) +
                  numbers->stage_number;
    return 0;
  });
}

aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion* version) {
  return entry([&]() -> aclError {
    const char* const function = "aclsysGetCANNVersion";
    if (const aclError code = require_non_null(function, {{"version", version}})) return code;
    constexpr std::string_view packages[] = {"cann",    "runtime", "compiler",   "hccl",
                                             "toolkit", "opp",     "opp_kernel", "driver"};
    if (name < ACL_PKG_NAME_CANN || name > ACL_PKG_NAME_DRIVER)
      return refuse_value(ACL_ERROR_INVALID_PARAM, function, "name", static_cast<int>(name),
                          "0 to 7");
    const auto text = version_of(std::string(packages[name]));
    if (!text.has_value()) return refuse_package(function, packages[name]);
    *version = {};
    copy_text(version->version, *text);
    if (const auto numbers = read_version(*text)) {
      copy_text(version->majorVersion, std::to_string(numbers->parts[0]));
      copy_text(version->minorVersion, std::to_string(numbers->parts[1]));
      copy_text(version->patchVersion, std::to_string(numbers->parts[2]));
      copy_text(version->releaseVersion, numbers->stage);
    }
    return 0;
  });
}

}  // extern "C"
