#include <nlohmann/json.hpp>

#include <cmath>

#include "corpus/case_json.h"
#include "corpus/json/json_text.h"
#include "oracle/status/profile.h"
#include "properties/advice/explain/call_text.h"
#include "properties/advice/explain/explanation.h"
#include "properties/advice/explain/typical_error.h"

namespace gradproof::advice {
namespace {

using Json = nlohmann::ordered_json;

Json rule_json(const oracle::RuleFinding& rule) {
  return {{"id", rule.id},
          {"words", rule.words},
          {"source", rule.source},
          {"documented", corpus::code(rule.documented)}};
}

Json gradient_json(const GradientComputation& gradient) {
  return {{"gradient", corpus::name_of(gradient.role)},
          {"shape", gradient.shape},
          {"operands", gradient.operands},
          {"operandRounding", gradient.operand_rounding},
          {"roundings", gradient.roundings},
          {"longestSum", gradient.longest_sum},
          {"sumBound", std::isfinite(gradient.sum_bound) ? Json(gradient.sum_bound) : Json()},
          {"outputRounding", gradient.output_rounding},
          {"multiplyAccumulates", gradient.multiply_accumulates}};
}

Json computation_json(const Computation& computation, const std::optional<DataLaw>& data) {
  Json json{{"gradients", Json::array()}, {"tensorBytes", computation.tensor_bytes}};
  for (const GradientComputation& gradient : computation.gradients) {
    Json one = gradient_json(gradient);
    if (data) {
      const auto [relative, absolute] = gradient.tolerance(data->largest);
      one["rtol"] = relative;
      one["atol"] = absolute;
      one["typical"] = json_of(gradient.typical);
    }
    json["gradients"].push_back(std::move(one));
  }
  if (computation.workspace_bytes) json["workspaceBytes"] = *computation.workspace_bytes;
  return json;
}

}  // namespace

std::string explanation_json(const Explanation& explanation) {
  Json json{{"id", explanation.test_case.id},
            {"soc", explanation.test_case.soc},
            {"profile", name_of(explanation.profile)},
            {"legal", explanation.is_legal()}};
  if (explanation.admitted.not_judged) json["notJudged"] = *explanation.admitted.not_judged;
  for (const corpus::Status status : explanation.admitted.statuses)
    json["admitted"].push_back(corpus::code(status));
  if (explanation.admitted.statuses.empty()) json["admitted"] = Json::array();
  for (const corpus::Status status : explanation.released)
    json["released"].push_back(corpus::code(status));
  json["rules"] = Json::array();
  for (const auto& rule : explanation.broken) json["rules"].push_back(rule_json(rule));
  json["remedies"] = Json::array();
  for (const ChangedCall& remedy : explanation.remedies) {
    json["remedies"].push_back(
        {{"words", remedy.words}, {"case", Json::parse(corpus::to_json_line(remedy.call))}});
  }
  json["legalOn"] = explanation.legal_elsewhere;
  if (explanation.computation) {
    json["computation"] = computation_json(*explanation.computation, explanation.data);
  }
  json["case"] = Json::parse(corpus::to_json_line(explanation.test_case));
  json["python"] = python_call(explanation.test_case);
  json["c"] = c_call(explanation.test_case);
  return corpus::json_text(json);
}

}  // namespace gradproof::advice
