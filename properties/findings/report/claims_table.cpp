#include "properties/findings/report/report_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "corpus/json/json_text.h"
#include "properties/cases/laws/claims.h"

namespace gradproof::findings {
namespace {

using Json = nlohmann::ordered_json;
using cases::Axis;
using corpus::Outcome;

/// What the laws of one axis came to.
struct AxisCount {
  std::uint64_t same = 0, differ = 0, asked = 0;
  std::string finding;  ///< signature of the first that differs
};

void add_law(const Summary& summary, std::string_view law, AxisCount& count) {
  const auto found = summary.laws.find(std::string(law));
  if (found == summary.laws.end()) return;
  for (const std::uint64_t runs : found->second) count.asked += runs;
  count.same += found->second.at(to_size(Outcome::Agree));
  count.differ += found->second.at(to_size(Outcome::Disagree));
  const std::string part = fmt::format("-{}", law);
  for (const auto& [signature, runs] : summary.disagreements) {
    if (count.finding.empty() && signature.find(part) != std::string::npos) {
      count.finding = signature;
    }
  }
}

AxisCount count_on_axis(const Summary& summary, const Axis& axis) {
  AxisCount count;
  for (const std::string_view law : axis.laws) {
    if (!law.empty()) add_law(summary, law, count);
  }
  return count;
}

/// True if a law was asked that no library is held to without the claim.
bool was_claimed(const Summary& summary, std::string_view claim) {
  return std::ranges::any_of(cases::axes_of_claims(), [&](const Axis& axis) {
    return axis.claim == claim && std::ranges::any_of(axis.laws, [&](std::string_view law) {
             const auto own = std::ranges::find(cases::claim_laws(), law, &cases::Law::name);
             return own != cases::claim_laws().end() && summary.laws.contains(std::string(law));
           });
  });
}

}  // namespace

std::optional<ReportTable> claims_table(const Summary& summary) {
  ReportTable table;
  table.key = "claims";
  table.title = "Claims: the same bits, whatever differs";
  table.columns = {{"axis", "what differs between two calls", true},
                   {"claim", "", true},
                   {"same", "calls whose bits were those of the other call"},
                   {"differ", "calls whose bits were not"},
                   {"finding", "two calls that differ, made small", true}};
  Json document = Json::array();
  for (const Axis& axis : cases::axes_of_claims()) {
    if (!was_claimed(summary, axis.claim)) continue;
    const AxisCount count = count_on_axis(summary, axis);
    const std::string said = count.differ > 0 ? count.finding
                             : count.same > 0 ? "none"
                                              : "not checked";
    table.rows.push_back({{std::string(axis.name), std::string(axis.claim),
                           fmt::to_string(count.same), fmt::to_string(count.differ), said},
                          count.differ > 0});
    document.push_back({{"axis", axis.name},
                        {"claim", axis.claim},
                        {"same", count.same},
                        {"differ", count.differ},
                        {"finding", count.finding.empty() ? Json(nullptr) : Json(count.finding)}});
  }
  if (table.rows.empty()) return std::nullopt;
  table.document = corpus::json_text(document);
  return table;
}

}  // namespace gradproof::findings
