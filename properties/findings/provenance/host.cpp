#include "properties/findings/provenance/host.h"

#include <fmt/core.h>
#include <sys/utsname.h>

#include <fstream>
#include <string_view>
#include <thread>

namespace gradproof::findings {
namespace {

/// Returns the text after `key` and its separator in the first line that begins with the key,
/// without quotation marks; empty: the file has no such line.
std::string value_of(const char* file, std::string_view key, char separator) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t at = line.find(separator);
    if (!line.starts_with(key) || at == std::string::npos) continue;
    const std::size_t begin = line.find_first_not_of(" \t\"", at + 1);
    if (begin == std::string::npos) return {};
    return line.substr(begin, line.find_last_not_of(" \t\"") + 1 - begin);
  }
  return {};
}

std::string both(const std::string& first, const std::string& second) {
  return first.empty() || second.empty() ? first + second : first + ", " + second;
}

}  // namespace

Host this_host() {
  Host host;
  host.cores = std::thread::hardware_concurrency();
  utsname kernel{};
  if (::uname(&kernel) != 0) return host;
  host.name = kernel.nodename;
  host.system = both(value_of("/etc/os-release", "PRETTY_NAME", '='),
                     fmt::format("{} {}", kernel.sysname, kernel.release));
  host.processor = both(kernel.machine, value_of("/proc/cpuinfo", "model name", ':'));
  return host;
}

}  // namespace gradproof::findings
