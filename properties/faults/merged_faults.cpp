#include "properties/faults/merged_faults.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "properties/results/median.h"

namespace gradproof::properties {
namespace {

using Json = nlohmann::ordered_json;

/// The clean kernel's runs as one: what they found and how long they had.
void add_clean(Json& all, const Json& clean) {
  const double seconds = all.at("seconds").get<double>() + clean.at("seconds").get<double>();
  if (clean.at("found").get<bool>() && !all.at("found").get<bool>()) all = clean;
  all["seconds"] = seconds;
}

void add(Json& all, const Json& shard) {
  for (const char* count : {"planted", "found", "falseAlarms", "named"}) {
    all[count] = all.at(count).get<std::uint64_t>() + shard.at(count).get<std::uint64_t>();
  }
  add_clean(all.at("clean"), shard.at("clean"));
  for (const Json& fault : shard.at("faults")) all.at("faults").push_back(fault);
}

/// Over the faults that were found.
double median_of(const Json& faults, const char* figure) {
  std::vector<double> values;
  for (const Json& fault : faults) {
    if (fault.contains(figure)) values.push_back(fault.at(figure).get<double>());
  }
  return median(std::move(values));
}

}  // namespace

tl::expected<std::string, std::string> merged_faults(
    const std::vector<std::string>& json_texts) try {
  Json all = Json::parse(json_texts.at(0));
  for (std::size_t i = 1; i < json_texts.size(); ++i) add(all, Json::parse(json_texts[i]));
  Json& faults = all.at("faults");
  std::sort(faults.begin(), faults.end(), [](const Json& one, const Json& other) {
    return one.at("fault").get<std::string>() < other.at("fault").get<std::string>();
  });
  all.at("medianSecondsToFind") = median_of(faults, "secondsToFind");
  all.at("medianNonZeros") = median_of(faults, "nonZeros");
  return all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
} catch (const Json::exception& error) {
  return tl::unexpected(fmt::format("not a table of planted faults: {}", error.what()));
}

}  // namespace gradproof::properties
