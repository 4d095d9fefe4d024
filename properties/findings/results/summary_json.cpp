#include "properties/findings/results/summary_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "properties/cases/coverage/coverage.h"
#include "properties/findings/results/mode_json.h"
#include "properties/findings/results/sparse_counts.h"

namespace gradproof::findings {
namespace {

using nlohmann::json;

constexpr unsigned bits_per_digit = 4;
constexpr std::string_view hex_digits = "0123456789abcdef";

/// The first bit is the lowest of the first digit.
std::string hex_of(const std::vector<bool>& bits) {
  std::vector<unsigned> values((bits.size() + bits_per_digit - 1) / bits_per_digit);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bits[i]) values[i / bits_per_digit] |= 1U << (i % bits_per_digit);
  }
  std::string text;
  for (const unsigned value : values) text += hex_digits.at(value);
  return text;
}

void set_bits(const std::string& text, std::vector<bool>& bits) {
  if (text.size() != (bits.size() + bits_per_digit - 1) / bits_per_digit) {
    throw JsonMistake{"triples are of another table"};
  }
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const std::size_t value = hex_digits.find(text[i / bits_per_digit]);
    if (value == std::string_view::npos) throw JsonMistake{"triples are no hexadecimal digits"};
    bits[i] = ((value >> (i % bits_per_digit)) & 1U) != 0;
  }
}

/// The members that are one count each.
constexpr std::uint64_t cases::Coverage::*single_counts[] = {
    &cases::Coverage::cases,   &cases::Coverage::legal,      &cases::Coverage::discarded,
    &cases::Coverage::grouped, &cases::Coverage::transposed, &cases::Coverage::empty};

/// Coverage by the places of this program's tables, as in lines of results.
nlohmann::json coverage_json(const cases::Coverage& coverage) {
  nlohmann::json counts = nlohmann::json::array();
  for (const auto member : single_counts) counts.push_back(coverage.*member);
  nlohmann::json rules = nlohmann::json::array();
  for (const cases::RuleSides& rule : coverage.rules)
    rules.push_back({rule.decides, rule.kept, rule.alone});
  return {{"counts", std::move(counts)},
          {"pairs", sparse_rows(coverage.pairs)},
          {"triples", hex_of(coverage.triples)},
          {"corners", sparse_counts(coverage.corners)},
          {"rules", std::move(rules)}};
}

/// Throws JsonMistake or nlohmann::json::exception where it is none of this program's.
cases::Coverage coverage_of_json(const nlohmann::json& saved) {
  cases::Coverage coverage;
  std::size_t place = 0;
  for (const auto member : single_counts) coverage.*member = saved.at("counts").at(place++);
  add_sparse_rows(saved.at("pairs"), coverage.pairs);
  set_bits(saved.at("triples"), coverage.triples);
  add_sparse_counts(saved.at("corners"), coverage.corners);
  for (std::size_t i = 0; i < coverage.rules.size(); ++i) {
    const nlohmann::json& rule = saved.at("rules").at(i);
    coverage.rules[i] = {.decides = rule.at(0), .kept = rule.at(1), .alone = rule.at(2)};
  }
  return coverage;
}

/// The only part that grows with a campaign, so without keys. JSON has no infinity: null.
json tolerance_json(const Tolerance& tolerance) {
  json standards = json::object();
  for (const auto& [name, count] : tolerance.standards) {
    standards[name] = {count.met, count.outputs};
  }
  return {tolerance.outputs,
          tolerance.elements,
          tolerance.exact_outputs,
          tolerance.exact_equal,
          tolerance.worst_ratio,
          tolerance.worst_ulp,
          tolerance.mare,
          tolerance.ratios.saved(),
          sparse_counts(tolerance.ulps),
          tolerance.relative_errors.saved(),
          tolerance.squares.saved(),
          std::move(standards),
          sparse_counts(tolerance.outcomes)};
}

double number_of(const json& value) {
  return value.is_null() ? std::numeric_limits<double>::infinity() : value.get<double>();
}

Tolerance tolerance_of(const json& row) {
  Tolerance tolerance;
  std::size_t place = 0;
  const auto next = [&]() -> const json& { return row.at(place++); };
  tolerance.outputs = next();
  tolerance.elements = next();
  tolerance.exact_outputs = next();
  tolerance.exact_equal = next();
  tolerance.worst_ratio = number_of(next());
  tolerance.worst_ulp = number_of(next());
  tolerance.mare = number_of(next());
  tolerance.ratios = RatioHistogram::restored(next());
  add_sparse_counts(next(), tolerance.ulps);
  tolerance.relative_errors = ExactTotal::restored(next());
  tolerance.squares = ExactTotal::restored(next());
  for (const auto& [name, count] : next().items()) {
    tolerance.standards[name] = {.met = count.at(0), .outputs = count.at(1)};
  }
  add_sparse_counts(next(), tolerance.outcomes);
  return tolerance;
}

json table_json(const ToleranceTable& table) {
  json rows = json::array();
  for (const auto& [key, tolerance] : table) {
    rows.push_back({saved_mode(key.mode), key.compute_format, corpus::name_of(key.gradient),
                    key.length, tolerance_json(tolerance)});
  }
  return rows;
}

corpus::OutputRole gradient_named(const std::string& name) {
  const auto* const found = std::ranges::find_if(
      corpus::output_roles, [&](auto role) { return corpus::name_of(role) == name; });
  if (found == corpus::output_roles.end()) throw JsonMistake{"an unknown gradient"};
  return *found;
}

ToleranceTable table_of(const json& rows) {
  ToleranceTable table;
  for (const json& row : rows) {
    const ToleranceKey key{restored_mode(row.at(0)), row.at(1).get<std::string>(),
                           gradient_named(row.at(2)), row.at(3).get<int>()};
    table[key].merge(tolerance_of(row.at(4)));
  }
  return table;
}

json answer_json(const AnswerCount& count) { return {count.calls, count.computed, count.refused}; }

AnswerCount answer_of(const json& count) {
  return {.calls = count.at(0), .computed = count.at(1), .refused = count.at(2)};
}

json answers_json(const Answers& answers) {
  json classes = json::array();
  for (const AnswerCount& count : answers.classes) classes.push_back(answer_json(count));
  return {{"all", answer_json(answers.all)}, {"classes", std::move(classes)}};
}

Answers answers_of(const json& saved) {
  Answers answers;
  answers.all = answer_of(saved.at("all"));
  for (std::size_t i = 0; i < answers.classes.size(); ++i) {
    answers.classes.at(i) = answer_of(saved.at("classes").at(i));
  }
  return answers;
}

json outcomes_json(const std::map<Mode, std::array<std::uint64_t, outcome_count>>& modes) {
  json rows = json::array();
  for (const auto& [mode, counts] : modes) {
    rows.push_back({saved_mode(mode), sparse_counts(counts)});
  }
  return rows;
}

/// The members of a summary that are counts by name, by their keys.
struct NamedCounts {
  const char* key;
  std::map<std::string, std::uint64_t> Summary::*counts;
};
constexpr NamedCounts named_counts[] = {
    {"skip_reasons", &Summary::skip_reasons},
    {"vacuous_reasons", &Summary::vacuous_reasons},
    {"not_comparable_reasons", &Summary::not_comparable_reasons},
    {"tallies", &Summary::tallies},
    {"profile_statuses", &Summary::profile_statuses},
    {"broken_rules", &Summary::broken_rules}};

}  // namespace

json counts_json(const Summary& summary) {
  json counts = {{"outcomes", sparse_counts(summary.outcomes)},
                 {"modes", outcomes_json(summary.modes)},
                 {"tolerance", table_json(summary.tolerance)},
                 {"coverage", coverage_json(summary.coverage)},
                 {"answers", answers_json(summary.answers)},
                 {"judged", summary.deviations.saved_judged()},
                 {"drawn", summary.drawn.saved()}};
  for (const NamedCounts& row : named_counts) counts[row.key] = summary.*row.counts;
  json& laws = counts["laws"] = json::object();
  for (const auto& [law, outcomes] : summary.laws) laws[law] = sparse_counts(outcomes);
  return counts;
}

Summary summary_of_counts(const json& counts) {
  Summary summary;
  add_sparse_counts(counts.at("outcomes"), summary.outcomes);
  for (const json& row : counts.at("modes")) {
    add_sparse_counts(row.at(1), summary.modes[restored_mode(row.at(0))]);
  }
  summary.tolerance = table_of(counts.at("tolerance"));
  summary.coverage = coverage_of_json(counts.at("coverage"));
  summary.answers = answers_of(counts.at("answers"));
  summary.deviations = Deviations::of_judged(counts.at("judged"));
  summary.drawn = DrawnCases::restored(counts.at("drawn"));
  for (const NamedCounts& row : named_counts) counts.at(row.key).get_to(summary.*row.counts);
  for (const auto& [law, outcomes] : counts.at("laws").items()) {
    add_sparse_counts(outcomes, summary.laws[law]);
  }
  return summary;
}

}  // namespace gradproof::findings
