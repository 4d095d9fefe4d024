#include "properties/cases/generators/violations/invalid_case.h"

#include <algorithm>
#include <array>

#include "properties/cases/generators/valid_case.h"
#include "properties/targets/session/case_memory.h"

namespace gradproof::cases {
namespace {

using corpus::Case;

/// Small: what a refused call costs is its marshalling.
constexpr std::int64_t max_macs_of_invalid = 5'000;
constexpr int tries_of_invalid = 40;
/// Percentage of invalid calls that break two rules, where none is asked for: which comes first?
constexpr unsigned percent_of_pairs = 22;
/// The one rule about parameters with a status of its own: broken with another, it shows
/// precedence.
constexpr std::string_view rule_of_another_status = "F8-06";
constexpr unsigned percent_of_pairs_with_it = 80;
/// Two enlargements multiply.
constexpr std::uint64_t most_bytes_of_pair = 1U << 23;

std::vector<Frame> frames_for(const RuleBreaker& breaker, const std::vector<Frame>& frames) {
  std::vector<Frame> fitting;
  std::ranges::copy_if(frames, std::back_inserter(fitting), breaker.applies);
  return fitting;
}

Case draw_base(const RuleBreaker& breaker, const Frame& frame, const Selection& selection,
               corpus::RandomSource& random) {
  Selection small = selection;
  small.max_macs = std::min(small.max_macs, max_macs_of_invalid);
  switch (breaker.base) {
    case Base::NonEmpty:
      return draw_non_empty_case(frame, small, random, breaker.needs);
    case Base::Empty:
      return draw_empty_case(frame, small, random, breaker.needs);
    case Base::Volume:
      break;
  }
  Frame volume = frame;
  volume.rank = 5;
  return draw_non_empty_case(volume, small, random, breaker.needs);
}

bool has_rank(const std::optional<corpus::TensorCase>& tensor, std::size_t rank) {
  return tensor && tensor->shape.size() == rank;
}

/// Inputs must be there; outputs need not, but have the rank of their place.
bool has_tensors(const Case& test_case) {
  if (!test_case.input) return false;
  const std::size_t rank = test_case.input->shape.size();
  return has_rank(test_case.grad_output, rank) && has_rank(test_case.weight, rank) &&
         (!test_case.grad_input || has_rank(test_case.grad_input, rank)) &&
         (!test_case.grad_weight || has_rank(test_case.grad_weight, rank)) &&
         (!test_case.grad_bias || has_rank(test_case.grad_bias, 1));
}

/// True if breakers may add and multiply the arguments without leaving 64 bits.
bool has_moderate_arguments(const Case& test_case) {
  constexpr std::int64_t bound = std::int64_t{1} << 40;
  return std::ranges::all_of(std::array{&test_case.stride, &test_case.padding, &test_case.dilation,
                                        &test_case.output_padding},
                             [](const auto* array) {
                               return std::ranges::all_of(**array, [](std::int64_t value) {
                                 return value >= -bound && value <= bound;
                               });
                             });
}

/// True if all members that breakers read are still there; breakers expect an unbroken case.
bool is_whole(const Case& test_case) {
  if (!has_tensors(test_case)) return false;
  if (!test_case.stride || !test_case.padding || !test_case.dilation) return false;
  if (!test_case.output_padding || !test_case.output_mask) return false;
  const std::size_t rank = test_case.input->shape.size();
  if (rank < 3 || rank > 5 || test_case.output_mask->size() != 3) return false;
  const std::size_t axes = rank - 2, paddings = test_case.padding->size();
  const bool lengths_fit = test_case.stride->size() == axes && test_case.dilation->size() == axes &&
                           test_case.output_padding->size() == axes;
  return lengths_fit && (paddings == axes || (axes == 2 && paddings == 4)) &&
         has_moderate_arguments(test_case);
}

bool is_affordable(const Case& test_case) {
  return targets::memory_bytes(test_case).value_or(most_bytes_of_pair + 1) <= most_bytes_of_pair;
}

/// The case with a second rule broken, or the same case where the two do not go together. What
/// drops arguments comes last, whichever was drawn first: after it there is nothing to break.
Case with_second_break(const Case& base, Case broken, const Frame& frame, const RuleBreaker& first,
                       const RuleBreaker& second, corpus::RandomSource& random) {
  if (second.rule == first.rule || second.base != first.base || !second.applies(frame)) {
    return broken;
  }
  const bool keeps_arguments = is_whole(broken);
  const RuleBreaker& last = keeps_arguments ? second : first;
  Case twice = keeps_arguments ? broken : base;
  if (!keeps_arguments && !(second.breaks(twice, random) && is_whole(twice))) return broken;
  return last.breaks(twice, random) && is_affordable(twice) ? twice : broken;
}

}  // namespace

const std::vector<RuleBreaker>& rule_breakers() {
  static const std::vector<RuleBreaker> all = [] {
    std::vector<RuleBreaker> rows;
    for (const auto& group : {argument_breakers(), range_breakers(), size_breakers(),
                              overflow_breakers(), empty_breakers()}) {
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

InvalidCase draw_invalid_case(const std::vector<RuleBreaker>& breakers,
                              const std::vector<Frame>& frames, const Selection& selection,
                              corpus::RandomSource& random) {
  if (breakers.empty()) return {};
  const RuleBreaker& breaker = random.one_of(std::span<const RuleBreaker>(breakers));
  const std::vector<Frame> fitting = frames_for(breaker, frames);
  for (int i = 0; i < tries_of_invalid; ++i) {
    const Frame& frame = draw_frame(fitting, random);
    const Case base = draw_base(breaker, frame, selection, random);
    Case test_case = base;
    if (!breaker.breaks(test_case, random)) continue;
    const bool shows_precedence = breaker.rule == rule_of_another_status;
    const unsigned percent = shows_precedence ? percent_of_pairs_with_it : percent_of_pairs;
    if (selection.rules.empty() && random.chance(percent)) {
      const RuleBreaker& second = random.one_of(std::span<const RuleBreaker>(breakers));
      test_case = with_second_break(base, std::move(test_case), frame, breaker, second, random);
    }
    if (!admits(selection, test_case)) continue;
    return {std::move(test_case), breaker.rule, i};
  }
  return {{}, {}, tries_of_invalid};
}

}  // namespace gradproof::cases
