#include "properties/report/results_line.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <iterator>
#include <span>
#include <vector>

#include "corpus/case_json.h"
#include "oracle/arithmetic_model.h"

namespace gradproof::properties {
namespace {

using corpus::Outcome;
using corpus::OutputEvidence;

/// Written piece by piece: a campaign writes millions of these lines, and a tree of objects costs
/// more than a case.
class Line {
 public:
  void key(std::string_view name) {
    text_ += text_.empty() ? "{" : ",";
    fmt::format_to(std::back_inserter(text_), "\"{}\":", name);
  }
  void text(std::string_view name, std::string_view value) {
    key(name);
    text_ += nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  void raw(std::string_view name, std::string_view json) {
    key(name);
    text_ += json;
  }
  template <typename T>
  void integers(std::string_view name, const T& values) {
    raw(name, fmt::format("[{}]", fmt::join(values, ",")));
  }
  void number(std::string_view name, double value) {
    raw(name, std::isfinite(value) ? fmt::format("{}", value) : "null");
  }
  std::string finished() && { return text_.empty() ? "{}" : std::move(text_) + "}"; }

 private:
  std::string text_;
};

/// The buckets up to the last that holds anything.
std::span<const std::uint64_t> filled(const std::array<std::uint64_t, 16>& histogram) {
  std::size_t size = histogram.size();
  while (size > 1 && histogram[size - 1] == 0) --size;
  return {histogram.data(), size};
}

std::string json_of(const corpus::WorstElement& worst) {
  Line line;
  line.integers("index", worst.at);
  line.text("computed", worst.computed);
  line.text("exact", worst.exact);
  line.text("bound", worst.bound);
  return std::move(line).finished();
}

std::string standards_json(const OutputEvidence& evidence) {
  Line line;
  for (const corpus::StandardResult& standard : evidence.standards) {
    line.raw(standard.name, standard.met ? "true" : "false");
  }
  return std::move(line).finished();
}

std::string json_of(const OutputEvidence& evidence, bool with_worst) {
  Line line;
  line.raw("elements", fmt::format("{}", evidence.compared_elements));
  line.number("ulp_max", evidence.ulp_max);
  line.integers("ulp_histogram", filled(evidence.ulp_histogram));
  line.number("mare", evidence.mare);
  line.number("mere", evidence.mere);
  line.number("rmse", evidence.rmse);
  line.number("bound_ratio", evidence.bound_ratio);
  // Empty problems are computed in no format.
  if (!evidence.compute_format.empty()) line.text("format", evidence.compute_format);
  line.raw("terms", fmt::format("{}", evidence.reduction_length));
  if (evidence.sums_are_exact) line.raw("exact", "true");
  if (!evidence.standards.empty()) line.raw("standards", standards_json(evidence));
  if (with_worst && evidence.worst) line.raw("worst", json_of(*evidence.worst));
  return std::move(line).finished();
}

std::string outputs_json(const RunRecord& record) {
  Line line;
  for (const auto role : corpus::output_roles) {
    const auto& evidence = record.verdict.outputs[static_cast<std::size_t>(role)];
    // Where everything is exact there is no worst element to look at.
    const bool with_worst = evidence.breaches > 0 || evidence.ulp_max > 0;
    if (evidence.compared) line.raw(corpus::name_of(role), json_of(evidence, with_worst));
  }
  return std::move(line).finished();
}

/// Four places a hexadecimal digit: most rules are kept by most calls.
std::string bits_of(const std::vector<std::uint16_t>& places) {
  std::string digits;
  std::vector<unsigned> values;
  for (const std::uint16_t place : places) {
    if (place / 4U >= values.size()) values.resize(place / 4U + 1);
    values[place / 4U] |= 1U << (place % 4U);
  }
  for (const unsigned value : values) digits += "0123456789abcdef"[value];
  return digits;
}

std::string coverage_json(const Footprint& footprint) {
  Line line;
  std::string flags;
  if (footprint.is_grouped) flags += 'g';
  if (footprint.is_transposed) flags += 't';
  if (footprint.is_empty) flags += 'e';
  if (footprint.is_legal) flags += 'l';
  line.raw("flags", fmt::format("\"{}\"", flags));
  if (footprint.discarded > 0) line.raw("discarded", fmt::format("{}", footprint.discarded));
  if (footprint.classes) line.integers("classes", *footprint.classes);
  if (!footprint.corners.empty()) line.integers("corners", footprint.corners);
  if (!footprint.decided.empty()) line.integers("decided", footprint.decided);
  if (!footprint.kept.empty()) {
    line.raw("kept", fmt::format("\"{}\"", bits_of(footprint.kept)));
  }
  return std::move(line).finished();
}

void add_heading(Line& line, const LineHeading& heading, std::uint64_t number) {
  line.raw("schema", fmt::format("\"{}\"", results_schema()));
  line.raw("seed", fmt::format("{}", heading.seed));
  line.raw("line", fmt::format("{}", number));
  if (heading.shard_count > 1) {
    line.raw("shard", fmt::format("[{},{}]", heading.shard_index, heading.shard_count));
  }
  line.text("target", heading.target);
  line.text("profile", name_of(heading.profile));
}

void add_mode(Line& line, const corpus::Case& problem) {
  const Mode mode = mode_of(problem);
  line.text("soc", mode.soc);
  line.text("dtype", mode.dtypes);
  line.raw("cube", fmt::format("{}", mode.cube_math_type));
}

std::string rules_json(const corpus::Verdict& verdict) {
  return nlohmann::json(verdict.rules).dump();
}

}  // namespace

std::string_view name_of(oracle::Profile profile) {
  switch (profile) {
    case oracle::Profile::Documented:
      return "documented";
    case oracle::Profile::Released:
      return "released";
    case oracle::Profile::Tolerant:
      break;
  }
  return "tolerant";
}

const std::string& results_schema() {
  static const std::string schema = "1-" + tables_fingerprint();
  return schema;
}

Mode mode_of(const corpus::Case& problem) {
  const int math_type = oracle::math_type_of(problem);
  std::string_view first;
  for (const auto role : corpus::input_roles) {
    if (!corpus::is_operand(problem, role)) continue;
    const auto& tensor = corpus::tensor(problem, role);
    const std::string_view name = tensor ? corpus::name_of(tensor->dtype) : "null";
    if (!first.empty() && name != first) return {problem.soc, "mixed", math_type};
    first = name;
  }
  return {problem.soc, std::string(first), math_type};
}

std::string results_line(const RunRecord& record, const LineHeading& heading,
                         std::uint64_t number) {
  const corpus::Verdict& verdict = record.verdict;
  Line line;
  line.text("id", record.problem.id);
  if (verdict.outcome == Outcome::Disagree) line.raw("case", corpus::to_json_line(record.problem));
  add_heading(line, heading, number);
  add_mode(line, record.problem);
  line.text("law", verdict.law);
  if (record.problem.data) line.text("recipe", corpus::name_of(record.problem.data->distribution));
  line.text("verdict", corpus::name_of(verdict.outcome));
  if (verdict.outcome == Outcome::Disagree) line.text("kind", corpus::name_of(verdict.kind));
  if (verdict.culprit) line.text("output", corpus::name_of(*verdict.culprit));
  if (verdict.outcome != Outcome::Agree) line.text("reason", verdict.reason);
  if (!verdict.tallies.empty()) line.raw("tallies", nlohmann::json(verdict.tallies).dump());
  if (verdict.status) line.raw("status", fmt::format("{}", corpus::code(*verdict.status)));
  std::vector<std::int32_t> admitted;
  for (const corpus::Status status : verdict.admitted) admitted.push_back(corpus::code(status));
  line.integers("admitted", admitted);
  line.raw("rules", rules_json(verdict));
  line.raw("outputs", outputs_json(record));
  if (const auto footprint = footprint_of(record)) line.raw("coverage", coverage_json(*footprint));
  line.raw("milliseconds", fmt::format("{:.3f}", verdict.milliseconds));
  line.text("repro", record.repro);
  return std::move(line).finished();
}

}  // namespace gradproof::properties
