#include <algorithm>

#include "oracle/gradients/linear/equations.h"
#include "oracle/gradients/linear/linear_check.h"
#include "oracle/gradients/linear/meeting_runs.h"

namespace gradproof::oracle {
namespace {

using corpus::InputRole;
using corpus::OutputRole;

/// The integers of one entry of the first axis.
std::vector<std::int32_t> entry_of(const IntegerTensor& tensor, std::int64_t entry,
                                   const ModularDot& modular_dot) {
  std::vector<std::int32_t> result(to_size(tensor.entry_size()));
  IntegersSeen seen;
  visit_pieces(tensor, entry, entry + 1, modular_dot, seen, [&](const Piece& piece) {
    std::ranges::copy(piece.numbers.values, result.begin() + piece.first);
  });
  return result;
}

const IntegerTensor& input(const LinearProblem& problem, InputRole role) {
  return problem.inputs[role];
}

/// More would only be counted.
constexpr std::size_t most_found = 64;

/// Returns the indices where exact and computed sums differ; both begin at index `first`.
std::vector<std::uint64_t> differing(const std::vector<std::int64_t>& exact,
                                     std::span<const std::int32_t> computed, std::int64_t first) {
  std::vector<std::uint64_t> result;
  for (std::size_t i = 0; i < exact.size() && result.size() < most_found; ++i) {
    if (exact[i] != computed[i]) result.push_back(static_cast<std::uint64_t>(first) + i);
  }
  return result;
}

/// One entry of gradInput.
class MapSearch {
 public:
  MapSearch(const LinearProblem& problem, std::int64_t entry, const ModularDot& modular_dot)
      : problem_(problem),
        modular_dot_(modular_dot),
        entry_(entry),
        output_(*problem.outputs[OutputRole::GradInput]) {}

  std::vector<std::uint64_t> operator()() const {
    const std::int64_t channel = wrong_channel();
    const auto computed = entry_of(output_, entry_, modular_dot_);
    const std::int64_t first = channel * output_.positions();
    return differing(exact_plane(channel),
                     std::span(computed).subspan(to_size(first), to_size(output_.positions())),
                     entry_ * output_.entry_size() + first);
  }

 private:
  /// Halving: an equation is the sum of those of its halves, so one of the two fails as well.
  std::int64_t wrong_channel() const {
    ChannelRange range{0, output_.shape[1]};
    while (range.end - range.begin > 1) {
      const std::int64_t middle = range.begin + (range.end - range.begin) / 2;
      const ChannelRange half{range.begin, middle};
      if (holds(half)) {
        range.begin = middle;
      } else {
        range = half;
      }
    }
    return range.begin;
  }

  bool holds(ChannelRange channels) const {
    IntegersSeen seen;
    const MapEquation equation(problem_, modular_dot_, channels, seen);
    Residue left, right;
    visit_pieces(output_, entry_, entry_ + 1, modular_dot_, seen,
                 [&](const Piece& piece) { left = left + equation.left(piece); });
    visit_pieces(input(problem_, InputRole::GradOutput), entry_, entry_ + 1, modular_dot_, seen,
                 [&](const Piece& piece) { right = right + equation.right(piece); });
    return left == right;
  }

  /// The exact sums of one channel of the entry, from the formula.
  std::vector<std::int64_t> exact_plane(std::int64_t channel) const {
    const Geometry& geometry = problem_.geometry;
    const bool is_small = geometry.transposed;
    const std::int64_t own = is_small ? geometry.small_channels : geometry.big_channels;
    const std::int64_t others = is_small ? geometry.big_channels : geometry.small_channels;
    const std::int64_t group = channel / own;
    const auto grad_output = entry_of(input(problem_, InputRole::GradOutput), entry_, modular_dot_);
    const std::int64_t positions = input(problem_, InputRole::GradOutput).positions();
    std::vector<std::int64_t> sums(to_size(output_.positions()));
    for (std::int64_t other = 0; other < others; ++other) {
      const auto kernel = kernel_of(channel, group * others + other);
      const std::int32_t* const map = grad_output.data() + (group * others + other) * positions;
      for_each_meeting_run(geometry, [&](const MeetingRun& run) {
        for (std::int64_t i = 0; i < run.count; ++i) {
          const std::int64_t small = run.small + i, big = run.big + i * run.step;
          sums[to_size(is_small ? small : big)] +=
              std::int64_t{kernel[to_size(run.tap)]} * map[is_small ? big : small];
        }
      });
    }
    return sums;
  }

  /// The taps between a channel of gradInput and one of gradOutput.
  std::vector<std::int32_t> kernel_of(std::int64_t own, std::int64_t other) const {
    const Geometry& geometry = problem_.geometry;
    const std::int64_t small = geometry.transposed ? own : other;
    const std::int64_t big = geometry.transposed ? other : own;
    const auto entry = entry_of(input(problem_, InputRole::Weight), small, modular_dot_);
    const std::int64_t taps = geometry.taps();
    const auto begin = entry.begin() + big % geometry.big_channels * taps;
    return {begin, begin + taps};
  }

  const LinearProblem& problem_;
  const ModularDot& modular_dot_;
  std::int64_t entry_;
  const IntegerTensor& output_;
};

/// One entry of gradWeight, from the formula: a pass over the big map.
std::vector<std::uint64_t> wrong_in_weight(const LinearProblem& problem, std::int64_t entry,
                                           const ModularDot& modular_dot) {
  const Geometry& geometry = problem.geometry;
  const auto& output = *problem.outputs[OutputRole::GradWeight];
  const auto& big = input(problem, geometry.transposed ? InputRole::GradOutput : InputRole::Input);
  const auto& small =
      input(problem, geometry.transposed ? InputRole::Input : InputRole::GradOutput);
  const std::int64_t group = entry / geometry.small_channels, taps = geometry.taps();
  std::vector<std::int64_t> sums(to_size(output.entry_size()));
  for (std::int64_t n = 0; n < geometry.batch; ++n) {
    const auto big_map = entry_of(big, n, modular_dot), small_map = entry_of(small, n, modular_dot);
    const std::int32_t* const factors = small_map.data() + entry * small.positions();
    for (std::int64_t c = 0; c < geometry.big_channels; ++c) {
      const std::int32_t* const map =
          big_map.data() + (group * geometry.big_channels + c) * big.positions();
      for_each_meeting_run(geometry, [&](const MeetingRun& run) {
        std::int64_t sum = 0;
        for (std::int64_t i = 0; i < run.count; ++i) {
          sum += std::int64_t{factors[run.small + i]} * map[run.big + i * run.step];
        }
        sums[to_size(c * taps + run.tap)] += sum;
      });
    }
  }
  return differing(sums, entry_of(output, entry, modular_dot), entry * output.entry_size());
}

}  // namespace

std::vector<std::uint64_t> wrong_elements(const LinearProblem& problem, OutputRole role,
                                          std::int64_t entry, const ModularDot& modular_dot) {
  if (role == OutputRole::GradWeight) return wrong_in_weight(problem, entry, modular_dot);
  return MapSearch(problem, entry, modular_dot)();
}

}  // namespace gradproof::oracle
