#include "properties/report/terminal.h"

#include <fmt/core.h>

#include <array>
#include <iterator>
#include <map>
#include <string>
#include <tuple>

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

using Columns = std::array<const Tolerance*, 3>;  ///< by OutputRole

/// "outputs  worst  typical  ULP" of one gradient.
std::string columns(const Tolerance* errors) {
  if (errors == nullptr) return fmt::format("{:>8} {:>8} {:>8} {:>8}", "-", "-", "-", "-");
  return fmt::format("{:>8} {:>8.3g} {:>8.2g} {:>8.3g}", errors->outputs, errors->worst_ratio,
                     errors->typical_ratio(), errors->worst_ulp);
}

void precision_table(std::string& text, const Summary& summary) {
  if (summary.tolerance.empty()) return;
  const ToleranceTable table = folded(summary.tolerance, [](ToleranceKey key) {
    key.length = 0;
    key.mode.soc.clear();
    return key;
  });
  std::map<std::tuple<std::string, int, std::string>, Columns> rows;
  for (const auto& [key, errors] : table) {
    rows[{key.mode.dtypes, key.mode.cube_math_type, key.compute_format}].at(
        static_cast<std::size_t>(key.gradient)) = &errors;
  }
  auto out = std::back_inserter(text);
  fmt::format_to(out,
                 "error / bound (largest, and the median of the outputs' largest) and largest "
                 "distance in ULP, by dtype, cubeMathType and compute format\n");
  fmt::format_to(out, "{:<34} |{:^36}|{:^36}|{:^36}\n", "", "gradInput", "gradWeight", "gradBias");
  fmt::format_to(out, "{:<14} {:>4} {:<14}", "dtype", "cube", "computed in");
  for (int i = 0; i < 3; ++i)
    fmt::format_to(out, " |{:>8} {:>8} {:>8} {:>8}", "outputs", "largest", "median", "ULP");
  fmt::format_to(out, "\n");
  for (const auto& [mode, gradients] : rows) {
    const auto& [dtypes, cube, format] = mode;
    // Empty problems are computed in no format.
    fmt::format_to(out, "{:<14} {:>4} {:<14}", dtypes, cube, format.empty() ? "-" : format);
    for (const Tolerance* errors : gradients) fmt::format_to(out, " |{}", columns(errors));
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
  list(text, "also observed", summary.tallies);
  list(text, "disagreements, by signature", summary.disagreements);
  list(text, "runs by profile and status", summary.profile_statuses);
  text += coverage_text(summary.coverage);
  return text;
}

}  // namespace gradproof::properties
