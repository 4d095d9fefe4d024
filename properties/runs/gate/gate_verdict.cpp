#include "properties/runs/gate/gate_verdict.h"

#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>

#include "corpus/json/json_text.h"

namespace gradproof::runs {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t most_bytes = 2048;

std::string cut(const std::string& text, std::size_t most) {
  return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

/// Says what was found, and what explains it.
void say_finding(const GateVerdict& verdict, const std::function<std::size_t(double)>& length,
                 Json& json) {
  if (!verdict.call.empty()) json["call"] = cut(verdict.call, length(240));
  if (!verdict.data.empty()) json["data"] = cut(verdict.data, length(200));
  if (verdict.element) {
    json["element"] = {{"of", verdict.gradient},
                       {"at", verdict.element->at},
                       {"computed", cut(verdict.element->computed, 40)},
                       {"exact", cut(verdict.element->exact, 40)},
                       {"allowed", cut(verdict.element->bound, 40)}};
  }
  if (!verdict.diagnosis.empty()) json["diagnosis"] = Json::array();
  for (const std::string& sentence : verdict.diagnosis) {
    if (json["diagnosis"].size() < length(3)) {
      json["diagnosis"].push_back(cut(sentence, length(160)));
    }
  }
}

/// `share`: what of the longest words is kept.
Json json_of(const GateVerdict& verdict, double share) {
  const auto length = [&](double most) { return static_cast<std::size_t>(most * share) + 4; };
  Json json{{"gate", 1}, {"verdict", name_of(verdict.outcome)}};
  if (verdict.outcome != GateOutcome::Accepted) {
    json["why"] = {{"class", verdict.why_class},
                   {"sentence", cut(verdict.why_sentence, length(360))}};
  }
  say_finding(verdict, length, json);
  Json& asked = json["asked"] = Json::object();
  for (const auto& [name, count] : verdict.asked) {
    asked[name] = {count.asked, count.compared, count.refused};
  }
  if (!verdict.claims.empty()) json["claims"] = verdict.claims;
  json["without"] = Json::array();
  for (const std::string& name : verdict.without) json["without"].push_back(cut(name, 20));
  const std::uint64_t left = verdict.elements - verdict.compared_elements;
  json["not_compared"] = verdict.elements > 0 ? double(left) / double(verdict.elements) : 0.0;
  json["canaries"] = verdict.canaries;
  json["isolation"] = verdict.isolation;
  Json& libraries = json["libraries"] = Json::object();
  for (const auto& [name, identity] : verdict.libraries) {
    if (libraries.size() < length(12)) libraries[cut(name, 32)] = identity;
  }
  json["age"] = {{"calls", verdict.calls},
                 {"of_one_shape", verdict.of_one_shape},
                 {"seconds", verdict.seconds},
                 {"largest", verdict.largest}};
  json["residual_risk"] =
      "right for these calls, this long, up to this size: what changes with age, a date, one "
      "shape, "
      "one value, subnormal operands, or where this gate's host is known, was not excluded";
  json["next"] = "docs/verify-your-own-library.md#gate";
  json["nonce"] = verdict.nonce;
  return json;
}

}  // namespace

std::string_view name_of(GateOutcome outcome) {
  static constexpr std::string_view names[] = {"accepted", "refused", "incomplete", "ungated",
                                               "judge damaged"};
  return names[static_cast<std::size_t>(outcome)];
}

std::string gate_json(const GateVerdict& verdict) {
  std::string text;
  for (double share = 1; share > 0.05; share *= 0.7) {
    text = corpus::json_text(json_of(verdict, share), -1, true);
    if (text.size() < most_bytes) break;
  }
  return text + '\n';
}

std::string gate_line(const GateVerdict& verdict) {
  std::string line = fmt::format("gate: {}", name_of(verdict.outcome));
  if (!verdict.why_sentence.empty()) {
    line += fmt::format(": {}: {}", verdict.why_class, verdict.why_sentence);
  }
  if (!verdict.call.empty()) line += fmt::format("; {}", verdict.call);
  return line + fmt::format("; {} calls in {:.1f} s", verdict.calls, verdict.seconds);
}

}  // namespace gradproof::runs
