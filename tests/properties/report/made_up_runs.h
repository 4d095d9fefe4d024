#pragma once

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <string>

#include "oracle/numbers/number_format.h"
#include "properties/cases/generators/random_case.h"
#include "properties/findings/results/results_line.h"

namespace gradproof::findings {

using corpus::Outcome;
using nlohmann::json;

/// A run of a generated case whose verdict is made up: deterministic, and of every kind.
inline RunRecord made_up(std::uint64_t i) {
  static const cases::CaseSource source = *cases::CaseSource::of({});
  std::uint64_t state = (i + 1) * 0x9E3779B97F4A7C15;
  const auto draw = [&](std::uint64_t bound) {
    state = state * 6364136223846793005 + 1442695040888963407;
    return (state >> 33) % bound;
  };
  RunRecord record{source(11, i % 50), {}, fmt::format("gradproof replay {}", i)};
  record.first_run = draw(3) > 0;
  record.is_drawn = i % 4 > 0;
  corpus::Verdict& verdict = record.verdict;
  verdict.outcome = static_cast<Outcome>(draw(outcome_count));
  verdict.law = "exactness";
  verdict.reason = fmt::format("reason {}", draw(3));
  if (verdict.outcome == Outcome::Disagree) {
    verdict.kind = corpus::DisagreementKind::Value;
    verdict.culprit = static_cast<corpus::OutputRole>(draw(3));
  }
  for (auto& evidence : verdict.outputs) {
    if (draw(3) == 0) continue;
    evidence.compared = true;
    evidence.compared_elements = 1 + draw(1000);
    evidence.ulp_histogram.at(draw(16)) = evidence.compared_elements;
    evidence.ulp_max = static_cast<double>(draw(500));
    evidence.bound_ratio = static_cast<double>(draw(1000)) / 997;
    evidence.mare = static_cast<double>(draw(1000)) / 7e5;
    evidence.mere = evidence.mare / 3;
    evidence.rmse = static_cast<double>(draw(1000)) * 1e-3;
    evidence.compute_format = oracle::name_of(static_cast<oracle::NumberFormat>(draw(3)));
    evidence.reduction_length = draw(100'000);
    evidence.sums_are_exact = draw(2) == 0;
    evidence.standards = {{.name = "relative error (FLOAT)", .met = draw(2) == 0}};
  }
  return record;
}

inline const LineHeading plain_heading{"simulated", "documented", 7};

inline std::string lines_of(std::uint64_t begin, std::uint64_t end, const LineHeading& heading) {
  std::string text;
  for (std::uint64_t i = begin; i < end; ++i) {
    text += results_line(made_up(i), heading, i) + '\n';
  }
  return text;
}

inline Summary summary_of(std::uint64_t begin, std::uint64_t end) {
  Summary summary;
  for (std::uint64_t i = begin; i < end; ++i) summary.add(made_up(i));
  return summary;
}

/// The JSON that the page is drawn from.
inline json embedded_in(const std::string& html) {
  const std::string before = "<script type=\"application/json\" id=\"report\">";
  const std::size_t begin = html.find(before) + before.size();
  return json::parse(html.substr(begin, html.find("</script>", begin) - begin));
}

}  // namespace gradproof::findings
