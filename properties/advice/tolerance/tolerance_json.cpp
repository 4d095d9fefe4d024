#include <nlohmann/json.hpp>

#include "corpus/case_json.h"
#include "properties/advice/explain/typical_error.h"
#include "properties/advice/tolerance/gradient_tolerance.h"

namespace gradproof::advice {
namespace {

using Json = nlohmann::ordered_json;

std::string_view word(Opinion opinion) {
  if (opinion == Opinion::Abstains) return "none";
  return opinion == Opinion::Accepts ? "accepts" : "rejects";
}

Json json_of(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

Json json_of(const WorstRun& run) {
  Json json{{"bound", run.bound},
            {"exact", run.worst.exact},
            {"magnitude", run.worst.magnitude},
            {"element", run.worst.at},
            {"reachedInOrder", json_of(run.reached_in_order)},
            {"reached", json_of(run.reached)}};
  if (!run.not_run.empty()) json["notRun"] = run.not_run;
  json["published"] = Json::object();
  for (const StandardOpinion& standard : run.standards) {
    json["published"][std::string(standard.name)] = word(standard.opinion);
  }
  json["case"] = Json::parse(corpus::to_json_line(run.worst.call));
  return json;
}

Json json_of(const GradientTolerance& gradient) {
  const GradientComputation& computation = gradient.computation;
  Json json{{"gradient", corpus::name_of(computation.role)},
            {"longestSum", computation.longest_sum},
            {"operands", computation.operands},
            {"operandRounding", computation.operand_rounding},
            {"sumBound", computation.sum_bound},
            {"roundings", computation.roundings},
            {"outputRounding", computation.output_rounding},
            {"smallestStep", computation.smallest_step},
            {"rtol", gradient.scalar.relative},
            {"atol", gradient.scalar.absolute},
            {"timesLooser", gradient.times_looser},
            {"typical", json_of(computation.typical)},
            {"anyOrder", json_of(gradient.any_order)}};
  if (gradient.order) {
    json["order"] = json_of(gradient.order->run);
    json["order"]["roundings"] = gradient.order->roundings;
    json["order"]["sumBound"] = gradient.order->by_order;
    json["order"]["sumBoundInAnyOrder"] = gradient.order->any_order;
  }
  if (!gradient.no_order.empty()) json["noOrder"] = gradient.no_order;
  return json;
}

}  // namespace

std::string tolerance_json(const corpus::Case& test_case,
                           const std::vector<GradientTolerance>& gradients,
                           const ToleranceSettings& settings) {
  Json json{{"id", test_case.id},
            {"soc", test_case.soc},
            {"largest", settings.data.largest},
            {"data", settings.data.words}};
  json["gradients"] = Json::array();
  for (const GradientTolerance& gradient : gradients)
    json["gradients"].push_back(json_of(gradient));
  return json.dump();
}

}  // namespace gradproof::advice
