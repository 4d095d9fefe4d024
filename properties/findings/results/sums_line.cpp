#include "properties/findings/results/sums_line.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "corpus/case_error.h"
#include "corpus/json/json_text.h"
#include "properties/findings/results/json_reader.h"
#include "properties/findings/results/mode_json.h"
#include "properties/findings/results/shard_record.h"
#include "properties/findings/results/summary_json.h"

namespace gradproof::findings {
namespace {

using nlohmann::json;

constexpr std::string_view opening = R"({"sums":)";

json times_json(const CallTimes& times) {
  json rows = json::array();
  for (const auto& [mode, histogram] : times) {
    rows.push_back({saved_mode(mode), histogram.saved()});
  }
  return rows;
}

CallTimes times_of(const json& rows) {
  CallTimes times;
  for (const json& row : rows) {
    times[restored_mode(row.at(0))].merge(RatioHistogram::restored(row.at(1)));
  }
  return times;
}

/// Converts a value to text. A sign replaces what is no UTF-8 in a library's message.
std::string text_of(const json& value) { return corpus::json_text(value); }

SumsLine sums_of(const json& line) {
  const json& head = line.at("run");
  const auto schema = head.at("schema").get<std::string>();
  if (schema != results_schema()) throw JsonMistake{other_schema(schema)};
  SumsLine sums;
  sums.heading = {head.at("target"), head.at("profile"), head.at("seed"), head.at("shard").at(0),
                  head.at("shard").at(1)};
  if (sums.heading.shard_count > most_shards) throw JsonMistake{"shard is not [I,N]"};
  sums.first = head.at("line");
  sums.summary = summary_of_counts(line.at("sums"));
  sums.times = times_of(line.at("milliseconds"));
  return sums;
}

}  // namespace

std::string sums_line(const SumsLine& sums) {
  const LineHeading& heading = sums.heading;
  const json head = {{"schema", results_schema()},
                     {"target", heading.target},
                     {"profile", heading.profile},
                     {"seed", heading.seed},
                     {"shard", {heading.shard_index, heading.shard_count}},
                     {"line", sums.first}};
  // In this order: what it is comes first, what differs between repetitions last.
  return fmt::format(R"({}{},"run":{},"milliseconds":{}}})", opening,
                     text_of(counts_json(sums.summary)), text_of(head),
                     text_of(times_json(sums.times)));
}

bool is_sums_line(std::string_view line) { return line.starts_with(opening); }

tl::expected<SumsLine, std::string> parse_sums_line(std::string_view line) try {
  return sums_of(json::parse(line));
} catch (const JsonMistake& mistake) {
  return tl::unexpected("a line of sums: " + mistake.words);
} catch (const json::exception& error) {
  return tl::unexpected(fmt::format("a line of sums: {}", corpus::words_of_json_error(error)));
}

}  // namespace gradproof::findings
