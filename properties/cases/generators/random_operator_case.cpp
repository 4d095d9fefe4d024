// The cases of a source that call graph operators and tiling classes.

#include <fmt/core.h>

#include <optional>
#include <span>
#include <vector>

#include "properties/cases/generators/random_case.h"

namespace gradproof::cases {
namespace {

/// Percentage of calls of graph operators and tiling classes that have a rule broken: there are as
/// many rules as half of the convolution call's.
constexpr unsigned percent_invalid_operators = 40;

/// A broken case of one of the breakers, if any is wanted and can be applied; else a legal one.
template <typename Breaker, typename Frame, typename DrawBroken, typename DrawLegal>
GeneratedCase broken_or_legal(bool invalid, const std::vector<Breaker>& breakers,
                              const std::vector<Frame>& frames, corpus::RandomSource& random,
                              DrawBroken draw_broken, DrawLegal draw_legal) {
  int discarded = 0;
  if (invalid && !breakers.empty()) {
    const auto& breaker = random.one_of(std::span<const Breaker>(breakers));
    auto broken = draw_broken(breaker, random, discarded);
    if (broken) {
      broken->source = fmt::format("generated, breaks {}", breaker.rule);
      return after_discarding(discarded, std::move(*broken));
    }
  }
  corpus::Case test_case = draw_legal(random.one_of(std::span<const Frame>(frames)));
  test_case.source = invalid ? gave_up : "generated";
  return after_discarding(discarded, std::move(test_case));
}

constexpr int tries_inside = 20;

/// The first of a few draws that lies inside; `discarded` counts what was thrown away.
template <typename Draw>
std::optional<corpus::Case> first_inside(const Selection& selection, int& discarded, Draw draw) {
  for (int i = 0; i < tries_inside; ++i) {
    int own = 0;
    auto broken = draw(own);
    discarded += own;
    if (!broken || admits(selection, *broken)) return broken;
    ++discarded;
  }
  return std::nullopt;
}

}  // namespace

std::optional<corpus::Case> CaseSource::broken_inside(const OperatorBreaker& breaker,
                                                      corpus::RandomSource& random,
                                                      int& discarded) const {
  return first_inside(selection_, discarded, [&](int& own) {
    return draw_broken_operator_case(breaker, operator_frames_, random, own);
  });
}

std::optional<corpus::Case> CaseSource::broken_inside(const TilingBreaker& breaker,
                                                      corpus::RandomSource& random,
                                                      int& discarded) const {
  return first_inside(selection_, discarded, [&](int& own) {
    return draw_broken_tiling_case(breaker, tiling_frames_, random, own);
  });
}

bool CaseSource::is_broken(corpus::RandomSource& random) const {
  const bool only_rules = !selection_.rules.empty();
  return selection_.kind == Kind::Invalid || only_rules ||
         (selection_.kind == Kind::All && random.chance(percent_invalid_operators));
}

GeneratedCase CaseSource::operator_case(corpus::RandomSource& random) const {
  const bool invalid = is_broken(random);
  const auto draw_broken = [&](const auto& breaker, auto& source, int& discarded) {
    return broken_inside(breaker, source, discarded);
  };
  return broken_or_legal(invalid, operator_breakers_, operator_frames_, random, draw_broken,
                         [&](const OperatorFrame& frame) {
                           return draw_operator_case(frame, selection_.max_macs, {}, random);
                         });
}

GeneratedCase CaseSource::tiling_case(corpus::RandomSource& random) const {
  const bool invalid = is_broken(random);
  const auto draw_broken = [&](const auto& breaker, auto& source, int& discarded) {
    return broken_inside(breaker, source, discarded);
  };
  return broken_or_legal(invalid, tiling_breakers_, tiling_frames_, random, draw_broken,
                         [&](const TilingFrame& frame) {
                           return draw_tiling_case(frame, selection_.max_macs, random);
                         });
}

}  // namespace gradproof::cases
