#include "properties/report/terminal.h"

#include <fmt/format.h>

#include <iterator>

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

void precision_table(std::string& text, const Summary& summary) {
  if (summary.precision.empty()) return;
  fmt::format_to(std::back_inserter(text), "{:<26} {:<13} {:>4} {:<11} {:>9} {:>12} {:>11} {:>9}\n",
                 "dtype of dy, x, w", "product", "cube", "output", "outputs", "elements",
                 "error/bound", "max ULP");
  for (const auto& [mode, record] : summary.precision) {
    fmt::format_to(std::back_inserter(text),
                   "{:<26} {:<13} {:>4} {:<11} {:>9} {:>12} {:>11.3g} {:>9.3g}\n", mode.dtypes,
                   mode.product, mode.cube_math_type, corpus::name_of(mode.output), record.outputs,
                   record.elements, record.worst_bound_ratio, record.worst_ulp);
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
  return text;
}

}  // namespace gradproof::properties
