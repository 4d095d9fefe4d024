#include "properties/findings/results/results_line_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <iterator>

#include "oracle/numbers/format_row.h"
#include "oracle/numbers/number_format.h"
#include "oracle/rules/status_rules.h"
#include "properties/cases/coverage/corners.h"
#include "properties/findings/results/json_reader.h"
#include "properties/findings/results/results_line.h"
#include "properties/findings/results/shard_record.h"

namespace gradproof::findings {
namespace {

using corpus::DisagreementKind;
using corpus::Outcome;
using corpus::OutputEvidence;

constexpr std::array outcomes{Outcome::Agree,         Outcome::Disagree, Outcome::Refused,
                              Outcome::NotComparable, Outcome::Skipped,  Outcome::Vacuous};
constexpr std::array kinds{DisagreementKind::Status,       DisagreementKind::Expectation,
                           DisagreementKind::Value,        DisagreementKind::NaN,
                           DisagreementKind::Untouched,    DisagreementKind::Overwritten,
                           DisagreementKind::InputChanged, DisagreementKind::Nondeterministic,
                           DisagreementKind::Leak,         DisagreementKind::Crash,
                           DisagreementKind::Timeout,      DisagreementKind::Law};
template <typename Value>
std::string_view words_of(Value value) {
  return corpus::name_of(value);
}
std::string_view words_of(oracle::NumberFormat format) { return oracle::name_of(format); }

template <typename Values>
auto named(std::string_view name, const Values& values) {
  const auto found =
      std::ranges::find_if(values, [&](auto value) { return words_of(value) == name; });
  if (found == values.end()) throw JsonMistake{fmt::format("\"{}\" is an unknown name", name)};
  return *found;
}

void read_standards(JsonReader& json, OutputEvidence& evidence) {
  json.object([&](std::string_view name) {
    corpus::StandardResult standard;
    standard.name = name;
    standard.met = json.boolean();
    evidence.standards.push_back(std::move(standard));
  });
}

void read_histogram(JsonReader& json, OutputEvidence& evidence) {
  std::size_t bucket = 0;
  json.array([&] {
    if (bucket == evidence.ulp_histogram.size()) {
      throw JsonMistake{"ulp_histogram has too many buckets"};
    }
    evidence.ulp_histogram.at(bucket++) = json.count();
  });
}

/// Reader of one member; a reader is a table of them.
template <typename Target>
struct Member {
  std::string_view key;
  void (*read)(JsonReader& json, Target& target);
};

/// Members that no row names are passed over. Calls `visit` with the place of each row that is met.
template <typename Target, std::size_t count, typename Visit>
void read_members(JsonReader& json, Target& target, const Member<Target> (&members)[count],
                  const Visit& visit) {
  json.object([&](std::string_view key) {
    const auto* row = std::ranges::find(members, key, &Member<Target>::key);
    if (row == std::end(members)) {
      json.raw();
      return;
    }
    visit(to_size(row - members));
    row->read(json, target);
  });
}

template <typename Target, std::size_t count>
void read_members(JsonReader& json, Target& target, const Member<Target> (&members)[count]) {
  read_members(json, target, members, [](std::size_t) {});
}

constexpr Member<OutputEvidence> evidence_members[] = {
    {"elements", [](auto& json, auto& evidence) { evidence.compared_elements = json.count(); }},
    {"ulp_max", [](auto& json, auto& evidence) { evidence.ulp_max = json.number(); }},
    {"ulp_histogram", read_histogram},
    {"mare", [](auto& json, auto& evidence) { evidence.mare = json.number(); }},
    {"mere", [](auto& json, auto& evidence) { evidence.mere = json.number(); }},
    {"rmse", [](auto& json, auto& evidence) { evidence.rmse = json.number(); }},
    {"bound_ratio", [](auto& json, auto& evidence) { evidence.bound_ratio = json.number(); }},
    {"format",
     [](auto& json, auto& evidence) {
       evidence.compute_format = words_of(named(json.plain_text(), oracle::number_formats));
     }},
    {"terms", [](auto& json, auto& evidence) { evidence.reduction_length = json.count(); }},
    {"exact", [](auto& json, auto& evidence) { evidence.sums_are_exact = json.boolean(); }},
    {"standards", read_standards}};

std::uint16_t place_in_table(JsonReader& json, std::size_t size) {
  const std::uint64_t place = json.count();
  if (place >= size) throw JsonMistake{"coverage: beyond the end of a table"};
  return static_cast<std::uint16_t>(place);
}

void read_places(JsonReader& json, std::size_t size, std::vector<std::uint16_t>& places) {
  json.array([&] { places.push_back(place_in_table(json, size)); });
}

void read_classes(JsonReader& json, cases::Footprint& footprint) {
  cases::Classes classes{};
  std::size_t dimension = 0;
  json.array([&] {
    if (dimension == classes.size()) throw JsonMistake{"coverage: too many classes"};
    classes.at(dimension++) =
        static_cast<std::uint8_t>(place_in_table(json, cases::call_classes.size()));
  });
  if (dimension != classes.size()) throw JsonMistake{"coverage: too few classes"};
  footprint.classes = classes;
}

/// Reads bits: four places a hexadecimal digit, the first in the lowest bit of the first digit.
void read_bits(std::string_view digits, std::size_t size, std::vector<std::uint16_t>& places) {
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const auto digit = hexadecimal.find(digits[i]);
    if (digit == std::string_view::npos) throw JsonMistake{"coverage: not a hexadecimal digit"};
    for (std::size_t bit = 0; bit < 4; ++bit) {
      if ((digit >> bit & 1U) == 0) continue;
      if (4 * i + bit >= size) throw JsonMistake{"coverage: beyond the end of a table"};
      places.push_back(static_cast<std::uint16_t>(4 * i + bit));
    }
  }
}

void read_flags(JsonReader& json, cases::Footprint& footprint) {
  const std::string_view flags = json.plain_text();
  footprint.is_grouped = flags.find('g') != std::string_view::npos;
  footprint.is_transposed = flags.find('t') != std::string_view::npos;
  footprint.is_empty = flags.find('e') != std::string_view::npos;
  footprint.is_legal = flags.find('l') != std::string_view::npos;
}

std::size_t rule_count() { return oracle::all_status_rules().size(); }

constexpr Member<cases::Footprint> footprint_members[] = {
    {"flags", read_flags},
    {"discarded", [](auto& json, auto& footprint) { footprint.discarded = json.count(); }},
    {"classes", read_classes},
    {"corners",
     [](auto& json, auto& footprint) {
       read_places(json, cases::corners().size(), footprint.corners);
     }},
    {"decided",
     [](auto& json, auto& footprint) { read_places(json, rule_count(), footprint.decided); }},
    {"alone", [](auto& json,
                 auto& footprint) { footprint.broken_alone = place_in_table(json, rule_count()); }},
    {"kept", [](auto& json, auto& footprint) {
       read_bits(json.plain_text(), rule_count(), footprint.kept);
     }}};

void read_schema(JsonReader& json, ResultsLine& line) {
  line.schema = json.text();
  if (line.schema != results_schema()) throw JsonMistake{other_schema(line.schema)};
}

void read_outputs(JsonReader& json, ResultsLine& line) {
  json.object([&](std::string_view role) {
    const auto place = to_size(named(role, corpus::output_roles));
    auto& evidence = line.verdict.outputs.at(place);
    evidence.compared = true;
    read_members(json, evidence, evidence_members);
  });
}

void read_shard(JsonReader& json, ResultsLine& line) {
  std::array<std::uint64_t, 2> shard{};
  std::size_t place = 0;
  json.array([&] { shard.at(std::min<std::size_t>(place++, 1)) = json.count(); });
  if (place != 2 || shard[0] < 1 || shard[0] > shard[1] || shard[1] > most_shards)
    throw JsonMistake{"shard is not [I,N]"};
  line.shard_index = shard[0];
  line.shard_count = shard[1];
}

corpus::Status status_of(JsonReader& json) { return static_cast<corpus::Status>(json.integer()); }

std::optional<oracle::Profile> profile_of(JsonReader& json) {
  const std::string name = json.text();
  for (const auto profile : {oracle::Profile::Documented, oracle::Profile::Released}) {
    if (name == oracle::name_of(profile)) return profile;
  }
  return std::nullopt;
}

/// The first ones must be there.
constexpr std::size_t required = 8;
constexpr Member<ResultsLine> line_members[] = {
    {"id", [](auto& json, auto& line) { line.id = json.text(); }},
    {"verdict",
     [](auto& json, auto& line) { line.verdict.outcome = named(json.plain_text(), outcomes); }},
    {"law", [](auto& json, auto& line) { line.verdict.law = json.text(); }},
    {"soc", [](auto& json, auto& line) { line.mode.soc = json.text(); }},
    {"dtype", [](auto& json, auto& line) { line.mode.dtypes = json.text(); }},
    {"cube",
     [](auto& json, auto& line) { line.mode.cube_math_type = static_cast<int>(json.integer()); }},
    {"outputs", read_outputs},
    {"repro", [](auto& json, auto& line) { line.repro = json.text(); }},
    {"schema", read_schema},
    {"seed", [](auto& json, auto& line) { line.seed = json.count(); }},
    {"target", [](auto& json, auto& line) { line.target = json.text(); }},
    {"profile", [](auto& json, auto& line) { line.profile = json.text(); }},
    {"held_to", [](auto& json, auto& line) { line.held_to = profile_of(json); }},
    {"recipe",
     [](auto& json, auto& line) { line.recipe = corpus::distribution_named(json.plain_text()); }},
    {"status", [](auto& json, auto& line) { line.verdict.status = status_of(json); }},
    {"admitted",
     [](auto& json, auto& line) {
       json.array([&] { line.verdict.admitted.push_back(status_of(json)); });
     }},
    {"rules", [](auto& json,
                 auto& line) { json.array([&] { line.verdict.rules.push_back(json.text()); }); }},
    {"milliseconds", [](auto& json, auto& line) { line.verdict.milliseconds = json.number(); }},
    {"coverage",
     [](auto& json, auto& line) {
       read_members(json, line.footprint.emplace(), footprint_members);
     }},
    {"tallies",
     [](auto& json, auto& line) {
       json.array([&] { line.verdict.tallies.push_back(json.text()); });
     }},
    {"kind", [](auto& json, auto& line) { line.verdict.kind = named(json.plain_text(), kinds); }},
    {"output",
     [](auto& json, auto& line) {
       line.verdict.culprit = named(json.plain_text(), corpus::output_roles);
     }},
    {"reason", [](auto& json, auto& line) { line.verdict.reason = json.text(); }},
    {"case", [](auto& json, auto& line) { line.case_text = json.raw(); }},
    {"drawn", [](auto& json, auto& line) { line.is_drawn = json.boolean(); }},
    {"shard", read_shard}};

ResultsLine line_of(JsonReader json) {
  ResultsLine line;
  std::bitset<std::size(line_members)> seen;
  read_members(json, line, line_members, [&](std::size_t row) { seen.set(row); });
  json.end();
  if (line.schema.empty()) throw JsonMistake{other_schema("none")};
  for (std::size_t i = 0; i < required; ++i) {
    if (!seen.test(i)) throw JsonMistake{fmt::format("\"{}\" is missing", line_members[i].key)};
  }
  return line;
}

}  // namespace

tl::expected<ResultsLine, std::string> parse_results_line(std::string_view line) try {
  return line_of(JsonReader(line));
} catch (const JsonMistake& mistake) {
  return tl::unexpected(mistake.words);
}

}  // namespace gradproof::findings
