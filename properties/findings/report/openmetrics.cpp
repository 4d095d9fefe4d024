#include <fmt/format.h>

#include "properties/findings/report/report.h"

namespace gradproof::findings {
namespace {

/// A family with one sample for each value of its label. Names follow OpenMetrics: a counter's
/// samples end in _total.
class Family {
 public:
  Family(std::string_view name, std::string_view type, std::string_view help)
      : sample_(fmt::format("gradproof_{}{}", name, type == "counter" ? "_total" : "")),
        text_(fmt::format("# TYPE gradproof_{0} {1}\n# HELP gradproof_{0} {2}\n", name, type,
                          help)) {}

  void add(std::uint64_t value) { text_ += fmt::format("{} {}\n", sample_, value); }
  void add(std::string_view label, std::string_view name, std::uint64_t value) {
    text_ += fmt::format("{}{{{}=\"{}\"}} {}\n", sample_, label, name, value);
  }
  const std::string& text() const { return text_; }

 private:
  std::string sample_, text_;
};

}  // namespace

std::string openmetrics_report(const Report& report) {
  Family cases("cases", "counter", "Cases by outcome.");
  const auto names = outcome_names();
  for (std::size_t outcome = 0; outcome < names.size(); ++outcome) {
    cases.add("outcome", names[outcome], report.summary.outcomes.at(outcome));
  }
  Family findings("findings", "gauge", "Distinct causes of disagreements.");
  findings.add(report.findings.size());
  Family parts("parts_to_come", "gauge", "Parts that have not begun or not ended.");
  parts.add(report.head.parts_to_come);
  Family health("healthy", "gauge", "1 where the cases prove what they seem to.");
  health.add(report.health ? 0U : 1U);
  return cases.text() + findings.text() + parts.text() + health.text() + "# EOF\n";
}

}  // namespace gradproof::findings
