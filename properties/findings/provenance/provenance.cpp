#include "properties/findings/provenance/provenance.h"

#include <fmt/chrono.h>
#include <fmt/core.h>
#include <sys/utsname.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <thread>

#include "corpus/json/json_text.h"
#include "properties/findings/provenance/provenance_json.h"
#include "properties/findings/results/results_file.h"

namespace gradproof::findings {
namespace {

namespace fs = std::filesystem;

fs::path provenance_file(const fs::path& folder) { return folder / "provenance.jsonl"; }

/// True if both are one run, noted when it began and when it ended.
bool is_same_run(const Provenance& first, Provenance second) {
  second.ended = first.ended;
  return first == second;
}

/// Returns the text after "Version=" or "version=" in a file of the toolkit's installation.
std::string version_in(const fs::path& file) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    for (const std::string_view key : {"Version=", "version="}) {
      if (line.starts_with(key)) return line.substr(key.size());
    }
  }
  return {};
}

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

std::string utc_now() {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

std::string toolkit_version(const std::vector<fs::path>& libraries) {
  for (const fs::path& library : libraries) {
    std::error_code error;
    const fs::path folder = fs::absolute(library, error).parent_path();
    for (const fs::path& place :
         {folder, folder.parent_path(), folder.parent_path().parent_path()}) {
      for (const char* name : {"share/info/runtime/version.info", "version.info", "version.cfg",
                               "ascend_toolkit_install.info"}) {
        if (auto version = version_in(place / name); !version.empty()) return version;
      }
    }
  }
  return {};
}

std::optional<std::string> note_provenance(const fs::path& folder, const Provenance& provenance) {
  auto runs = read_provenance(folder);
  if (!runs) return runs.error();
  const auto begun = std::ranges::find_if(
      *runs, [&](const Provenance& other) { return is_same_run(other, provenance); });
  if (begun == runs->end()) {
    runs->push_back(provenance);
  } else {
    *begun = provenance;
  }
  std::string text;
  for (const Provenance& run : *runs) {
    text += corpus::json_text(provenance_json(run));
    text += '\n';
  }
  return write_file(provenance_file(folder), text);
}

tl::expected<std::vector<Provenance>, std::string> read_provenance(const fs::path& folder) {
  const fs::path file = provenance_file(folder);
  std::vector<Provenance> runs;
  std::ifstream stream(file, std::ios::binary);
  std::string line;
  for (std::uint64_t number = 1; std::getline(stream, line); ++number) {
    if (line.empty()) continue;
    auto run = parse_provenance(line);
    if (!run) return tl::unexpected(fmt::format("{}:{}: {}", file.string(), number, run.error()));
    runs.push_back(std::move(*run));
  }
  return runs;
}

std::vector<std::string> mixed_builds(const std::vector<Provenance>& runs) {
  std::map<std::string, std::set<std::string>>
      hashes;  // by file name: folders differ from host to host
  for (const Provenance& run : runs) {
    for (const LibraryIdentity& library : run.libraries) {
      hashes[fs::path(library.path).filename().string()].insert(library.sha256);
    }
  }
  std::vector<std::string> sentences;
  for (const auto& [name, builds] : hashes) {
    if (builds.size() == 1) continue;
    sentences.push_back(fmt::format(
        "results of {} different builds of {} are merged here; provenance.jsonl names their hashes",
        builds.size(), name));
  }
  return sentences;
}

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
