#include "bindings/library/answers.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "corpus/case_json.h"
#include "corpus/element_values.h"
#include "properties/findings/results/verdict_json.h"

namespace gradproof::library {
namespace {

using Json = nlohmann::ordered_json;

/// Text of a target may be no UTF-8.
std::string line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string verdict_json(const corpus::Verdict& verdict) {
  return line(findings::verdict_json(verdict));
}

std::string finding_json(const findings::Finding& finding, const std::string& file) {
  return line({{"signature", finding.signature},
               {"case", corpus::to_json_line(finding.test_case)},
               {"non_zeros",
                finding.test_case.data ? Json(corpus::non_zero_count(finding.test_case)) : Json()},
               {"minimised", finding.minimised},
               {"verdict", findings::verdict_json(finding.verdict)},
               {"diagnosis", finding.diagnosis},
               {"file", file},
               {"seconds_to_find", finding.seconds_to_find},
               {"seconds_to_shrink", finding.seconds_to_shrink}});
}

std::string summary_json(const runs::CampaignResult& result, const Options& options) {
  Json counts;
  for (std::size_t i = 0; i < result.summary.outcomes.size(); ++i) {
    counts[std::string(corpus::name_of(static_cast<corpus::Outcome>(i)))] =
        result.summary.outcomes.at(i);
  }
  const auto problem = result.write_problem ? result.write_problem : result.target_problem;
  const auto left_out = not_asked(options);
  std::string last = findings::last_line("verify", result.summary, options.seed, result.seconds);
  if (!left_out.empty()) last += fmt::format("; not asked: {}", fmt::join(left_out, ", "));
  return line({{"seed", options.seed},
               {"seconds", result.seconds},
               {"cases", result.summary.cases()},
               {"outcomes", counts},
               {"skipped", result.summary.skip_reasons},
               {"problem", problem ? Json(*problem) : Json()},
               {"not_asked", left_out},
               {"line", last}});
}

}  // namespace gradproof::library
