#include "bench/planted_faults.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <set>
#include <system_error>

#include "corpus/random_source.h"
#include "properties/faults/seeded_faults.h"
#include "properties/museum/museum.h"

namespace gradproof::bench {
namespace {

namespace fs = std::filesystem;

/// FNV-1a, then mixed: the last bit of the plain hash depends on the last letters alone.
std::uint64_t hash_of(std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char letter : name) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3;
  }
  return corpus::mixed(hash);
}

FaultHalf half_of(std::string_view name) {
  return hash_of(name) % 2 == 0 ? FaultHalf::Choosing : FaultHalf::Showing;
}

bool is_of_the_museum(std::string_view name) {
  return std::ranges::any_of(properties::museum(),
                             [&](const properties::MuseumRow& row) { return row.fault == name; });
}

/// Faults that nothing may be tuned to (kernel/with_faults/README.md).
std::set<std::string> held_out() {
  constexpr std::string_view key = "fault ";
  std::set<std::string> names;
  std::ifstream file(GRADPROOF_FAULTS_HELD_OUT);
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with(key)) names.insert(line.substr(key.size()));
  }
  return names;
}

/// In the order in which a program would name them: each finds in the later ones what it lacks.
constexpr std::string_view library_names[] = {"libgradproof_tiling_classes.so", "libopapi_nn.so",
                                              "libnnopbase.so", "libascendcl.so"};

tl::expected<PlantedFault, std::string> mutant_in(const fs::path& folder) {
  std::ifstream file(folder / "mutant.json");
  const auto about = nlohmann::json::parse(file, nullptr, false);
  if (!about.is_object()) {
    return tl::unexpected(fmt::format("{}: no mutant.json", folder.string()));
  }
  PlantedFault fault;
  fault.name = fmt::format("{}:{} {} -> {}", about.value("path", ""), about.value("line", 0),
                           about.value("before", ""), about.value("after", ""));
  fault.group = FaultGroup::Mutant;
  fault.half = half_of(fault.name);
  for (const std::string_view name : library_names) {
    fault.libraries.push_back(folder / name);
    if (!fs::exists(fault.libraries.back())) {
      return tl::unexpected(fmt::format("{} is missing", fault.libraries.back().string()));
    }
  }
  return fault;
}

}  // namespace

std::string_view name_of(FaultGroup group) {
  constexpr std::string_view names[] = {"seeded", "museum", "mutants"};
  return names[static_cast<std::size_t>(group)];
}

std::string_view name_of(FaultHalf half) {
  return half == FaultHalf::Choosing ? "choosing" : "showing";
}

tl::expected<std::vector<PlantedFault>, std::string> seeded_faults_by_half() {
  const auto libraries = properties::libraries_with_faults();
  if (!libraries) return tl::unexpected(libraries.error());
  const auto known = properties::seeded_faults(*libraries);
  if (!known) return tl::unexpected(known.error());
  const std::set<std::string> kept_out = held_out();
  if (kept_out.empty())
    return tl::unexpected(std::string("no faults in " GRADPROOF_FAULTS_HELD_OUT));
  std::vector<PlantedFault> faults;
  for (const properties::SeededFault& row : *known) {
    faults.push_back({.name = row.name,
                      .group = is_of_the_museum(row.name) ? FaultGroup::Museum : FaultGroup::Seeded,
                      .half = kept_out.contains(row.name) ? FaultHalf::Showing : half_of(row.name),
                      .libraries = *libraries,
                      .seeded = row.name,
                      .profile = row.profile == "released" ? oracle::Profile::Released
                                                           : oracle::Profile::Documented});
  }
  return faults;
}

tl::expected<std::vector<PlantedFault>, std::string> mutants_in(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> places;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_directory()) places.push_back(entry.path());
  }
  if (places.empty()) {
    return tl::unexpected(fmt::format(
        "{}: no mutants; `./dev mutate kernel --libraries` makes them", folder.string()));
  }
  std::ranges::sort(places);
  std::vector<PlantedFault> faults;
  for (const fs::path& place : places) {
    auto fault = mutant_in(place);
    if (!fault) return tl::unexpected(fault.error());
    faults.push_back(std::move(*fault));
  }
  return faults;
}

}  // namespace gradproof::bench
