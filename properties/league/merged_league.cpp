#include "properties/league/merged_league.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>

#include "properties/results/median.h"

namespace gradproof::properties {
namespace {

using Json = nlohmann::ordered_json;

std::uint64_t number_of(const Json& json, const char* key) {
  return json.at(key).get<std::uint64_t>();
}

std::string name_of(const Json& json, const char* key) { return json.at(key).get<std::string>(); }

void add_counts(Json& all, const Json& shard, std::initializer_list<const char*> keys) {
  for (const char* key : keys) all.at(key) = number_of(all, key) + number_of(shard, key);
}

/// The verdicts on the clean kernel, which every shard asks for on the same cases.
bool judged_alike(const Json& one, const Json& other) {
  return one.at("name") == other.at("name") && one.at("kernel") == other.at("kernel") &&
         one.at("otherOrders") == other.at("otherOrders");
}

void sort_by(Json& rows, const char* key) {
  std::sort(rows.begin(), rows.end(), [key](const Json& one, const Json& other) {
    return name_of(one, key) < name_of(other, key);
  });
}

/// Errors: the figure in which the shards differ and may not.
std::optional<std::string> add(Json& all, const Json& shard) {
  for (const char* same : {"seed", "cases", "legalCases", "runs", "fills"}) {
    if (all.at(same) != shard.at(same)) return fmt::format("shards of different {}", same);
  }
  add_counts(all, shard, {"planted", "reachValues", "otherTrade", "notMet"});
  if (all.at("contestants").size() != shard.at("contestants").size()) {
    return "shards of different contestants";
  }
  for (std::size_t i = 0; i < all.at("contestants").size(); ++i) {
    Json& contestant = all.at("contestants")[i];
    const Json& own = shard.at("contestants")[i];
    if (!judged_alike(contestant, own)) {
      return fmt::format("shards judge the kernel without a fault differently: {}",
                         name_of(own, "name"));
    }
    add_counts(contestant, own, {"found", "missed", "foundInAThird", "foundOnOurData"});
    for (std::size_t fill = 0; fill < contestant.at("byFill").size(); ++fill) {
      add_counts(contestant.at("byFill")[fill], own.at("byFill").at(fill), {"found"});
    }
  }
  for (const Json& fault : shard.at("faults")) all.at("faults").push_back(fault);
  return std::nullopt;
}

/// Of the faults that reach values, as in a standing.
double median_cases(const Json& all, const std::string& contestant) {
  std::vector<double> cases;
  for (const Json& fault : all.at("faults")) {
    const Json& found = fault.at("foundAt");
    const bool counts = fault.at("class") == "values" && found.contains(contestant);
    if (counts) cases.push_back(found.at(contestant).get<double>());
  }
  return median(std::move(cases));
}

std::uint64_t rejected(const Json& contestant) {
  return number_of(contestant.at("kernel"), "rejected") +
         number_of(contestant.at("otherOrders"), "rejected");
}

/// As in a league of one process: most found, then fewest false alarms, Gradproof before its
/// equals.
void rank(Json& contestants) {
  std::sort(contestants.begin(), contestants.end(), [](const Json& one, const Json& other) {
    if (one.at("found") != other.at("found")) {
      return number_of(one, "found") > number_of(other, "found");
    }
    if (rejected(one) != rejected(other)) return rejected(one) < rejected(other);
    const bool is_ours = name_of(one, "name") == "gradproof";
    const bool is_other_ours = name_of(other, "name") == "gradproof";
    return is_ours != is_other_ours ? is_ours : name_of(one, "name") < name_of(other, "name");
  });
}

}  // namespace

tl::expected<std::string, std::string> merged_league(
    const std::vector<std::string>& json_texts) try {
  Json all = Json::parse(json_texts.at(0));
  sort_by(all.at("contestants"), "name");
  for (std::size_t i = 1; i < json_texts.size(); ++i) {
    Json shard = Json::parse(json_texts[i]);
    sort_by(shard.at("contestants"), "name");
    if (auto problem = add(all, shard)) return tl::unexpected(std::move(*problem));
  }
  for (Json& contestant : all.at("contestants")) {
    contestant.at("medianCases") = median_cases(all, name_of(contestant, "name"));
  }
  rank(all.at("contestants"));
  sort_by(all.at("faults"), "fault");
  return all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
} catch (const Json::exception& error) {
  return tl::unexpected(fmt::format("not a league of verdicts: {}", error.what()));
}

}  // namespace gradproof::properties
