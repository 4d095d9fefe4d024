#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iterator>

#include "corpus/status.h"
#include "oracle/status_oracle.h"
#include "properties/cli/case_input.h"
#include "properties/cli/commands.h"
#include "properties/cli/run_command.h"
#include "properties/report/results_line.h"

namespace gradproof::properties::cli {
namespace {

using corpus::Case;
using Json = nlohmann::ordered_json;

constexpr corpus::Product every_product[] = {
    corpus::Product::Ascend310, corpus::Product::Ascend310B, corpus::Product::Ascend310P,
    corpus::Product::Ascend910, corpus::Product::Ascend910B, corpus::Product::Ascend910_93,
    corpus::Product::Ascend950};

std::vector<std::string> statuses_in_words(const std::vector<corpus::Status>& statuses) {
  std::vector<std::string> texts;
  texts.reserve(statuses.size());
  for (const corpus::Status status : statuses) texts.push_back(corpus::words(status));
  return texts;
}

void print_words(const Case& problem, oracle::Profile profile) {
  const auto admitted = oracle::admissible_statuses(problem, profile);
  if (admitted.not_judged) {
    fmt::print("{} on {}: not judged: {}\n", problem.id, problem.soc, *admitted.not_judged);
    return;
  }
  fmt::print("{} on {}: {} admits {}\n", problem.id, problem.soc, name_of(profile),
             fmt::join(statuses_in_words(admitted.statuses), " or "));
  for (const oracle::BrokenRule& rule : oracle::broken_rules(problem)) {
    fmt::print("  {}: {} ({}); alone: {}\n", rule.id, rule.words, rule.source,
               corpus::words(rule.documented));
  }
}

Json json_of(const Case& problem, oracle::Profile profile) {
  const auto admitted = oracle::admissible_statuses(problem, profile);
  Json json{{"id", problem.id}, {"soc", problem.soc}, {"profile", name_of(profile)}};
  if (admitted.not_judged) json["notJudged"] = *admitted.not_judged;
  json["admitted"] = Json::array();
  for (const corpus::Status status : admitted.statuses)
    json["admitted"].push_back(corpus::code(status));
  json["rules"] = Json::array();
  for (const oracle::BrokenRule& rule : oracle::broken_rules(problem)) {
    json["rules"].push_back({{"id", rule.id},
                             {"words", rule.words},
                             {"source", rule.source},
                             {"documented", corpus::code(rule.documented)}});
  }
  return json;
}

}  // namespace

ExitCode explain(const Arguments& arguments) {
  Arguments others = arguments;
  const bool everywhere = arguments.soc == "all";
  if (everywhere) others.soc.reset();
  const auto configuration = configuration_of(others);
  if (!configuration) return fail(ExitCode::BadUsage, configuration.error());
  const auto cases = read_case_files(arguments.operands);
  if (!cases) return fail(ExitCode::BadUsage, cases.error());
  std::vector<corpus::Product> products = configuration->selection.products;
  if (everywhere) products.assign(std::begin(every_product), std::end(every_product));
  for (const StoredCase& kept : *cases) {
    std::vector<Case> variants;
    for (const corpus::Product product : products) {
      variants.push_back(kept.problem);
      variants.back().soc = corpus::name_of(product);
    }
    if (variants.empty()) variants.push_back(kept.problem);
    for (const Case& problem : variants) {
      if (arguments.json) {
        fmt::print("{}\n", json_of(problem, configuration->profile).dump());
      } else {
        print_words(problem, configuration->profile);
      }
    }
  }
  return ExitCode::NothingDisagreed;
}

}  // namespace gradproof::properties::cli
