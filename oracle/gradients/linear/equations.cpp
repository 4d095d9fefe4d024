#include "oracle/gradients/linear/equations.h"

#include <algorithm>

#include "corpus/element_hash.h"
#include "oracle/gradients/linear/meeting_runs.h"

namespace gradproof::oracle {
namespace {

using corpus::InputRole;
using corpus::OutputRole;

/// One for each index along an axis of an output. The outputs' streams differ by role, the axes'
/// by number.
std::vector<Residue> coefficients(const LinearProblem& problem, OutputRole role, std::int64_t axis,
                                  std::int64_t count) {
  std::vector<Residue> result;
  result.reserve(to_size(count));
  const std::uint64_t stream =
      corpus::chained(corpus::chained(problem.seed, static_cast<std::int64_t>(role)), axis);
  for (std::int64_t i = 0; i < count; ++i) result.emplace_back(corpus::chained(stream, i));
  return result;
}

/// outer[i] * inner[j], row-major.
SplitResidues outer_product(const std::vector<Residue>& outer, const std::vector<Residue>& inner) {
  SplitResidues result(outer.size() * inner.size());
  std::size_t at = 0;
  for (const Residue& factor : outer) {
    for (const Residue& other : inner) result.set(at++, factor * other);
  }
  return result;
}

/// The kernel with the channels of gradInput summed by their coefficients: for each channel of
/// gradOutput and each tap.
class WeightedKernel {
 public:
  WeightedKernel(const LinearProblem& problem, const ModularDot& modular_dot,
                 const std::vector<Residue>& channels)
      : geometry_(problem.geometry),
        weight_(problem.inputs[InputRole::Weight]),
        modular_dot_(modular_dot),
        channels_(channels),
        split_(channels),
        taps_(geometry_.taps()),
        sums_(modular_dot, to_size(geometry_.shape(InputRole::GradOutput)[1] * taps_)) {}

  std::vector<Residue> operator()(IntegersSeen& seen) {
    // One dot product for each small channel.
    const bool are_dots = !geometry_.transposed && taps_ == 1;
    std::vector<Residue> dots(are_dots ? to_size(weight_.shape[0]) : 0);
    visit_pieces(weight_, 0, weight_.shape[0], modular_dot_, seen, [&](const Piece& piece) {
      if (!are_dots) return add(piece);
      Residue& sum = dots[to_size(piece.entry)];
      sum = sum + modular_dot_.dot(piece.numbers, split_, to_size(first_big(piece) + piece.first));
    });
    return are_dots ? dots : sums_.sums();
  }

 private:
  /// The first big channel of the group that the piece belongs to.
  std::int64_t first_big(const Piece& piece) const {
    return piece.entry / geometry_.small_channels * geometry_.big_channels;
  }

  void add(const Piece& piece) {
    if (geometry_.transposed) {
      return sums_.add(piece.numbers, channels_[to_size(piece.entry)],
                       to_size(first_big(piece) * taps_ + piece.first));
    }
    for_each_channel(piece, taps_, [&](std::int64_t c, std::int64_t tap, const auto& numbers) {
      sums_.add(numbers, channels_[to_size(first_big(piece) + c)],
                to_size(piece.entry * taps_ + tap));
    });
  }

  const Geometry& geometry_;
  const IntegerTensor& weight_;
  const ModularDot& modular_dot_;
  const std::vector<Residue>& channels_;
  SplitResidues split_;
  std::int64_t taps_;
  ModularDot::Columns sums_;
};

/// Factors that each element of gradOutput is multiplied with in the sum over gradInput.
SplitResidues right_table(const Geometry& geometry, const std::vector<Residue>& kernel,
                          const std::vector<Residue>& positions) {
  const Shape shape = geometry.shape(InputRole::GradOutput);
  const std::int64_t taps = geometry.taps(), size = shape[2] * shape[3] * shape[4];
  SplitResidues result(to_size(shape[1] * size));
  std::vector<ResidueSum> sums(to_size(size));
  for (std::int64_t channel = 0; channel < shape[1]; ++channel) {
    std::fill(sums.begin(), sums.end(), ResidueSum());
    for_each_meeting_run(geometry, [&](const MeetingRun& run) {
      const Residue weight = kernel[to_size(channel * taps + run.tap)];
      for (std::int64_t i = 0; i < run.count; ++i) {
        const std::int64_t small = run.small + i, big = run.big + i * run.step;
        const auto [own, other] =
            geometry.transposed ? std::pair{small, big} : std::pair{big, small};
        sums[to_size(other)].add_product(weight, positions[to_size(own)]);
      }
    });
    for (std::int64_t i = 0; i < size; ++i)
      result.set(to_size(channel * size + i), sums[to_size(i)].residue());
  }
  return result;
}

}  // namespace

void for_each_channel(const Piece& piece, std::int64_t positions,
                      const std::function<void(std::int64_t channel, std::int64_t position,
                                               const BoundedIntegers& numbers)>& use) {
  std::int64_t at = piece.first;
  auto values = piece.numbers.values;
  while (!values.empty()) {
    const std::int64_t position = at % positions;
    const std::size_t count = std::min(values.size(), to_size(positions - position));
    use(at / positions, position, {values.first(count), piece.numbers.bits});
    at += static_cast<std::int64_t>(count);
    values = values.subspan(count);
  }
}

MapEquation::MapEquation(const LinearProblem& problem, const ModularDot& modular_dot,
                         ChannelRange channels, IntegersSeen& weight_seen)
    : modular_dot_(modular_dot) {
  const Geometry& geometry = problem.geometry;
  const Shape shape = geometry.shape(OutputRole::GradInput);
  auto by_channel = coefficients(problem, OutputRole::GradInput, 1, shape[1]);
  for (std::int64_t i = 0; i < shape[1]; ++i) {
    if (i < channels.begin || i >= channels.end) by_channel[to_size(i)] = Residue();
  }
  const auto by_position =
      coefficients(problem, OutputRole::GradInput, 2, shape[2] * shape[3] * shape[4]);
  left_ = outer_product(by_channel, by_position);
  right_ = right_table(geometry, WeightedKernel(problem, modular_dot, by_channel)(weight_seen),
                       by_position);
}

WeightEquation::WeightEquation(const LinearProblem& problem, const ModularDot& modular_dot)
    : geometry_(problem.geometry),
      modular_dot_(modular_dot),
      channels_(coefficients(problem, OutputRole::GradWeight, 1, geometry_.big_channels)),
      taps_(coefficients(problem, OutputRole::GradWeight, 2, geometry_.taps())),
      big_positions_(element_count(geometry_.big_shape()) /
                     (geometry_.batch * geometry_.groups * geometry_.big_channels)),
      small_positions_(geometry_.small_positions()),
      left_(outer_product(channels_, taps_)),
      right_(to_size(geometry_.groups * geometry_.small_channels)) {}

void WeightEquation::begin_entries(std::int64_t begin, std::int64_t end) {
  begin_ = begin;
  folded_.clear();
  for (std::int64_t i = begin; i < end; ++i) {
    folded_.emplace_back(modular_dot_, to_size(geometry_.groups * big_positions_));
  }
}

void WeightEquation::add_big(const Piece& piece) {
  auto& sums = folded_[to_size(piece.entry - begin_)];
  for_each_channel(piece, big_positions_,
                   [&](std::int64_t channel, std::int64_t position, const auto& numbers) {
                     const std::int64_t group = channel / geometry_.big_channels;
                     sums.add(numbers, channels_[to_size(channel % geometry_.big_channels)],
                              to_size(group * big_positions_ + position));
                   });
}

void WeightEquation::end_big() {
  gathered_.clear();
  std::vector<ResidueSum> sums(to_size(geometry_.groups * small_positions_));
  for (auto& columns : folded_) {
    const auto& folded = columns.sums();
    std::fill(sums.begin(), sums.end(), ResidueSum());
    for (std::int64_t group = 0; group < geometry_.groups; ++group) {
      for_each_meeting_run(geometry_, [&](const MeetingRun& run) {
        const Residue tap = taps_[to_size(run.tap)];
        const std::size_t to = to_size(group * small_positions_ + run.small);
        const std::size_t from = to_size(group * big_positions_ + run.big);
        for (std::size_t i = 0; i < to_size(run.count); ++i) {
          sums[to + i].add_product(tap, folded[from + i * to_size(run.step)]);
        }
      });
    }
    auto& gathered = gathered_.emplace_back(sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) gathered.set(i, sums[i].residue());
  }
}

void WeightEquation::add_small(const Piece& piece) {
  const SplitResidues& table = gathered_[to_size(piece.entry - begin_)];
  for_each_channel(piece, small_positions_,
                   [&](std::int64_t channel, std::int64_t position, const auto& numbers) {
                     const std::int64_t group = channel / geometry_.small_channels;
                     Residue& sum = right_[to_size(channel)];
                     sum = sum + modular_dot_.dot(numbers, table,
                                                  to_size(group * small_positions_ + position));
                   });
}

}  // namespace gradproof::oracle
