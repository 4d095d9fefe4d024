#include "properties/findings/report/report.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string_view>
#include <utility>

#include "corpus/case_json.h"
#include "corpus/words/file_contents.h"
#include "oracle/rules/status_rules.h"
#include "properties/cases/calls/call_in_words.h"
#include "properties/cases/laws/law.h"
#include "properties/findings/picture/picture_json.h"
#include "properties/findings/results/results_line.h"

namespace gradproof::findings {
namespace {

ReportRow row_of(const ToleranceKey& key, const Tolerance& errors) {
  ReportRow row;
  row.key = key;
  row.outputs = errors.outputs;
  row.elements = errors.elements;
  row.exact_outputs = errors.exact_outputs;
  row.exact_equal = errors.exact_equal;
  row.worst_ratio = errors.worst_ratio;
  row.typical_ratio = errors.typical_ratio();
  row.worst_ulp = errors.worst_ulp;
  row.ulp_99 = errors.ulp_quantile(0.99);
  row.ulp_999 = errors.ulp_quantile(0.999);
  row.mare = errors.mare;
  row.mere = errors.mere();
  row.rmse = errors.rmse();
  row.ulps = errors.ulps;
  row.standards = errors.standards;
  row.outcomes = errors.outcomes;
  return row;
}

std::vector<ReportRow> rows_of(const ToleranceTable& table) {
  std::vector<ReportRow> rows;
  rows.reserve(table.size());
  for (const auto& [key, errors] : table) rows.push_back(row_of(key, errors));
  return rows;
}

std::vector<LengthPoint> points_of(const ToleranceTable& table) {
  const ToleranceTable modes = folded(table, [](ToleranceKey key) {
    key.compute_format.clear();
    key.gradient = corpus::OutputRole::GradInput;
    return key;
  });
  constexpr double half_a_bucket = 0.5 / lengths_per_decade;
  std::vector<LengthPoint> points;
  for (const auto& [key, errors] : modes) {
    points.push_back({key.mode, length_of_bucket(key.length) * std::pow(10.0, half_a_bucket),
                      errors.worst_ratio, errors.typical_ratio(), errors.outputs});
  }
  return points;
}

std::vector<RuleLine> rules_of(const cases::Coverage& coverage) {
  std::vector<RuleLine> lines;
  const auto rules = oracle::all_status_rules();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    lines.push_back({std::string(rules[i].id), std::string(rules[i].demand.english),
                     coverage.rules[i], std::string(cases::why_never_decides(rules[i])),
                     std::string(cases::why_never_kept(rules[i])),
                     std::string(cases::why_never_alone(rules[i]))});
  }
  return lines;
}

/// Laws of no row: what every single call is held to.
constexpr std::pair<std::string_view, std::string_view> single_call_laws[] = {
    {"exactness", "every element lies within its bound around the exact value"},
    {"status", "each phase returns a status that the rules admit, and touches nothing else"},
    {"tiling", "a tiling class answers what the rules admit, and its blocks fit"}};

std::vector<LawLine> laws_of(const Summary& summary) {
  std::map<std::string, LawLine> lines;
  for (const auto& [name, words] : single_call_laws) {
    lines[std::string(name)] = {std::string(name), std::string(words)};
  }
  for (const cases::Law& law : cases::laws()) {
    lines[std::string(law.name)] = {std::string(law.name), std::string(law.words)};
  }
  for (const auto& [name, outcomes] : summary.laws) {
    const cases::Law* law = cases::law_named(name);
    if (law != nullptr) lines[name].words = law->words;
    lines[name].name = name;
    lines[name].outcomes = outcomes;
  }
  std::vector<LawLine> sorted;
  sorted.reserve(lines.size());
  for (auto& [name, line] : lines) sorted.push_back(std::move(line));
  const auto rank = [](const LawLine& line) {
    const auto broken = line.outcomes.at(to_size(corpus::Outcome::Disagree));
    return std::pair(broken,
                     std::accumulate(line.outcomes.begin(), line.outcomes.end(), std::uint64_t{0}));
  };
  std::ranges::stable_sort(sorted, std::ranges::greater{}, rank);
  return sorted;
}

/// A list of texts under a key; others in it are left out.
std::vector<std::string> texts_of(const nlohmann::ordered_json& json, const char* key) {
  std::vector<std::string> texts;
  if (!json.contains(key) || !json[key].is_array()) return texts;
  for (const nlohmann::ordered_json& text : json[key]) {
    if (text.is_string()) texts.push_back(text.get<std::string>());
  }
  return texts;
}

void say_call(ReportFinding& finding, const corpus::Case& test_case) {
  finding.call = cases::call_in_words(test_case);
  finding.data = cases::data_in_words(test_case);
}

/// The stored, minimised form.
std::optional<ReportFinding> stored(const std::filesystem::path& folder,
                                    const std::string& signature, const TargetIdentity& target) {
  const auto file = finding_file(folder, signature, target);
  const auto text = corpus::file_contents(file);
  if (!text) return std::nullopt;
  const auto json = nlohmann::ordered_json::parse(*text, nullptr, false);
  const auto test_case = read_finding(file);
  if (!json.is_object() || !test_case) return std::nullopt;
  ReportFinding finding;
  finding.signature = signature;
  if (json.contains("reason") && json["reason"].is_string()) {
    finding.reason = json["reason"].get<std::string>();
  }
  finding.case_text = corpus::to_json_line(*test_case);
  say_call(finding, *test_case);
  finding.diagnosis = texts_of(json, "diagnosis");
  finding.breaks_law = json.contains("law");
  finding.symptoms = texts_of(json, "symptoms");
  finding.minimised = json.contains("minimised") && json["minimised"] == true;
  finding.replay = replay_of_finding(file);
  if (json.contains("picture")) finding.picture = picture_from_json(json["picture"]);
  if (finding.picture) finding.picture_signature = signature;
  return finding;
}

/// Finds the place of a finding's deviation, where the summary counts it by the classes of calls.
std::optional<ExactPlace> where_wrong(const Summary& summary, const ReportFinding& finding) {
  if (finding.symptoms.empty()) return std::nullopt;
  return summary.deviations.place_of(finding.symptoms.front());
}

}  // namespace

std::vector<ReportFinding> findings_for_report(const Summary& summary,
                                               const std::vector<std::filesystem::path>& folders,
                                               const TargetIdentity& target) {
  std::vector<ReportFinding> findings;
  for (const auto& [signature, count] : summary.disagreements) {
    std::optional<ReportFinding> found;
    for (const auto& folder : folders) {
      if (!found) found = stored(folder, signature, target);
    }
    if (!found) {
      const auto kept = summary.examples.find(signature);
      const Example example = kept == summary.examples.end() ? Example{} : kept->second;
      found = ReportFinding{.signature = signature,
                            .reason = example.reason,
                            .case_text = example.case_text,
                            .diagnosis = {},
                            .minimised = false,
                            .replay = example.repro,
                            .cases = 0,
                            .modes = {}};
      if (const auto test_case = corpus::parse_case(example.case_text, 1)) {
        say_call(*found, *test_case);
      }
    }
    found->cases = count;
    const auto modes = summary.disagreeing_modes.find(signature);
    if (modes != summary.disagreeing_modes.end()) found->modes = modes->second;
    if (auto where = where_wrong(summary, *found)) {
      found->diagnosis.insert(found->diagnosis.begin(), where->sentence);
      found->where = std::move(where->classes);
    }
    findings.push_back(std::move(*found));
  }
  return one_for_each_cause(std::move(findings));
}

Report report_of(ReportHead head, Summary summary, std::vector<ReportFinding> findings,
                 std::vector<ReportTable> tables) {
  Report report;
  report.head = std::move(head);
  report.tables = std::move(tables);
  if (auto claims = claims_table(summary)) report.tables.push_back(std::move(*claims));
  report.rows = rows_of(by_mode(summary.tolerance));
  report.decades = rows_of(by_decade(summary.tolerance));
  report.all_products = rows_of(folded(summary.tolerance, [](ToleranceKey key) {
    key.length = 0;
    key.mode.soc.clear();
    return key;
  }));
  report.points = points_of(summary.tolerance);
  report.rules = rules_of(summary.coverage);
  report.laws = laws_of(summary);
  report.pairs = cases::pair_count(summary.coverage);
  report.triples = cases::triple_count(summary.coverage);
  report.decisions = cases::decision_count(summary.coverage);
  report.risk = residual_risk(summary, report.head.seconds);
  report.summary = std::move(summary);
  report.findings = std::move(findings);
  if (report.has_runs()) report.health = health_problem(report.summary);
  return report;
}

std::vector<std::string> risk_of(const Report& report) {
  if (!report.risk) return {};
  const ReportHead& head = report.head;
  const std::string program = head.runs.empty() ? "gradproof" : head.runs.front().program;
  return risk_sentences(*report.risk, fmt::format("{}, profile {}", program, head.profile));
}

std::vector<std::string_view> outcome_names() {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < outcome_count; ++i) {
    names.push_back(corpus::name_of(static_cast<corpus::Outcome>(i)));
  }
  return names;
}

}  // namespace gradproof::findings
