#include <fmt/core.h>

#include "properties/findings/report/markup.h"
#include "properties/findings/report/report.h"

namespace gradproof::findings {
namespace {

std::string mode_name(const Mode& mode) {
  return fmt::format("{} {} cubeMathType {}", mode.soc, mode.dtypes, mode.cube_math_type);
}

std::uint64_t disagreed(const std::array<std::uint64_t, outcome_count>& outcomes) {
  return outcomes.at(to_size(corpus::Outcome::Disagree));
}

/// One test for each mode: passes while nothing in it disagrees.
std::string modes_suite(const Report& report) {
  std::string tests;
  std::uint64_t failures = 0;
  for (const auto& [mode, outcomes] : report.summary.modes) {
    tests += fmt::format("    <testcase classname=\"gradproof.modes\" name=\"{}\"",
                         escaped(mode_name(mode)));
    if (disagreed(outcomes) == 0) {
      tests += "/>\n";
      continue;
    }
    ++failures;
    tests += fmt::format(">\n      <failure message=\"{} disagreed\"/>\n    </testcase>\n",
                         counted(disagreed(outcomes), "case", "cases"));
  }
  return fmt::format(
      "  <testsuite name=\"modes\" tests=\"{}\" failures=\"{}\" errors=\"0\">\n{}"
      "  </testsuite>\n",
      report.summary.modes.size(), failures, tests);
}

std::string finding_test(const ReportFinding& finding) {
  std::string body = finding.reason + '\n';
  for (const std::string& sentence : finding.diagnosis) body += "- " + sentence + '\n';
  for (const std::string* line : {&finding.call, &finding.data, &finding.replay}) {
    if (!line->empty()) body += *line + '\n';
  }
  for (const ReportSign& other : finding.others) {
    body += fmt::format("of the same cause: {}, {}: {}\n", other.signature,
                        counted(other.cases, "case", "cases"), other.replay);
  }
  return fmt::format(
      "    <testcase classname=\"gradproof.findings\" name=\"{}\">\n      <failure "
      "message=\"{}\">{}</failure>\n    </testcase>\n",
      escaped(finding.signature), escaped(finding.reason), escaped(body));
}

std::string findings_suite(const Report& report) {
  std::string tests;
  for (const ReportFinding& finding : report.findings) tests += finding_test(finding);
  return fmt::format(
      "  <testsuite name=\"findings\" tests=\"{0}\" failures=\"{0}\" errors=\"0\">\n"
      "{1}  </testsuite>\n",
      report.findings.size(), tests);
}

/// The verdict in a sentence, and where each run comes from.
std::string properties_of(const Report& report) {
  std::string text = "  <properties>\n";
  const auto add = [&](std::string_view name, std::string_view value) {
    text +=
        fmt::format("    <property name=\"{}\" value=\"{}\"/>\n", escaped(name), escaped(value));
  };
  add("verdict", scope_sentence(report));
  for (const Provenance& run : report.head.runs) {
    for (const OriginLine& line : origin_lines(run)) add(line.name, line.value);
  }
  return text + "  </properties>\n";
}

}  // namespace

std::string junit_report(const Report& report) {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gradproof {}\" "
      "time=\"{:.3f}\">\n{}{}{}</testsuites>\n",
      escaped(report.head.command), report.head.seconds, properties_of(report), modes_suite(report),
      findings_suite(report));
}

}  // namespace gradproof::findings
