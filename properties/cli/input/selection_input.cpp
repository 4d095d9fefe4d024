#include "properties/cli/input/configuration_parts.h"

#include <fmt/format.h>

#include "properties/cases/laws/claims.h"
#include "properties/cases/laws/law_choice.h"

namespace gradproof::cli {
namespace {

std::optional<std::string> law_named(const std::string& name) {
  return cases::is_law_name(name) ? std::optional(name) : std::nullopt;
}

std::optional<std::string> claim_named(const std::string& name) {
  return cases::is_claim(name) ? std::optional(name) : std::nullopt;
}

tl::expected<cases::Kind, std::string> parse_kind(const std::string& text) {
  return value_among<cases::Kind>(text, {{"valid", cases::Kind::Valid},
                                         {"invalid", cases::Kind::Invalid},
                                         {"all", cases::Kind::All}});
}

/// Laws other than exactness and status speak of calls of aclnnConvolutionBackward that succeed.
Problem narrow_to_laws(cases::Selection& selection) {
  const cases::LawChoice choice = cases::law_choice(selection.laws);
  if (choice.exactness || choice.status) return std::nullopt;
  if (selection.kind == cases::Kind::Invalid) {
    return named("--law", fmt::format("{} does not apply to the calls of --kind invalid",
                                      fmt::join(selection.laws, ",")));
  }
  selection.kind = cases::Kind::Valid;
  selection.apis = {corpus::Api::ConvolutionBackward};
  return std::nullopt;
}

}  // namespace

Problem read_calls(const Arguments& arguments, cases::Selection& selection) {
  selection.apis.clear();
  if (auto problem = read_names<corpus::Api>("--api", arguments.api, selection.apis,
                                             corpus::api_named, "call that is generated")) {
    return problem;
  }
  if (selection.apis.empty())
    selection.apis.assign(cases::generated_apis.begin(), cases::generated_apis.end());
  if (auto problem = read_words<corpus::Product>("--soc", arguments.soc, selection.products,
                                                 corpus::product_from_words)) {
    return problem;
  }
  const bool has_modes = arguments.mode == modes::Prove;  // which reads them itself
  if (auto problem = read_words<corpus::DataType>("--dtype", has_modes ? Text() : arguments.dtype,
                                                  selection.dtypes, corpus::data_type_from_words)) {
    return problem;
  }
  if (auto problem =
          read_words<int>("--rank", arguments.rank, selection.ranks, cases::rank_from_words)) {
    return problem;
  }
  return read<bool>("--transposed", arguments.transposed, selection.transposed,
                    corpus::truth_from_words);
}

Problem read_demands(const Arguments& arguments, cases::Selection& selection) {
  if (auto problem = read_names<corpus::Distribution>(
          "--recipe", arguments.recipe, selection.recipes, corpus::distribution_named,
          "recipe; `gradproof list recipes` shows them")) {
    return problem;
  }
  if (auto problem = read_names<std::string>("--law", arguments.law, selection.laws, law_named,
                                             "law; `gradproof list laws` shows them")) {
    return problem;
  }
  if (auto problem =
          read_names<std::string>("--claim", arguments.claim, selection.claims, claim_named,
                                  "claim; it takes deterministic, group-invariant, "
                                  "batch-invariant, position-invariant, core-invariant "
                                  "and alignment-invariant")) {
    return problem;
  }
  if (auto problem = read_names<std::string>(
          "--rule", arguments.rule, selection.rules,
          [](const std::string& name) { return std::optional(name); }, "rule")) {
    return problem;
  }
  if (auto problem = read<cases::Kind>("--kind", arguments.kind, selection.kind, parse_kind)) {
    return problem;
  }
  return narrow_to_laws(selection);
}

}  // namespace gradproof::cli
