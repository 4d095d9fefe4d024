#include "properties/findings/results/verdict_json.h"

#include <string>

namespace gradproof::findings {
namespace {

using Json = nlohmann::ordered_json;

Json output_as_json(const corpus::OutputEvidence& evidence) {
  Json json{{"compared", evidence.compared},
            {"elements", evidence.elements},
            {"compared_elements", evidence.compared_elements},
            {"wrong_elements", evidence.breaches},
            {"error_over_bound", evidence.bound_ratio},
            {"ulp_max", evidence.ulp_max},
            {"ulp_histogram", evidence.ulp_histogram}};
  if (evidence.in_tiles > 0) json["in_tiles"] = evidence.in_tiles;
  if (const auto& worst = evidence.worst) {
    json["worst"] = {{"at", worst->at},
                     {"computed", worst->computed},
                     {"exact", worst->exact},
                     {"bound", worst->bound}};
  }
  return json;
}

}  // namespace

Json verdict_json(const corpus::Verdict& verdict) {
  Json json{{"outcome", corpus::name_of(verdict.outcome)},
            {"kind", corpus::name_of(verdict.kind)},
            {"law", verdict.law},
            {"reason", verdict.reason},
            {"culprit", verdict.culprit ? Json(corpus::name_of(*verdict.culprit)) : Json()}};
  for (const corpus::OutputRole role : corpus::output_roles) {
    json["outputs"][std::string(corpus::name_of(role))] = output_as_json(verdict.outputs[role]);
  }
  return json;
}

}  // namespace gradproof::findings
