#include "properties/findings/report/json_report.h"

#include <cmath>
#include <vector>

#include "corpus/json/json_text.h"
#include "properties/findings/picture/picture_json.h"
#include "properties/findings/provenance/provenance_json.h"
#include "properties/findings/report/report.h"
#include "properties/findings/results/results_line.h"

namespace gradproof::findings {
namespace {

using Json = nlohmann::ordered_json;

Json changes_json(const std::vector<FindingChange>& changes) {
  Json json = Json::array();
  for (const FindingChange& change : changes) {
    json.push_back({{"signature", change.signature},
                    {"reason", change.reason},
                    {"cases_before", change.cases_before},
                    {"cases_now", change.cases_now}});
  }
  return json;
}

Json nearer_json(const NearerRow& row) {
  Json json = mode_json(row.key.mode);
  json["compute_format"] = row.key.compute_format;
  json["gradient"] = corpus::name_of(row.key.gradient);
  json["worst_before"] = finite_or_null(row.worst_before);
  json["worst_now"] = finite_or_null(row.worst_now);
  json["typical_before"] = finite_or_null(row.typical_before);
  json["typical_now"] = finite_or_null(row.typical_now);
  return json;
}

Json slower_json(const SlowerMode& slower) {
  Json json = mode_json(slower.mode);
  json["seconds_before"] = slower.seconds_before;
  json["seconds_now"] = slower.seconds_now;
  json["calls_before"] = slower.calls_before;
  json["calls_now"] = slower.calls_now;
  return json;
}

/// Worst errors by gradient; those without outputs are left out.
Json worst_json(const TrendPoint& point) {
  Json json = Json::object();
  for (const auto role : corpus::output_roles) {
    const double worst = point.worst[role];
    if (worst >= 0) json[std::string(corpus::name_of(role))] = finite_or_null(worst);
  }
  return json;
}

/// Converts a comparison to JSON as report.json holds it (docs/report.schema.json).
Json comparison_json(const Comparison& comparison) {
  Json json{{"name", comparison.name},
            {"notes", comparison.notes},
            {"new", changes_json(comparison.appeared)},
            {"gone", changes_json(comparison.gone)},
            {"remaining", changes_json(comparison.remaining)},
            {"nearer", Json::array()},
            {"slower", Json::array()}};
  for (const NearerRow& row : comparison.nearer) json["nearer"].push_back(nearer_json(row));
  for (const SlowerMode& mode : comparison.slower) json["slower"].push_back(slower_json(mode));
  return json;
}

Json trend_json(const std::vector<TrendPoint>& trend) {
  Json json = Json::array();
  for (const TrendPoint& point : trend) {
    json.push_back({{"name", point.name},
                    {"started", point.started},
                    {"cases", point.cases},
                    {"judged", point.judged},
                    {"disagreements", point.disagreements},
                    {"findings", point.findings},
                    {"worst", worst_json(point)},
                    {"seconds", point.seconds}});
  }
  return json;
}

Json counts(const std::array<std::uint64_t, outcome_count>& outcomes) {
  Json json = Json::object();
  const auto names = outcome_names();
  for (std::size_t i = 0; i < outcomes.size(); ++i) json[std::string(names[i])] = outcomes.at(i);
  return json;
}

Json row_json(const ReportRow& row, bool with_decade) {
  Json json = mode_json(row.key.mode);
  json["compute_format"] = row.key.compute_format;
  json["gradient"] = corpus::name_of(row.key.gradient);
  if (with_decade) json["decade"] = row.key.length;
  json["outputs"] = row.outputs;
  json["elements"] = row.elements;
  json["bound_ratio"] = {{"worst", finite_or_null(row.worst_ratio)},
                         {"typical", finite_or_null(row.typical_ratio)}};
  json["ulp"] = {{"max", finite_or_null(row.worst_ulp)},
                 {"p99", finite_or_null(row.ulp_99)},
                 {"p999", finite_or_null(row.ulp_999)},
                 {"histogram", row.ulps}};
  json["mare"] = finite_or_null(row.mare);
  json["mere"] = finite_or_null(row.mere);
  json["rmse"] = finite_or_null(row.rmse);
  json["exact_grid"] = {{"outputs", row.exact_outputs}, {"equal", row.exact_equal}};
  json["standards"] = Json::object();
  for (const auto& [name, count] : row.standards) {
    json["standards"][name] = {{"met", count.met}, {"outputs", count.outputs}};
  }
  json["verdicts"] = counts(row.outcomes);
  return json;
}

Json rows_json(const std::vector<ReportRow>& rows, bool with_decade) {
  Json json = Json::array();
  for (const ReportRow& row : rows) json.push_back(row_json(row, with_decade));
  return json;
}

Json coverage_json(const Report& report) {
  Json rules = Json::array();
  for (const RuleLine& rule : report.rules) {
    rules.push_back({{"id", rule.id},
                     {"decided", rule.sides.decides},
                     {"kept", rule.sides.kept},
                     {"alone", rule.sides.alone},
                     {"why_never_alone", rule.why_never_alone}});
  }
  const cases::Coverage& coverage = report.summary.coverage;
  Json corners = Json::object();
  for (std::size_t i = 0; i < coverage.corners.size(); ++i) {
    corners[std::string(cases::corners()[i].name)] = coverage.corners[i];
  }
  return {{"calls", coverage.cases},
          {"legal", coverage.legal},
          {"discarded", coverage.discarded},
          {"pairs", {{"legal", report.pairs.legal}, {"hit", report.pairs.hit}}},
          {"triples", {{"legal", report.triples.legal}, {"hit", report.triples.hit}}},
          {"corners", std::move(corners)},
          {"rules", std::move(rules)}};
}

Json laws_json(const std::vector<LawLine>& laws) {
  Json json = Json::array();
  for (const LawLine& law : laws) {
    json.push_back({{"name", law.name}, {"words", law.words}, {"verdicts", counts(law.outcomes)}});
  }
  return json;
}

Json others_json(const ReportFinding& finding) {
  Json json = Json::array();
  for (const ReportSign& other : finding.others) {
    json.push_back({{"signature", other.signature},
                    {"cases", other.cases},
                    {"reason", other.reason},
                    {"replay", other.replay}});
  }
  return json;
}

Json drawn_json(const ReportFinding& finding) {
  if (!finding.picture) return nullptr;
  Json json = picture_json(*finding.picture);
  json["signature"] = finding.picture_signature;
  return json;
}

Json findings_json(const std::vector<ReportFinding>& findings) {
  Json json = Json::array();
  for (const ReportFinding& finding : findings) {
    json.push_back({{"signature", finding.signature},
                    {"cases", finding.cases},
                    {"reason", finding.reason},
                    {"diagnosis", finding.diagnosis},
                    {"minimised", finding.minimised},
                    {"replay", finding.replay},
                    {"others", others_json(finding)},
                    {"picture", drawn_json(finding)},
                    {"case", Json::parse(finding.case_text, nullptr, false)}});
    if (json.back()["case"].is_discarded()) json.back()["case"] = nullptr;
  }
  return json;
}

Json goals_json(const std::vector<RiskGoal>& goals) {
  Json json = Json::array();
  for (const RiskGoal& goal : goals) {
    json.push_back({{"probability", goal.probability},
                    {"more_cases", goal.more_cases},
                    {"seconds", goal.seconds ? Json(*goal.seconds) : Json(nullptr)}});
  }
  return json;
}

Json risk_json(const Report& report) {
  if (!report.risk) return nullptr;
  const ResidualRisk& risk = *report.risk;
  Json json{{"confidence", risk_confidence},
            {"cases", risk.disagreeing.count},
            {"disagreeing", risk.disagreeing.successes},
            {"disagrees_below", risk.disagrees},
            {"goals", goals_json(risk.goals)},
            {"discovery",
             {{"second_half", risk.unseen.count},
              {"unseen", risk.unseen.successes},
              {"low", risk.discovery_low},
              {"high", risk.discovery_high},
              {"good_turing", risk.good_turing()},
              {"behaviours", risk.behaviours}}},
            {"least_tested", nullptr},
            {"chosen", {{"cases", risk.chosen}, {"disagreeing", risk.chosen_disagreeing}}},
            {"sentences", risk_of(report)}};
  if (risk.least_tested) {
    Json& least = json["least_tested"] = mode_json(*risk.least_tested);
    least["cases"] = risk.least_cases;
    least["disagrees_below"] = risk.least_limit;
  }
  return json;
}

Json modes_json(const Summary& summary) {
  Json modes = Json::array();
  for (const auto& [mode, outcomes] : summary.modes) {
    Json entry = mode_json(mode);
    entry["verdicts"] = counts(outcomes);
    modes.push_back(std::move(entry));
  }
  return modes;
}

}  // namespace

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json mode_json(const Mode& mode) {
  return {{"soc", mode.soc}, {"dtype", mode.dtypes}, {"cubeMathType", mode.cube_math_type}};
}

Json report_document(const Report& report) {
  const ReportHead& head = report.head;
  const Summary& summary = report.summary;
  Json json;
  json["schema"] = report_schema;
  json["results_schema"] = results_schema();
  json["command"] = head.command;
  json["target"] = head.target;
  json["profile"] = head.profile;
  json["seeds"] = head.seeds;
  json["seconds"] = head.seconds;
  json["interrupted"] = head.interrupted;
  json["notes"] = head.notes;
  json["verdict"] = scope_sentence(report);
  json["runs"] = Json::array();
  for (const Provenance& run : head.runs) json["runs"].push_back(provenance_json(run));
  json["health_problem"] = report.health ? Json(*report.health) : Json(nullptr);
  json["cases"] = summary.cases();
  json["residual_risk"] = risk_json(report);
  json["verdicts"] = counts(summary.outcomes);
  json["reasons"] = {{"skipped", summary.skip_reasons},
                     {"vacuous", summary.vacuous_reasons},
                     {"not_comparable", summary.not_comparable_reasons}};
  json["tallies"] = summary.tallies;
  json["profile_statuses"] = summary.profile_statuses;
  json["modes"] = modes_json(summary);
  json["tolerance"] = rows_json(report.rows, false);
  json["tolerance_by_decade"] = rows_json(report.decades, true);
  json["coverage"] = coverage_json(report);
  json["laws"] = laws_json(report.laws);
  json["findings"] = findings_json(report.findings);
  json["baseline"] = report.baseline ? comparison_json(*report.baseline) : Json(nullptr);
  json["trend"] = trend_json(report.trend);
  for (const ReportTable& table : report.tables) {
    if (!table.document.empty()) json[table.key] = Json::parse(table.document, nullptr, false);
  }
  return json;
}

std::string json_report(const Report& report) {
  return corpus::json_text(report_document(report), 1) + '\n';
}

}  // namespace gradproof::findings
