#include "properties/results/results_line_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bitset>

#include "oracle/numbers/number_format.h"
#include "oracle/rules/status_rules.h"
#include "properties/coverage/corners.h"
#include "properties/results/json_reader.h"
#include "properties/results/results_line.h"

namespace gradproof::properties {
namespace {

using corpus::DisagreementKind;
using corpus::Outcome;
using oracle::NumberFormat;

constexpr std::array outcomes{Outcome::Agree,         Outcome::Disagree, Outcome::Refused,
                              Outcome::NotComparable, Outcome::Skipped,  Outcome::Vacuous};
constexpr std::array kinds{DisagreementKind::Status,       DisagreementKind::Expectation,
                           DisagreementKind::Value,        DisagreementKind::NaN,
                           DisagreementKind::Untouched,    DisagreementKind::Overwritten,
                           DisagreementKind::InputChanged, DisagreementKind::Nondeterministic,
                           DisagreementKind::Leak,         DisagreementKind::Crash,
                           DisagreementKind::Timeout,      DisagreementKind::Law};
constexpr std::array formats{NumberFormat::Float,      NumberFormat::Float16,
                             NumberFormat::BFloat16,   NumberFormat::Hf32Wide,
                             NumberFormat::Hf32Narrow, NumberFormat::Float8E4M3FN,
                             NumberFormat::HiFloat8};

template <typename Value>
std::string_view words_of(Value value) {
  return corpus::name_of(value);
}
std::string_view words_of(NumberFormat format) { return oracle::name_of(format); }

template <typename Values>
auto named(std::string_view name, const Values& values) {
  const auto found =
      std::ranges::find_if(values, [&](auto value) { return words_of(value) == name; });
  if (found == values.end()) throw JsonMistake{fmt::format("\"{}\" is an unknown name", name)};
  return *found;
}

void read_standards(JsonReader& json, corpus::OutputEvidence& evidence) {
  json.object([&](std::string_view name) {
    corpus::StandardResult standard;
    standard.name = name;
    standard.met = json.boolean();
    evidence.standards.push_back(std::move(standard));
  });
}

void read_histogram(JsonReader& json, corpus::OutputEvidence& evidence) {
  std::size_t bucket = 0;
  json.array([&] {
    if (bucket == evidence.ulp_histogram.size()) {
      throw JsonMistake{"ulp_histogram has too many buckets"};
    }
    evidence.ulp_histogram.at(bucket++) = json.count();
  });
}

corpus::OutputEvidence evidence_of(JsonReader& json) {
  corpus::OutputEvidence evidence;
  evidence.compared = true;
  json.object([&](std::string_view key) {
    if (key == "elements") {
      evidence.compared_elements = json.count();
    } else if (key == "ulp_max") {
      evidence.ulp_max = json.number();
    } else if (key == "ulp_histogram") {
      read_histogram(json, evidence);
    } else if (key == "mare") {
      evidence.mare = json.number();
    } else if (key == "mere") {
      evidence.mere = json.number();
    } else if (key == "rmse") {
      evidence.rmse = json.number();
    } else if (key == "bound_ratio") {
      evidence.bound_ratio = json.number();
    } else if (key == "format") {
      evidence.compute_format = words_of(named(json.plain_text(), formats));
    } else if (key == "terms") {
      evidence.reduction_length = json.count();
    } else if (key == "exact") {
      evidence.sums_are_exact = json.boolean();
    } else if (key == "standards") {
      read_standards(json, evidence);
    } else {
      json.raw();
    }
  });
  return evidence;
}

std::uint16_t place_in_table(JsonReader& json, std::size_t size) {
  const std::uint64_t place = json.count();
  if (place >= size) throw JsonMistake{"coverage: beyond the end of a table"};
  return static_cast<std::uint16_t>(place);
}

void read_places(JsonReader& json, std::size_t size, std::vector<std::uint16_t>& places) {
  json.array([&] { places.push_back(place_in_table(json, size)); });
}

void read_classes(JsonReader& json, Footprint& footprint) {
  Classes classes{};
  std::size_t dimension = 0;
  json.array([&] {
    if (dimension == classes.size()) throw JsonMistake{"coverage: too many classes"};
    classes.at(dimension++) = static_cast<std::uint8_t>(place_in_table(json, call_classes.size()));
  });
  if (dimension != classes.size()) throw JsonMistake{"coverage: too few classes"};
  footprint.classes = classes;
}

/// Four places a hexadecimal digit, the first in the lowest bit of the first digit.
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

Footprint footprint_of(JsonReader& json) {
  Footprint footprint;
  const std::size_t rules = oracle::all_status_rules().size();
  json.object([&](std::string_view key) {
    if (key == "flags") {
      const std::string_view flags = json.plain_text();
      footprint.is_grouped = flags.find('g') != std::string_view::npos;
      footprint.is_transposed = flags.find('t') != std::string_view::npos;
      footprint.is_empty = flags.find('e') != std::string_view::npos;
      footprint.is_legal = flags.find('l') != std::string_view::npos;
    } else if (key == "discarded") {
      footprint.discarded = json.count();
    } else if (key == "classes") {
      read_classes(json, footprint);
    } else if (key == "corners") {
      read_places(json, corners().size(), footprint.corners);
    } else if (key == "decided") {
      read_places(json, rules, footprint.decided);
    } else if (key == "kept") {
      read_bits(json.plain_text(), rules, footprint.kept);
    } else {
      json.raw();
    }
  });
  return footprint;
}

enum Key : std::uint8_t { Id, Verdict, Law, Soc, Dtypes, Cube, Outputs, Repro, KeyCount };
constexpr std::array<std::string_view, KeyCount> required{"id",    "verdict", "law",     "soc",
                                                          "dtype", "cube",    "outputs", "repro"};

/// Reads the members of one line into their places.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : json_(text) {}

  ResultsLine operator()() {
    json_.object([&](std::string_view key) {
      if (const auto* place = std::ranges::find(required, key); place != required.end()) {
        seen_.set(static_cast<std::size_t>(place - required.begin()));
      }
      member(key);
    });
    json_.end();
    if (line_.schema.empty()) throw JsonMistake{other_schema("none")};
    for (std::size_t i = 0; i < required.size(); ++i) {
      if (!seen_.test(i)) throw JsonMistake{fmt::format("\"{}\" is missing", required.at(i))};
    }
    return std::move(line_);
  }

 private:
  static std::string other_schema(std::string_view found) {
    return fmt::format("schema {}, but this program reads {}", found, results_schema());
  }

  void member(std::string_view key) {
    corpus::Verdict& verdict = line_.verdict;
    if (key == "schema") {
      line_.schema = json_.text();
      if (line_.schema != results_schema()) throw JsonMistake{other_schema(line_.schema)};
    } else if (key == "id") {
      line_.id = json_.text();
    } else if (key == "verdict") {
      verdict.outcome = named(json_.plain_text(), outcomes);
    } else if (key == "kind") {
      verdict.kind = named(json_.plain_text(), kinds);
    } else if (key == "output") {
      verdict.culprit = named(json_.plain_text(), corpus::output_roles);
    } else if (key == "law") {
      verdict.law = json_.text();
    } else if (key == "reason") {
      verdict.reason = json_.text();
    } else if (key == "rules") {
      json_.array([&] { verdict.rules.push_back(json_.text()); });
    } else if (key == "outputs") {
      json_.object([&](std::string_view role) {
        const auto place = named(role, corpus::output_roles);
        verdict.outputs.at(static_cast<std::size_t>(place)) = evidence_of(json_);
      });
    } else if (key == "milliseconds") {
      verdict.milliseconds = json_.number();
    } else {
      rare_member(key);
    }
  }

  void rare_member(std::string_view key) {
    corpus::Verdict& verdict = line_.verdict;
    if (key == "status") {
      verdict.status = static_cast<corpus::Status>(json_.integer());
    } else if (key == "admitted") {
      json_.array(
          [&] { verdict.admitted.push_back(static_cast<corpus::Status>(json_.integer())); });
    } else if (key == "tallies") {
      json_.array([&] { verdict.tallies.push_back(json_.text()); });
    } else if (key == "recipe") {
      line_.recipe = corpus::distribution_named(json_.plain_text());
    } else if (key == "soc") {
      line_.mode.soc = json_.text();
    } else if (key == "dtype") {
      line_.mode.dtypes = json_.text();
    } else if (key == "cube") {
      line_.mode.cube_math_type = static_cast<int>(json_.integer());
    } else if (key == "coverage") {
      line_.footprint = footprint_of(json_);
    } else {
      identity(key);
    }
  }

  void identity(std::string_view key) {
    if (key == "target") {
      line_.target = json_.text();
    } else if (key == "profile") {
      line_.profile = json_.text();
    } else if (key == "repro") {
      line_.repro = json_.text();
    } else if (key == "case") {
      line_.case_text = json_.raw();
    } else if (key == "seed") {
      line_.seed = json_.count();
    } else if (key == "shard") {
      read_shard();
    } else {
      json_.raw();
    }
  }

  void read_shard() {
    std::array<std::uint64_t, 2> shard{};
    std::size_t place = 0;
    json_.array([&] { shard.at(std::min<std::size_t>(place++, 1)) = json_.count(); });
    if (place != 2 || shard[0] < 1 || shard[0] > shard[1]) throw JsonMistake{"shard is not [I,N]"};
    line_.shard_index = shard[0];
    line_.shard_count = shard[1];
  }

  JsonReader json_;
  ResultsLine line_;
  std::bitset<KeyCount> seen_;
};

}  // namespace

tl::expected<ResultsLine, std::string> parse_results_line(std::string_view line) try {
  return LineReader(line)();
} catch (const JsonMistake& mistake) {
  return tl::unexpected(mistake.words);
}

}  // namespace gradproof::properties
