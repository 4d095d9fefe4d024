#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "corpus/json/json_text.h"
#include "properties/cases/classes/legal_combinations.h"
#include "properties/findings/report/json_report.h"
#include "properties/findings/report/markup.h"
#include "properties/findings/report/report.h"

namespace gradproof::findings {
namespace {

using Json = nlohmann::ordered_json;

/// "gradproof verify of simulated · profile documented · seed 7 · 60.1 s".
std::string headline_below(const Report& report) {
  const ReportHead& head = report.head;
  if (!report.has_runs()) return fmt::format("gradproof {}", head.command);
  return fmt::format("{} gradproof {} of {} \xC2\xB7 profile {} \xC2\xB7 seed {}{}{}",
                     scope_sentence(report), head.command, head.target, head.profile,
                     fmt::join(head.seeds, ", "),
                     head.seconds > 0 ? fmt::format(" \xC2\xB7 {:.1f} s", head.seconds) : "",
                     head.interrupted ? " \xC2\xB7 interrupted" : "");
}

Json points_json(const std::vector<LengthPoint>& points) {
  Json json = Json::array();
  for (const LengthPoint& point : points) {
    Json entry = mode_json(point.mode);
    entry["products"] = point.products;
    entry["worst"] = finite_or_null(point.worst_ratio);
    entry["typical"] = finite_or_null(point.typical_ratio);
    json.push_back(std::move(entry));
  }
  return json;
}

/// Row i: for each class before i how many calls met both, or why none may; null for classes of one
/// dimension.
Json pairs_json(const cases::Coverage& coverage) {
  Json json = Json::array();
  for (std::size_t i = 0; i < cases::call_classes.size(); ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j < i; ++j) {
      if (cases::call_classes.at(i).dimension == cases::call_classes.at(j).dimension) {
        row.push_back(nullptr);
      } else if (const auto reason = cases::why_illegal(j, i); !reason.empty()) {
        row.push_back(reason);
      } else {
        row.push_back(coverage.pairs.at(j).at(i));
      }
    }
    json.push_back(std::move(row));
  }
  return json;
}

Json table_json(const ReportTable& table) {
  Json json{{"title", table.title},
            {"lead", table.lead},
            {"columns", Json::array()},
            {"rows", Json::array()},
            {"notes", table.notes}};
  for (const ReportTable::Column& column : table.columns) {
    json["columns"].push_back(
        {{"name", column.name}, {"words", column.words}, {"is_text", column.is_text}});
  }
  for (const ReportTable::Row& row : table.rows) {
    json["rows"].push_back({{"cells", row.cells}, {"is_bad", row.is_bad}});
  }
  return json;
}

/// report.json, and what the page shows in addition. A case is a text here: JavaScript would round
/// its 64-bit seeds.
Json page_json(const Report& report) {
  Json json = report_document(report);
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    Json& finding = json["findings"][i];
    finding["case"] = report.findings[i].case_text;
    finding["call"] = report.findings[i].call;
    finding["data"] = report.findings[i].data;
    finding["modes"] = Json::array();
    for (const Mode& mode : report.findings[i].modes) finding["modes"].push_back(mode_json(mode));
  }
  for (std::size_t i = 0; i < report.rules.size(); ++i) {
    Json& rule = json["coverage"]["rules"][i];
    rule["demand"] = report.rules[i].demand;
    rule["why_never_decides"] = report.rules[i].why_never_decides;
    rule["why_never_kept"] = report.rules[i].why_never_kept;
  }
  Json& page = json["page"];
  page["has_runs"] = report.has_runs();
  page["points"] = points_json(report.points);
  page["classes"] = Json::array();
  for (const cases::CallClass& row : cases::call_classes) page["classes"].push_back(row.name);
  page["pairs"] = pairs_json(report.summary.coverage);
  page["origins"] = Json::array();
  for (const Provenance& run : report.head.runs) {
    Json lines = Json::array();
    for (const OriginLine& line : origin_lines(run)) lines.push_back({line.name, line.value});
    page["origins"].push_back(std::move(lines));
  }
  page["tables"] = Json::array();
  for (const ReportTable& table : report.tables) page["tables"].push_back(table_json(table));
  return json;
}

/// JSON for a script element: no text in it can end the element or begin a comment.
std::string embeddable(const Json& json) {
  const std::string text = corpus::json_text(json);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace

std::string html_report(const Report& report) {
  std::string page(report_page);
  const auto fill = [&page](std::string_view name, const std::string& text) {
    page.replace(page.find(name), name.size(), text);
  };
  fill("{{title}}", fmt::format("Gradproof: {} cases, {} findings", report.summary.cases(),
                                report.findings.size()));
  fill("{{headline}}", escaped(report.has_runs() ? headline(report) : report.tables.front().title));
  fill("{{about}}", escaped(headline_below(report)));
  fill("{{schema}}", std::to_string(report_schema));
  fill("{{report}}", embeddable(page_json(report)));
  return page;
}

}  // namespace gradproof::findings
