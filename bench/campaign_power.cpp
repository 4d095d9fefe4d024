// What a campaign needs to find a fault: processor seconds and cases, over all seeded faults, those
// of the museum, and random mutants of the kernel's sources (./dev mutate --libraries), for the
// generator and the schedule that this program was built with, or a part of them.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "bench/fault_hunt.h"
#include "bench/planted_faults.h"
#include "bench/power_table.h"
#include "corpus/data_recipe.h"
#include "properties/laws/law_choice.h"

namespace gradproof::bench {
namespace {

struct Options {
  std::vector<std::uint64_t> seeds{1, 2, 3};
  double seconds = 10;
  std::vector<std::string> faults, recipes, laws;
  std::string half, mutants, json;
  std::int64_t max_macs = properties::Selection{}.max_macs;
};

[[noreturn]] void fail(const std::string& problem) {
  fmt::print(stderr, "campaign_power: {}\n", problem);
  std::exit(2);
}

HuntSettings hunt_settings(const Options& options) {
  HuntSettings settings;
  settings.seconds = options.seconds;
  settings.selection.apis = {properties::generated_apis.begin(), properties::generated_apis.end()};
  settings.selection.max_macs = options.max_macs;
  for (const std::string& name : options.recipes) {
    const auto recipe = corpus::distribution_named(name);
    if (!recipe) fail(fmt::format("--recipe: there is no recipe \"{}\"", name));
    settings.selection.recipes.push_back(*recipe);
  }
  for (const std::string& name : options.laws) {
    if (!properties::is_law_name(name)) fail(fmt::format("--law: there is no law \"{}\"", name));
    settings.selection.laws.push_back(name);
  }
  return settings;
}

std::vector<PlantedFault> chosen_faults(const Options& options) {
  auto faults = seeded_faults_by_half();
  if (!faults) fail(faults.error());
  if (!options.mutants.empty()) {
    const auto mutants = mutants_in(options.mutants);
    if (!mutants) fail("--mutants: " + mutants.error());
    faults->insert(faults->end(), mutants->begin(), mutants->end());
  }
  for (const std::string& name : options.faults) {
    if (std::ranges::find(*faults, name, &PlantedFault::name) == faults->end()) {
      fail(fmt::format("--fault: there is no fault \"{}\"", name));
    }
  }
  std::erase_if(*faults, [&](const PlantedFault& fault) {
    const bool is_named = std::ranges::find(options.faults, fault.name) != options.faults.end();
    return (!options.faults.empty() && !is_named) ||
           (!options.half.empty() && options.half != name_of(fault.half));
  });
  return *std::move(faults);
}

std::vector<HuntRow> hunts(const Options& options) {
  HuntSettings settings = hunt_settings(options);
  std::vector<HuntRow> rows;
  const std::vector<PlantedFault> faults = chosen_faults(options);
  for (const PlantedFault& fault : faults) {
    for (const std::uint64_t seed : options.seeds) {
      settings.seed = seed;
      auto hunt = hunt_for(fault, settings);
      if (!hunt) fail(fmt::format("{}: {}", fault.name, hunt.error()));
      rows.push_back({fault, seed, std::move(*hunt)});
    }
    fmt::print(stderr, "\r{} of {} hunts", rows.size(), faults.size() * options.seeds.size());
  }
  fmt::print(stderr, "\n");
  return rows;
}

Options options_of(int count, char** words) {
  Options options;
  CLI::App app{"Processor seconds and cases to each known fault of the kernel"};
  app.add_option("--seeds", options.seeds, "each fault is looked for with each of them; 1,2,3")
      ->delimiter(',');
  app.add_option("--seconds", options.seconds, "processor seconds after which it is missed; 10")
      ->check(CLI::PositiveNumber);
  app.add_option("--fault", options.faults, "these alone")->delimiter(',');
  app.add_option("--half", options.half, "choosing or showing: that half alone")
      ->check(CLI::IsMember({"choosing", "showing"}));
  app.add_option("--mutants", options.mutants, "what ./dev mutate --libraries left in this folder");
  app.add_option("--recipe", options.recipes, "instead of the recipes of a campaign")
      ->delimiter(',');
  app.add_option("--law", options.laws, "what cases are held to")->delimiter(',');
  app.add_option("--max-macs", options.max_macs, "multiply-accumulates of a generated gradient")
      ->check(CLI::PositiveNumber);
  app.add_option("--json", options.json, "every hunt, into this file");
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error) == 0 ? 0 : 2);
  }
  return options;
}

int run(int count, char** words) {
  const Options options = options_of(count, words);
  const std::vector<HuntRow> rows = hunts(options);
  if (rows.empty()) fail("no faults are left");
  constexpr std::size_t shown = 15;
  fmt::print("{}\n{}\n{}", power_table(rows), slowest_table(rows, shown), spending_table(rows));
  if (options.json.empty()) return 0;
  std::ofstream file(options.json);
  file << hunts_as_json(rows);
  file.close();
  if (!file) fail(fmt::format("--json: {} cannot be written", options.json));
  return 0;
}

}  // namespace
}  // namespace gradproof::bench

int main(int count, char** words) {
  try {
    return gradproof::bench::run(count, words);
  } catch (const std::exception& error) {
    std::fputs(error.what(), stderr);
    return 5;
  }
}
