#include "properties/generators/random_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "properties/generators/valid_case.h"

namespace gradproof::properties {
namespace {

constexpr unsigned percent_invalid = 25;
constexpr std::string_view gave_up = "generated, gave up breaking a rule";
constexpr std::string_view draws_discarded = " draws discarded";

std::string unknown_rules(const Selection& selection) {
  for (const std::string& rule : selection.rules) {
    const bool known = std::ranges::any_of(
        rule_breakers(), [&](const RuleBreaker& row) { return row.rule == rule; });
    if (!known) return rule;
  }
  return {};
}

}  // namespace

CaseSource::CaseSource(Selection selection, std::vector<Frame> frames,
                       std::vector<RuleBreaker> breakers)
    : selection_(std::move(selection)),
      frames_(std::move(frames)),
      breakers_(std::move(breakers)) {}

tl::expected<CaseSource, std::string> CaseSource::of(const Selection& selection) {
  auto frames = frames_of(selection);
  if (!frames) return tl::unexpected(frames.error());
  if (const std::string rule = unknown_rules(selection); !rule.empty()) {
    return tl::unexpected(
        fmt::format("--rule {}: no generator breaks this rule; `gradproof list rules` shows those "
                    "that one does",
                    rule));
  }
  if (!selection.rules.empty() && selection.kind == Kind::Valid) {
    return tl::unexpected(std::string("--rule names rules to break, --kind valid breaks none"));
  }
  auto breakers = rule_breakers_of(selection, *frames);
  if (breakers.empty() && selection.kind != Kind::Valid) {
    return tl::unexpected(fmt::format(
        "the selection{} admits no invalid call: none of these rules speaks about the rest of it",
        options_of(selection)));
  }
  return CaseSource(selection, std::move(*frames), std::move(breakers));
}

corpus::Case CaseSource::operator()(std::uint64_t seed, std::uint64_t index) const {
  RandomSource random(seed, index);
  const bool only_rules = !selection_.rules.empty();
  const bool invalid = selection_.kind == Kind::Invalid || only_rules ||
                       (selection_.kind == Kind::All && random.chance(percent_invalid));
  corpus::Case problem;
  InvalidCase broken;
  if (invalid) broken = draw_invalid_case(breakers_, frames_, selection_, random);
  if (broken.problem) {
    problem = std::move(*broken.problem);
    problem.source = fmt::format("generated, breaks {}", broken.rule);
  } else {
    problem = draw_valid_case(draw_frame(frames_, random), selection_, random);
    problem.source = invalid ? gave_up : "generated";
  }
  if (broken.discarded > 0) {
    problem.source += fmt::format(", {}{}", broken.discarded, draws_discarded);
  }
  problem.id = fmt::format("{}-{}", seed, index);
  return problem;
}

std::uint64_t discarded_draws(const corpus::Case& problem) {
  const std::string_view source = problem.source;
  if (!source.starts_with("generated") || !source.ends_with(draws_discarded)) return 0;
  const std::size_t number = source.rfind(", ") + 2;
  return std::strtoull(problem.source.c_str() + number, nullptr, 10);
}

}  // namespace gradproof::properties
