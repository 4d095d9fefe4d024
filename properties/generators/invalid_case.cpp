#include "properties/generators/invalid_case.h"

#include <algorithm>

#include "properties/generators/sizes.h"
#include "properties/generators/valid_case.h"

namespace gradproof::properties {
namespace {

using corpus::Case;

/// Small: what a refused call costs is its marshalling.
constexpr std::int64_t max_macs_of_invalid = 5'000;
constexpr int tries = 40;

std::vector<Frame> frames_for(const RuleBreaker& breaker, const std::vector<Frame>& frames) {
  std::vector<Frame> fitting;
  std::ranges::copy_if(frames, std::back_inserter(fitting), breaker.applies);
  return fitting;
}

Case draw_base(Base base, const Frame& frame, const Selection& selection, RandomSource& random) {
  Selection small = selection;
  small.max_macs = std::min(small.max_macs, max_macs_of_invalid);
  switch (base) {
    case Base::NonEmpty:
      return draw_non_empty_case(frame, small, random);
    case Base::Empty:
      return draw_empty_case(frame, small, random);
    case Base::Volume:
      break;
  }
  Frame volume = frame;
  volume.rank = 5;
  return draw_non_empty_case(volume, small, random);
}

}  // namespace

const std::vector<RuleBreaker>& rule_breakers() {
  static const std::vector<RuleBreaker> all = [] {
    std::vector<RuleBreaker> rows;
    for (const auto& group : {argument_breakers(), size_breakers(), empty_breakers()}) {
      rows.insert(rows.end(), group.begin(), group.end());
    }
    return rows;
  }();
  return all;
}

std::vector<RuleBreaker> rule_breakers_of(const Selection& selection,
                                          const std::vector<Frame>& frames) {
  std::vector<RuleBreaker> chosen;
  std::ranges::copy_if(rule_breakers(), std::back_inserter(chosen), [&](const RuleBreaker& row) {
    const bool named = selection.rules.empty() ||
                       std::ranges::find(selection.rules, row.rule) != selection.rules.end();
    return named && std::ranges::any_of(frames, row.applies);
  });
  return chosen;
}

std::optional<InvalidCase> draw_invalid_case(const std::vector<RuleBreaker>& breakers,
                                             const std::vector<Frame>& frames,
                                             const Selection& selection, RandomSource& random) {
  if (breakers.empty()) return std::nullopt;
  const RuleBreaker& breaker = random.one_of(std::span<const RuleBreaker>(breakers));
  const std::vector<Frame> fitting = frames_for(breaker, frames);
  for (int i = 0; i < tries; ++i) {
    Case problem = draw_base(breaker.base, draw_frame(fitting, random), selection, random);
    if (breaker.breaks(problem, random)) return InvalidCase{std::move(problem), breaker.rule};
  }
  return std::nullopt;
}

}  // namespace gradproof::properties
