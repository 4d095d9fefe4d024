#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "oracle/geometry/geometry.h"
#include "oracle/gradients/dense/number_schemes.h"
#include "oracle/gradients/dense/panels.h"
#include "oracle/gradients/dense/patch_runs.h"
#include "oracle/numbers/dense.h"
#include "oracle/operands/bulk_conversion.h"
#include "oracle/sums/scratch.h"

namespace gradproof::oracle {

/// Steps of a block along a summation: one right panel stays in the first-level cache; a sum of at
/// most twice as many is computed in one block.
/// 256 steps of 16 columns of 8 bytes are 32 KiB.
inline std::int64_t block_depth(std::int64_t length) {
  constexpr std::int64_t usual = 256;
  return length <= 2 * usual ? std::max<std::int64_t>(length, 1) : usual;
}

/// Calls visit(first, count) for every block of a range.
template <typename Visit>
void for_each_block(std::int64_t length, std::int64_t block, Visit visit) {
  for (std::int64_t first = 0; first < length; first += block) {
    visit(first, std::min(block, length - first));
  }
}

/// The numbers of a tensor, and the binary exponent of their unit.
struct Factor {
  const Dense<Number>& numbers;
  int unit;
};

/// A part of a matrix of one group's: some lines (of a left factor the rows, of a right one the
/// columns), some steps along the summation.
struct FactorBlock {
  std::int64_t group;
  std::int64_t first_line, lines;
  std::int64_t first_step, steps;
};

/// Makes panels of blocks of the three matrices of a gradient (see DenseProducts): the small map X
/// (channels by positions), the weight W (small channels by big channels and taps), and the patches
/// P of the big map (big channels and taps by positions).
/// A factor is packed block by block, when it is needed. Conversion to integers (Number to int64,
/// in units of the tensor) is part of it; only the big map, whose elements patches read up to
/// `taps` times, is converted beforehand.
template <typename Scheme>
class FactorPacking {
 public:
  FactorPacking(const Geometry& geometry, const Scheme& scheme, InstructionSet instructions)
      : geometry_(geometry),
        scheme_(scheme),
        instructions_(instructions),
        runs_(geometry),
        columns_(geometry.taps() * geometry.big_channels),
        left_(scheme, Side::Left) {}

  const Panels<Scheme>& left() const { return left_; }
  const Panels<Scheme>& right(std::int64_t index) const {
    return right_[static_cast<std::size_t>(index)];
  }
  PatchRuns& runs() { return runs_; }

  /// Converts the elements of the big map, before patches are packed.
  void convert_big(const Factor& big) {
    big_->resize(big.numbers.size());
    integers_of(big.numbers.elements(), big.unit, big_->data(), instructions_);
  }

  /// Packs X as right factor, a column for each position of a block: panels per block of channels.
  void pack_small_columns(const Factor& small, std::int64_t group, const PositionBlock& block) {
    pack_columns(geometry_.small_channels, block, [&](std::int64_t channel, std::int64_t* to) {
      convert_small(small, group, channel, block, to);
    });
  }

  /// Packs P as right factor, a column for each position of a block: panels per block of rows.
  void pack_patch_columns(std::int64_t group, const PositionBlock& block) {
    runs_.collect(block, 0, columns_);
    pack_columns(columns_, block,
                 [&](std::int64_t row, std::int64_t* to) { gather_patch(group, row, to); });
  }

  /// Packs P transposed as right factor: lines are rows of P, steps positions.
  void pack_patch_rows(const FactorBlock& part) {
    runs_.collect({part.first_step, part.steps}, part.first_line, part.lines);
    pack_lines(right_panels(0), part, [&](std::int64_t line, std::int64_t* to) {
      gather_patch(part.group, part.first_line + line, to);
    });
  }

  /// Packs W transposed as left factor: lines are columns of W, steps small channels.
  void pack_weight_columns(const Factor& weight, const FactorBlock& part) {
    left_.resize(part.lines, part.steps);
    for (std::int64_t step = 0; step < part.steps; ++step) {
      std::int64_t* const integers = cleared(part.lines);
      convert(weight, weight_offset(part.group, part.first_step + step) + part.first_line,
              part.lines, integers);
      left_.set_step(step, integers);
    }
    left_.finish();
  }

  /// Packs W as left factor: lines are small channels, steps columns of W.
  void pack_weight_rows(const Factor& weight, const FactorBlock& part) {
    pack_lines(left_, part, [&](std::int64_t line, std::int64_t* to) {
      convert(weight, weight_offset(part.group, part.first_line + line) + part.first_step,
              part.steps, to);
    });
  }

  /// Packs X as left factor: lines are small channels, steps positions.
  void pack_small_rows(const Factor& small, const FactorBlock& part) {
    pack_lines(left_, part, [&](std::int64_t line, std::int64_t* to) {
      convert_small(small, part.group, part.first_line + line, {part.first_step, part.steps}, to);
    });
  }

  /// Offset at which a small channel's part of the weight begins.
  std::int64_t weight_offset(std::int64_t group, std::int64_t channel) const {
    return (group * geometry_.small_channels + channel) * columns_;
  }
  /// Offset at which a channel of the small map begins.
  std::int64_t small_offset(std::int64_t image, std::int64_t group, std::int64_t channel) const {
    return ((image * geometry_.groups + group) * geometry_.small_channels + channel) *
           geometry_.small_positions();
  }

 private:
  static constexpr std::int64_t most_lines = 32;  ///< of a tile

  /// Converts `count` numbers from an offset on to integers in units of 2^unit.
  void convert(const Factor& factor, std::int64_t offset, std::int64_t count,
               std::int64_t* integers) const {
    integers_of(std::span(factor.numbers.elements())
                    .subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(count)),
                factor.unit, integers, instructions_);
  }

  /// Converts a channel of the small map at the positions of a block.
  void convert_small(const Factor& small, std::int64_t group, std::int64_t channel,
                     const PositionBlock& block, std::int64_t* integers) const {
    for_each_image(
        block, geometry_.small_positions(), [&](auto image, auto within, auto at, auto length) {
          convert(small, small_offset(image, group, channel) + within, length, integers + at);
        });
  }

  /// Gathers a row of patches, among those whose runs are collected, at their block's positions.
  void gather_patch(std::int64_t group, std::int64_t row, std::int64_t* integers) const {
    const std::int64_t channel = group * geometry_.big_channels + row / geometry_.taps();
    const std::int64_t* const from = big_->data() + runs_.channel_offset(channel);
    for (const PatchRun& run : runs_.of_row(row)) {
      if (run.step == 1) {
        std::copy_n(from + run.offset, run.length, integers + run.position);
        continue;
      }
      for (std::int64_t i = 0; i < run.length; ++i) {
        integers[run.position + i] = from[run.offset + i * run.step];
      }
    }
  }

  /// Zeros for steps or lines to be written into, so many that they fill words and panels.
  std::int64_t* cleared(std::int64_t count) {
    integers_->assign(static_cast<std::size_t>(rounded_up(count, most_lines)), 0);
    return integers_->data();
  }

  Panels<Scheme>& right_panels(std::int64_t index) {
    while (static_cast<std::int64_t>(right_.size()) <= index) {
      right_.emplace_back(scheme_, Side::Right);
    }
    return right_[static_cast<std::size_t>(index)];
  }

  /// Packs columns: `write(step, integers)` writes one of `length` steps.
  template <typename Write>
  void pack_columns(std::int64_t length, const PositionBlock& block, Write write) {
    for_each_block(length, block_depth(length), [&](std::int64_t first, std::int64_t depth) {
      Panels<Scheme>& panels = right_panels(first / block_depth(length));
      panels.resize(block.count, depth);
      for (std::int64_t step = 0; step < depth; ++step) {
        std::int64_t* const integers = cleared(block.count);
        write(first + step, integers);
        panels.set_step(step, integers);
      }
      panels.finish();
    });
  }

  /// Packs lines: `write(line, integers)` writes one line.
  template <typename Write>
  void pack_lines(Panels<Scheme>& panels, const FactorBlock& part, Write write) {
    panels.resize(part.lines, part.steps);
    const std::int64_t apart = rounded_up(part.steps, words_at_once);
    for (std::int64_t index = 0; index < panels.count(); ++index) {
      std::int64_t* const integers = cleared(panels.width() * apart);
      const std::int64_t first = index * panels.width();
      const std::int64_t end = std::min(first + panels.width(), part.lines);
      for (std::int64_t line = first; line < end; ++line) {
        write(line, integers + (line - first) * apart);
      }
      panels.set_lines(index, integers, apart);
    }
    panels.finish();
  }

  const Geometry& geometry_;
  const Scheme& scheme_;
  InstructionSet instructions_;
  PatchRuns runs_;
  std::int64_t columns_;  ///< of W, and rows of P, of one group
  Scratch<std::int64_t> big_, integers_;
  Panels<Scheme> left_;
  std::vector<Panels<Scheme>> right_;
};

}  // namespace gradproof::oracle
