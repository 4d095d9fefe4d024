#pragma once

#include <algorithm>
#include <cstdint>

#include "corpus/case.h"
#include "oracle/geometry/geometry.h"
#include "oracle/gradients/dense/patch_runs.h"
#include "oracle/numbers/dense.h"
#include "oracle/operands/operands.h"
#include "oracle/sums/large_vector.h"
#include "oracle/sums/scratch.h"

namespace gradproof::oracle {

/// Adds all products of a gradient by runs of positions that are neighbours in both maps, tap by
/// tap: for groups whose few channels make short rows (product_accumulation.h).
/// Nothing is packed: maps and weight are read and written as they lie. Cost: one multiply-add for
/// each product, zero or not, and some steps for each run.
template <typename Accumulator>
class PlaneAccumulation {
 public:
  using Operand = typename Accumulator::Operand;
  using Sum = typename Accumulator::Sum;

  PlaneAccumulation(const Geometry& geometry, corpus::OutputRole role)
      : geometry_(geometry), role_(role), runs_(geometry) {}

  /// The sums in row-major order of the target's shape.
  LargeVector<Sum> operator()(const MeasuredOperand& grad_output, const MeasuredOperand& other) {
    pack(*grad_output_, grad_output);
    pack(*other_, other);
    LargeVector<Sum> sums(to_size(element_count(geometry_.shape(role_))));
    Sum* const target = sums.data();
    const Operand* const map = grad_output_->data();
    const Operand* const source = other_->data();
    if (role_ == corpus::OutputRole::GradWeight) {
      for_each_run([&](const Place& at, const PatchRun& run) {
        const Operand* const small = geometry_.transposed ? source : map;
        const Operand* const big = geometry_.transposed ? map : source;
        Accumulator::add_dot(target + at.weight, small + at.small, big + at.big, run.step,
                             run.length);
      });
    } else if (geometry_.transposed) {
      for_each_run([&](const Place& at, const PatchRun& run) {
        add(target + at.small, 1, source[at.weight], map + at.big, run.step, run.length);
      });
    } else {
      for_each_run([&](const Place& at, const PatchRun& run) {
        add(target + at.big, run.step, source[at.weight], map + at.small, 1, run.length);
      });
    }
    return sums;
  }

 private:
  /// Elements of the weight and of both maps that a run begins with.
  struct Place {
    std::int64_t weight, small, big;
  };

  static void pack(LargeVector<Operand>& result, const MeasuredOperand& operand) {
    result.resize(operand.numbers.size());
    std::ranges::transform(operand.numbers.elements(), result.begin(), [&](const Number& number) {
      return Accumulator::operand(number, operand.extent.unit);
    });
  }

  /// Adds factor * source to targets, both some steps apart.
  static void add(Sum* target, std::int64_t target_step, const Operand& factor,
                  const Operand* source, std::int64_t source_step, std::int64_t length) {
    if (target_step == 1 && source_step == 1) {
      return Accumulator::add(target, factor, source, length);
    }
    for (std::int64_t i = 0; i < length; ++i) {
      Accumulator::add(target + i * target_step, factor, source + i * source_step, 1);
    }
  }

  /// Visits all runs, by blocks of positions of an image whose sums stay in the cache for all taps.
  template <typename Visit>
  void for_each_run(const Visit& visit) {
    constexpr std::int64_t longest = 2048;
    const std::int64_t positions = geometry_.small_positions();
    for (std::int64_t n = 0; n < geometry_.batch; ++n)
      for (std::int64_t first = 0; first < positions; first += longest) {
        const std::int64_t count = std::min(longest, positions - first);
        runs_.collect({n * positions + first, count}, 0, geometry_.taps());
        visit_channels(n, first, visit);
      }
  }

  template <typename Visit>
  void visit_channels(std::int64_t n, std::int64_t first, const Visit& visit) const {
    const std::int64_t channels = geometry_.groups * geometry_.small_channels;
    const std::int64_t taps = geometry_.taps();
    for (std::int64_t channel = 0; channel < channels; ++channel) {
      const std::int64_t small = (n * channels + channel) * geometry_.small_positions() + first;
      const std::int64_t group = channel / geometry_.small_channels;
      for (std::int64_t i = 0; i < geometry_.big_channels; ++i) {
        const std::int64_t big = runs_.channel_offset(group * geometry_.big_channels + i);
        const std::int64_t weight = (channel * geometry_.big_channels + i) * taps;
        for (std::int64_t tap = 0; tap < taps; ++tap)
          for (const PatchRun& run : runs_.of_row(tap)) {
            visit(Place{weight + tap, small + run.position, big + run.offset}, run);
          }
      }
    }
  }

  const Geometry& geometry_;
  corpus::OutputRole role_;
  PatchRuns runs_;
  Scratch<Operand> grad_output_, other_;
};

}  // namespace gradproof::oracle
