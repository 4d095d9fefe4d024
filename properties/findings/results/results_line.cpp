#include "properties/findings/results/results_line.h"

#include <fmt/compile.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "corpus/case_json.h"
#include "oracle/arithmetic/arithmetic_model.h"

namespace gradproof::findings {
namespace {

using corpus::Outcome;
using corpus::OutputEvidence;

bool is_plain(char c) { return c >= ' ' && c < 0x7F && c != '"' && c != '\\'; }

void append_quoted(std::string& text, std::string_view value) {
  if (!std::ranges::all_of(value, is_plain)) {
    text += nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return;
  }
  text += '"';
  text += value;
  text += '"';
}

template <typename Integer>
void append_integer(std::string& text, Integer value) {
  const fmt::format_int digits(value);
  text.append(digits.data(), digits.size());
}

/// Written piece by piece, into one text: 2.5 us a line, where nlohmann's tree takes 5.8 to copy
/// and dump and more to build. A campaign writes millions of these lines, at 200 us a case.
class Object {
 public:
  explicit Object(std::string& text) : text_(text) { text_ += '{'; }
  ~Object() { text_ += '}'; }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  void key(std::string_view name) {
    if (!std::exchange(is_first_, false)) text_ += ',';
    text_ += '"';
    text_ += name;
    text_ += "\":";
  }
  void text(std::string_view name, std::string_view value) {
    key(name);
    append_quoted(text_, value);
  }
  void raw(std::string_view name, std::string_view json) {
    key(name);
    text_ += json;
  }
  template <typename Integer>
  void integer(std::string_view name, Integer value) {
    key(name);
    append_integer(text_, value);
  }
  template <typename Range>
  void integers(std::string_view name, const Range& values) {
    row(name, values, [&](auto value) { append_integer(text_, value); });
  }
  void texts(std::string_view name, const std::vector<std::string>& values) {
    row(name, values, [&](const std::string& value) { append_quoted(text_, value); });
  }
  void number(std::string_view name, double value) {
    key(name);
    if (value == 0 && !std::signbit(value)) {
      text_ += '0';
    } else if (std::isfinite(value)) {
      fmt::format_to(std::back_inserter(text_), FMT_COMPILE("{}"), value);
    } else {
      text_ += "null";
    }
  }
  void milliseconds(std::string_view name, double value) {
    key(name);
    fmt::format_to(std::back_inserter(text_), FMT_COMPILE("{:.3f}"), value);
  }
  template <typename Fill>
  void object(std::string_view name, Fill&& fill) {
    key(name);
    Object inner(text_);
    std::forward<Fill>(fill)(inner);
  }

 private:
  template <typename Range, typename Append>
  void row(std::string_view name, const Range& values, Append&& append) {
    key(name);
    text_ += '[';
    bool is_first = true;
    for (const auto& value : values) {
      if (!std::exchange(is_first, false)) text_ += ',';
      append(value);
    }
    text_ += ']';
  }

  std::string& text_;
  bool is_first_ = true;
};

/// The buckets up to the last that holds anything.
std::span<const std::uint64_t> filled(const std::array<std::uint64_t, 16>& histogram) {
  std::size_t size = histogram.size();
  while (size > 1 && histogram[size - 1] == 0) --size;
  return {histogram.data(), size};
}

void add_worst(Object& line, const corpus::WorstElement& worst) {
  line.integers("index", worst.at);
  line.text("computed", worst.computed);
  line.text("exact", worst.exact);
  line.text("bound", worst.bound);
}

void add_evidence(Object& line, const OutputEvidence& evidence) {
  line.integer("elements", evidence.compared_elements);
  line.number("ulp_max", evidence.ulp_max);
  line.integers("ulp_histogram", filled(evidence.ulp_histogram));
  line.number("mare", evidence.mare);
  line.number("mere", evidence.mere);
  line.number("rmse", evidence.rmse);
  line.number("bound_ratio", evidence.bound_ratio);
  // Empty problems are computed in no format.
  if (!evidence.compute_format.empty()) line.text("format", evidence.compute_format);
  line.integer("terms", evidence.reduction_length);
  if (evidence.sums_are_exact) line.raw("exact", "true");
  if (!evidence.standards.empty()) {
    line.object("standards", [&](Object& standards) {
      for (const corpus::StandardResult& standard : evidence.standards) {
        standards.raw(standard.name, standard.met ? "true" : "false");
      }
    });
  }
  // Where everything is exact there is no worst element to look at.
  const bool has_worst = evidence.worst && (evidence.breaches > 0 || evidence.ulp_max > 0);
  if (has_worst) line.object("worst", [&](Object& worst) { add_worst(worst, *evidence.worst); });
}

void add_outputs(Object& line, const RunRecord& record) {
  for (const auto role : corpus::output_roles) {
    const auto& evidence = record.verdict.outputs[role];
    if (!evidence.compared) continue;
    line.object(corpus::name_of(role), [&](Object& output) { add_evidence(output, evidence); });
  }
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

void add_coverage(Object& line, const cases::Footprint& footprint) {
  std::string flags;
  if (footprint.is_grouped) flags += 'g';
  if (footprint.is_transposed) flags += 't';
  if (footprint.is_empty) flags += 'e';
  if (footprint.is_legal) flags += 'l';
  line.text("flags", flags);
  if (footprint.discarded > 0) line.integer("discarded", footprint.discarded);
  if (footprint.classes) line.integers("classes", *footprint.classes);
  if (!footprint.corners.empty()) line.integers("corners", footprint.corners);
  if (!footprint.decided.empty()) line.integers("decided", footprint.decided);
  if (footprint.broken_alone) line.integer("alone", *footprint.broken_alone);
  if (!footprint.kept.empty()) line.text("kept", bits_of(footprint.kept));
}

/// Adds the heading up to the line's number, which is left out.
void add_heading(Object& line, const LineHeading& heading) {
  line.text("schema", results_schema());
  line.integer("seed", heading.seed);
  line.key("line");
}

void add_rest_of_heading(Object& line, const LineHeading& heading) {
  if (heading.shard_count > 1) {
    line.integers("shard", std::array{heading.shard_index, heading.shard_count});
  }
  line.text("target", heading.target);
  line.text("profile", heading.profile);
}

void add_mode(Object& line, const corpus::Case& test_case) {
  const Mode mode = mode_of(test_case);
  line.text("soc", mode.soc);
  line.text("dtype", mode.dtypes);
  line.integer("cube", mode.cube_math_type);
}

void add_verdict(Object& line, const RunRecord& record) {
  const corpus::Verdict& verdict = record.verdict;
  if (record.profile) line.text("held_to", oracle::name_of(*record.profile));
  line.text("law", verdict.law);
  if (record.test_case.data)
    line.text("recipe", corpus::name_of(record.test_case.data->distribution));
  line.text("verdict", corpus::name_of(verdict.outcome));
  if (verdict.outcome == Outcome::Disagree) line.text("kind", corpus::name_of(verdict.kind));
  if (verdict.culprit) line.text("output", corpus::name_of(*verdict.culprit));
  if (verdict.outcome != Outcome::Agree) line.text("reason", verdict.reason);
  if (record.is_drawn) line.raw("drawn", "true");
  if (!verdict.tallies.empty()) line.raw("tallies", nlohmann::json(verdict.tallies).dump());
  if (verdict.status) line.integer("status", corpus::code(*verdict.status));
  std::vector<std::int32_t> admitted;
  for (const corpus::Status status : verdict.admitted) admitted.push_back(corpus::code(status));
  line.integers("admitted", admitted);
  line.texts("rules", verdict.rules);
}

}  // namespace

const std::string& results_schema() {
  static const std::string schema = "2-" + cases::tables_fingerprint();
  return schema;
}

std::string other_schema(std::string_view found) {
  return fmt::format("schema {}, but this program reads {}", found, results_schema());
}

Mode mode_of(const corpus::Case& test_case) {
  const int math_type = oracle::math_type_of(test_case);
  std::string_view first;
  for (const auto role : corpus::input_roles) {
    if (!corpus::is_operand(test_case, role)) continue;
    const auto& tensor = corpus::tensor(test_case, role);
    const std::string_view name = tensor ? corpus::name_of(tensor->dtype) : "null";
    if (!first.empty() && name != first) return {test_case.soc, "mixed", math_type};
    first = name;
  }
  return {test_case.soc, std::string(first), math_type};
}

ResultsText results_text(const RunRecord& record, const LineHeading& heading) {
  ResultsText result;
  {
    Object line(result.text);
    line.text("id", record.test_case.id);
    if (record.verdict.outcome == Outcome::Disagree) {
      line.raw("case", corpus::to_json_line(record.test_case));
    }
    add_heading(line, heading);
    result.number_at = result.text.size();
    add_rest_of_heading(line, heading);
    add_mode(line, record.test_case);
    add_verdict(line, record);
    line.object("outputs", [&](Object& outputs) { add_outputs(outputs, record); });
    if (const auto footprint = footprint_of(record)) {
      line.object("coverage", [&](Object& coverage) { add_coverage(coverage, *footprint); });
    }
    line.milliseconds("milliseconds", record.verdict.milliseconds);
    line.text("repro", record.repro);
  }
  return result;
}

void ResultsText::append_to(std::string& lines, std::uint64_t number) const {
  lines.append(text, 0, number_at);
  append_integer(lines, number);
  lines.append(text, number_at);
  lines += '\n';
}

std::string results_line(const RunRecord& record, const LineHeading& heading,
                         std::uint64_t number) {
  std::string line;
  results_text(record, heading).append_to(line, number);
  line.pop_back();
  return line;
}

}  // namespace gradproof::findings
