#include "properties/report/terminal.h"

#include <fmt/format.h>

#include <iterator>

#include "properties/report/coverage_text.h"

namespace gradproof::properties {
namespace {

void list(std::string& text, std::string_view heading,
          const std::map<std::string, std::uint64_t>& counts) {
  if (counts.empty()) return;
  fmt::format_to(std::back_inserter(text), "{}\n", heading);
  for (const auto& [what, count] : counts) {
    fmt::format_to(std::back_inserter(text), "  {:>8}  {}\n", count, what);
  }
}

/// "outputs  error/bound  ULP" of one gradient.
std::string columns(const PrecisionRecord& record) {
  if (record.outputs == 0) return fmt::format("{:>9} {:>8} {:>8}", "-", "-", "-");
  return fmt::format("{:>9} {:>8.3g} {:>8.3g}", record.outputs, record.worst_bound_ratio,
                     record.worst_ulp);
}

void precision_table(std::string& text, const Summary& summary) {
  if (summary.precision.empty()) return;
  auto out = std::back_inserter(text);
  fmt::format_to(out,
                 "largest error / bound and largest distance in ULP, by dtype and cubeMathType\n");
  fmt::format_to(out, "{:<19} |{:^29}|{:^29}|{:^29}\n", "", "gradInput", "gradWeight", "gradBias");
  fmt::format_to(out, "{:<14} {:>4}", "dtype", "cube");
  for (int i = 0; i < 3; ++i)
    fmt::format_to(out, " |{:>9} {:>8} {:>8}", "outputs", "e/bound", "ULP");
  fmt::format_to(out, "\n");
  for (const auto& [mode, records] : summary.precision) {
    fmt::format_to(out, "{:<14} {:>4}", mode.dtypes, mode.cube_math_type);
    for (const PrecisionRecord& record : records) fmt::format_to(out, " |{}", columns(record));
    fmt::format_to(out, "\n");
  }
}

}  // namespace

std::string terminal_report(const Summary& summary) {
  std::string text;
  precision_table(text, summary);
  list(text, "skipped, because", summary.skip_reasons);
  list(text, "vacuous, because", summary.vacuous_reasons);
  list(text, "not comparable, because", summary.not_comparable_reasons);
  list(text, "disagreements, by signature", summary.disagreements);
  text += coverage_text(summary.coverage);
  return text;
}

}  // namespace gradproof::properties
