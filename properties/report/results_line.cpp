#include "properties/report/results_line.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <iterator>
#include <span>

#include "corpus/case_json.h"

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

std::string json_of(const OutputEvidence& evidence, bool with_worst) {
  Line line;
  line.raw("elements", fmt::format("{}", evidence.compared_elements));
  line.number("ulp_max", evidence.ulp_max);
  line.integers("ulp_histogram", filled(evidence.ulp_histogram));
  line.number("mare", evidence.mare);
  line.number("mere", evidence.mere);
  line.number("rmse", evidence.rmse);
  line.number("bound_ratio", evidence.bound_ratio);
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

std::string results_line(const RunRecord& record, std::string_view target,
                         oracle::Profile profile) {
  const corpus::Verdict& verdict = record.verdict;
  Line line;
  line.text("id", record.problem.id);
  if (verdict.outcome == Outcome::Disagree) line.raw("case", corpus::to_json_line(record.problem));
  line.text("target", target);
  line.text("profile", name_of(profile));
  line.text("law", verdict.law);
  if (record.problem.data) line.text("recipe", corpus::name_of(record.problem.data->distribution));
  line.text("verdict", corpus::name_of(verdict.outcome));
  if (verdict.outcome == Outcome::Disagree) line.text("kind", corpus::name_of(verdict.kind));
  if (verdict.culprit) line.text("output", corpus::name_of(*verdict.culprit));
  if (verdict.outcome != Outcome::Agree) line.text("reason", verdict.reason);
  if (verdict.status) line.raw("status", fmt::format("{}", corpus::code(*verdict.status)));
  std::vector<std::int32_t> admitted;
  for (const corpus::Status status : verdict.admitted) admitted.push_back(corpus::code(status));
  line.integers("admitted", admitted);
  line.raw("rules", rules_json(verdict));
  line.raw("outputs", outputs_json(record));
  line.raw("milliseconds", fmt::format("{:.3f}", verdict.milliseconds));
  line.text("repro", record.repro);
  return std::move(line).finished();
}

}  // namespace gradproof::properties
