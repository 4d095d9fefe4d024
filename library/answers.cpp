#include "library/answers.h"

#include <nlohmann/json.hpp>

#include "corpus/case_json.h"
#include "corpus/element_values.h"

namespace gradproof::library {
namespace {

using Json = nlohmann::ordered_json;

/// Text of a target may be no UTF-8.
std::string line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json output_as_json(const corpus::OutputEvidence& evidence) {
  Json json{{"compared", evidence.compared},
            {"elements", evidence.elements},
            {"compared_elements", evidence.compared_elements},
            {"wrong_elements", evidence.breaches},
            {"error_over_bound", evidence.bound_ratio},
            {"ulp_max", evidence.ulp_max},
            {"ulp_histogram", evidence.ulp_histogram}};
  if (const auto& worst = evidence.worst) {
    json["worst"] = {{"at", worst->at},
                     {"computed", worst->computed},
                     {"exact", worst->exact},
                     {"bound", worst->bound}};
  }
  return json;
}

Json verdict_as_json(const corpus::Verdict& verdict) {
  Json json{{"outcome", corpus::name_of(verdict.outcome)},
            {"kind", corpus::name_of(verdict.kind)},
            {"law", verdict.law},
            {"reason", verdict.reason},
            {"culprit", verdict.culprit ? Json(corpus::name_of(*verdict.culprit)) : Json()}};
  for (const corpus::OutputRole role : corpus::output_roles) {
    json["outputs"][std::string(corpus::name_of(role))] =
        output_as_json(verdict.outputs.at(static_cast<std::size_t>(role)));
  }
  return json;
}

}  // namespace

std::string verdict_json(const corpus::Verdict& verdict) { return line(verdict_as_json(verdict)); }

std::string finding_json(const properties::Finding& finding, const std::string& file) {
  return line(
      {{"signature", finding.signature},
       {"case", corpus::to_json_line(finding.problem)},
       {"non_zeros", finding.problem.data ? Json(corpus::non_zero_count(finding.problem)) : Json()},
       {"minimised", finding.minimised},
       {"verdict", verdict_as_json(finding.verdict)},
       {"diagnosis", finding.diagnosis},
       {"file", file},
       {"seconds_to_find", finding.seconds_to_find},
       {"seconds_to_shrink", finding.seconds_to_shrink}});
}

std::string summary_json(const properties::CampaignResult& result, std::uint64_t seed) {
  Json counts;
  for (std::size_t i = 0; i < result.summary.outcomes.size(); ++i) {
    counts[std::string(corpus::name_of(static_cast<corpus::Outcome>(i)))] =
        result.summary.outcomes.at(i);
  }
  const auto problem = result.write_problem ? result.write_problem : result.target_problem;
  return line({{"seed", seed},
               {"seconds", result.seconds},
               {"cases", result.summary.cases()},
               {"outcomes", counts},
               {"skipped", result.summary.skip_reasons},
               {"problem", problem ? Json(*problem) : Json()},
               {"line", properties::last_line("verify", result.summary, seed, result.seconds)}});
}

}  // namespace gradproof::library
