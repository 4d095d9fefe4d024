#include "properties/findings/report/comparison_json.h"

#include "properties/findings/report/json_report.h"

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

}  // namespace

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

}  // namespace gradproof::findings
