#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "corpus/json/json_text.h"
#include "properties/advice/tensors/judgement.h"
#include "properties/findings/picture/picture_json.h"
#include "properties/findings/results/verdict_json.h"

namespace gradproof::advice {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has no infinity.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json elements_json(const std::vector<WrongElement>& elements) {
  Json json = Json::array();
  for (const WrongElement& element : elements) {
    json.push_back({{"at", element.at},
                    {"computed", element.computed},
                    {"exact", element.exact},
                    {"expected", element.expected.empty() ? element.exact : element.expected},
                    {"error", number(element.error)},
                    {"bound", number(element.bound)}});
  }
  return json;
}

Json json_of(const Judgement& judgement) {
  Json json = findings::verdict_json(judgement.verdict);
  for (const corpus::OutputRole role : corpus::output_roles) {
    const auto& output = judgement.outputs[role];
    Json& own = json["outputs"][std::string(corpus::name_of(role))];
    own["worst_elements"] = elements_json(output.worst);
    own["typical"] = Json();
    if (output.typical) {
      own["typical"] = {{"share", number(output.typical->share)},
                        {"elements", output.typical->elements}};
    }
    own["explanations"] = output.explanations;
    own["picture"] = output.picture ? findings::picture_json(*output.picture) : Json();
  }
  json["notes"] = judgement.notes;
  for (const Judgement& forward : judgement.forward) json["forward"] = json_of(forward);
  json["text"] = judgement_text(judgement);
  return json;
}

}  // namespace

std::string judgement_json(const Judgement& judgement) {
  return corpus::json_text(json_of(judgement));
}

}  // namespace gradproof::advice
