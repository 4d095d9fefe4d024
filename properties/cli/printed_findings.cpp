#include "properties/cli/run_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "properties/cli/colors.h"
#include "properties/findings/report/markup.h"

namespace gradproof::cli {
namespace {

constexpr std::size_t most_findings = 10;  ///< more than a person reads of a log

/// "  call    input [1,1,3] ...", a line each, the name at the first alone.
std::string lines(std::string_view name, const std::vector<std::string>& texts) {
  std::string result;
  for (const std::string& text : texts) {
    result += fmt::format("  {:<8}{}\n", result.empty() ? name : "", text);
  }
  return result;
}

std::string see(const FindingsLook& look) {
  return look.page.empty() ? std::string() : fmt::format(": {}", look.page);
}

/// What stands below the command that replays it.
std::vector<std::string> more_of(const findings::ReportFinding& finding, const FindingsLook& look) {
  std::vector<std::string> texts;
  if (finding.diagnosis.size() > 1) {
    texts.assign(finding.diagnosis.begin() + 1, finding.diagnosis.end());
  }
  if (finding.others.empty()) return texts;
  std::uint64_t cases = 0;
  for (const findings::ReportSign& other : finding.others) cases += other.cases;
  texts.push_back(fmt::format(
      "{} of the same cause, in {}{}",
      findings::counted(finding.others.size(), "more disagreement", "more disagreements"),
      findings::counted(cases, "case", "cases"), see(look)));
  return texts;
}

std::string replay_words(const findings::ReportFinding& finding, const FindingsLook& look) {
  if (!look.is_kept) return "nothing was written; --out FOLDER keeps the finding";
  return in_color(look.has_colors, Tone::Command, finding.replay);
}

std::string finding_text(const findings::ReportFinding& finding, std::size_t number,
                         const FindingsLook& look) {
  const std::string head =
      fmt::format("finding {} ({}): {}", number, findings::counted(finding.cases, "case", "cases"),
                  finding.reason);
  std::string text = in_color(look.has_colors, Tone::Wrong, head) + '\n';
  if (!finding.call.empty()) {
    text += lines("call", {finding.call + (finding.minimised ? "" : " (not made smaller)")});
  }
  if (!finding.data.empty()) text += lines("data", {finding.data});
  if (!finding.diagnosis.empty()) text += lines("why", {finding.diagnosis.front()});
  return text + lines("replay", {replay_words(finding, look)}) +
         lines("also", more_of(finding, look));
}

}  // namespace

std::string findings_text(const std::vector<findings::ReportFinding>& findings,
                          const FindingsLook& look) {
  std::string text;
  for (std::size_t i = 0; i < std::min(findings.size(), most_findings); ++i) {
    text += finding_text(findings[i], i + 1, look);
  }
  if (findings.size() > most_findings) {
    text += fmt::format(
        "{}{}\n",
        findings::counted(findings.size() - most_findings, "more finding", "more findings"),
        see(look));
  }
  return text;
}

}  // namespace gradproof::cli
