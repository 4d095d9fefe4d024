#include "properties/report/results_line_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "corpus/case_json.h"

namespace gradproof::properties {
namespace {

using corpus::DisagreementKind;
using corpus::Outcome;
using Json = nlohmann::json;

constexpr std::array outcomes{Outcome::Agree,         Outcome::Disagree, Outcome::Refused,
                              Outcome::NotComparable, Outcome::Skipped,  Outcome::Vacuous};
constexpr std::array kinds{DisagreementKind::Status,       DisagreementKind::Expectation,
                           DisagreementKind::Value,        DisagreementKind::NaN,
                           DisagreementKind::Untouched,    DisagreementKind::Overwritten,
                           DisagreementKind::InputChanged, DisagreementKind::Nondeterministic,
                           DisagreementKind::Leak,         DisagreementKind::Crash,
                           DisagreementKind::Timeout,      DisagreementKind::Law};

struct Mistake {
  std::string words;
};

/// The value whose name the member holds.
template <typename Values>
auto named(const Json& json, const char* key, const Values& values) {
  const auto name = json.at(key).get<std::string>();
  const auto found =
      std::ranges::find_if(values, [&](auto value) { return corpus::name_of(value) == name; });
  if (found == values.end()) throw Mistake{std::string(key) + ": unknown name \"" + name + "\""};
  return *found;
}

/// A number; null stands for one that JSON has no word for.
double number(const Json& json, const char* key) {
  const Json& value = json.at(key);
  return value.is_null() ? std::numeric_limits<double>::infinity() : value.get<double>();
}

corpus::OutputEvidence evidence_of(const Json& json) {
  corpus::OutputEvidence evidence;
  evidence.compared = true;
  evidence.compared_elements = json.at("elements");
  evidence.ulp_max = number(json, "ulp_max");
  evidence.mare = number(json, "mare");
  evidence.mere = number(json, "mere");
  evidence.rmse = number(json, "rmse");
  evidence.bound_ratio = number(json, "bound_ratio");
  std::size_t bucket = 0;
  for (const Json& count : json.at("ulp_histogram")) evidence.ulp_histogram.at(bucket++) = count;
  return evidence;
}

corpus::Verdict verdict_of(const Json& json) {
  corpus::Verdict verdict;
  verdict.outcome = named(json, "verdict", outcomes);
  if (json.contains("kind")) verdict.kind = named(json, "kind", kinds);
  if (json.contains("output")) verdict.culprit = named(json, "output", corpus::output_roles);
  verdict.law = json.at("law");
  verdict.reason = json.value("reason", "");
  if (json.contains("status")) {
    verdict.status = static_cast<corpus::Status>(json.at("status").get<std::int32_t>());
  }
  for (const Json& code : json.at("admitted")) {
    verdict.admitted.push_back(static_cast<corpus::Status>(code.get<std::int32_t>()));
  }
  verdict.rules = json.at("rules").get<std::vector<std::string>>();
  for (const auto role : corpus::output_roles) {
    const auto found = json.at("outputs").find(corpus::name_of(role));
    if (found == json.at("outputs").end()) continue;
    verdict.outputs.at(static_cast<std::size_t>(role)) = evidence_of(*found);
  }
  verdict.milliseconds = json.at("milliseconds");
  return verdict;
}

ResultsLine line_of(const Json& json) {
  ResultsLine line;
  line.id = json.at("id");
  if (json.contains("case")) {
    auto problem = corpus::parse_case(json.at("case").dump());
    if (!problem) throw Mistake{problem.error().text()};
    line.problem = std::move(*problem);
  }
  if (json.contains("recipe")) {
    line.recipe = corpus::distribution_named(json.at("recipe").get<std::string>());
  }
  line.verdict = verdict_of(json);
  line.repro = json.at("repro");
  return line;
}

}  // namespace

tl::expected<ResultsLine, std::string> parse_results_line(std::string_view line) try {
  return line_of(Json::parse(line));
} catch (const Json::exception& error) {
  return tl::unexpected<std::string>(error.what());
} catch (const Mistake& mistake) {
  return tl::unexpected(mistake.words);
} catch (const std::out_of_range&) {
  return tl::unexpected<std::string>("ulp_histogram has too many buckets");
}

}  // namespace gradproof::properties
