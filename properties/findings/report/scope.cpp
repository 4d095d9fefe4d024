#include "properties/findings/report/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "properties/findings/report/markup.h"

namespace gradproof::findings {
namespace {

using corpus::Outcome;

std::uint64_t judged(const Summary& summary) {
  return summary.count(Outcome::Agree) + summary.count(Outcome::Disagree);
}

std::uint64_t rules_from_both_sides(const Report& report) {
  return static_cast<std::uint64_t>(std::ranges::count_if(report.rules, [](const RuleLine& rule) {
    return rule.sides.decides > 0 && rule.sides.kept > 0;
  }));
}

std::uint64_t gradients(const Report& report) {
  std::uint64_t outputs = 0;
  for (const ReportRow& row : report.rows) outputs += row.outputs;
  return outputs;
}

/// "7 products, 9 kinds of dtype, 148 rules both kept and broken, every element of 3105 gradients".
std::string extent(const Report& report) {
  std::set<std::string> products, types;
  for (const auto& [mode, outcomes] : report.summary.modes) {
    products.insert(mode.soc);
    types.insert(mode.dtypes);
  }
  return fmt::format("{}, {}, {} both kept and broken, every element of {}",
                     counted(products.size(), "product", "products"),
                     counted(types.size(), "kind of dtype", "kinds of dtype"),
                     counted(rules_from_both_sides(report), "rule", "rules"),
                     counted(gradients(report), "gradient", "gradients"));
}

}  // namespace

std::string headline(const Report& report) {
  const std::uint64_t wrong = report.summary.count(Outcome::Disagree);
  const std::uint64_t all = judged(report.summary);
  if (all == 0) return "No case was judged";
  if (wrong == 0) {
    return fmt::format("{} {} judged, no disagreement", grouped(all), all == 1 ? "case" : "cases");
  }
  return fmt::format(
      "{}, {} in {} judged {}", counted(report.findings.size(), "finding", "findings"),
      counted(wrong, "disagreement", "disagreements"), grouped(all), all == 1 ? "case" : "cases");
}

std::string scope_sentence(const Report& report) {
  const Summary& summary = report.summary;
  const std::uint64_t all = judged(summary), wrong = summary.count(Outcome::Disagree);
  if (all == 0) return "No case was judged: this report shows nothing about the target.";
  return fmt::format(
      "{} in {} of {}: {}.",
      wrong == 0 ? "No disagreement" : counted(wrong, "disagreement", "disagreements"),
      counted(all, "judged case", "judged cases"),
      counted(summary.coverage.cases, "different call", "different calls"), extent(report));
}

std::vector<OriginLine> origin_lines(const Provenance& run) {
  std::vector<OriginLine> lines{{"program", run.program},
                                {"command", run.command_line},
                                {"host", fmt::format("{}, {}, {}", run.host.name, run.host.system,
                                                     counted(run.host.cores, "core", "cores"))},
                                {"processor", run.host.processor}};
  for (const LibraryIdentity& library : run.libraries) {
    lines.push_back(
        {"library",
         fmt::format("{}, {} bytes, SHA-256 {}{}", library.path, library.bytes, library.sha256,
                     library.build_id.empty() ? std::string() : ", build id " + library.build_id)});
  }
  if (!run.toolkit.empty()) lines.push_back({"toolkit", run.toolkit});
  lines.push_back({"profile", run.profile});
  lines.push_back({"seed", std::to_string(run.seed)});
  lines.push_back(
      {"time", fmt::format("{} to {}", run.started, run.ended.empty() ? "?" : run.ended)});
  return lines;
}

}  // namespace gradproof::findings
