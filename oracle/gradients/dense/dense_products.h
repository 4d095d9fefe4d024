#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "oracle/geometry/geometry.h"
#include "oracle/gradients/dense/factor_packing.h"
#include "oracle/gradients/dense/number_schemes.h"
#include "oracle/gradients/dense/panels.h"
#include "oracle/gradients/dense/patch_runs.h"
#include "oracle/numbers/dense.h"
#include "oracle/sums/exact_tensor.h"
#include "oracle/sums/large_vector.h"
#include "oracle/sums/scratch.h"
#include "oracle/sums/wide_sum.h"

namespace gradproof::oracle {

/// Rows and columns of a block of sums: the left panels of a block stay in the second-level cache.
/// Of positions there are more, since a left factor is packed again for every block of them; as
/// many as leave the sums of all planes there too. 128 lines of 256 steps of 8 bytes are 256 KiB;
/// sums of 128 lines by 1024 positions in two planes, or 256 positions in up to six, 2 MiB and 1.5
/// MiB.
inline constexpr std::int64_t block_lines = 128;
inline std::int64_t block_positions(std::size_t planes) { return planes <= 2 ? 1024 : 256; }

/// All products of one gradient as matrix products (im2col, col2im). With X the small map (channels
/// by positions), P the patches of the big map (channels and taps by positions) and W the weight
/// (small channels by big channels and taps), group by group:
/// gradInput: P = W^T X, patches added where they lie; of a transposed convolution X = W P;
/// gradWeight: W = X P^T.
/// Positions count over the batch, so X is channels x (N * small positions).
/// All of them are multiplied as they lie in memory: nothing is brought into another order but
/// within a panel. Sums are integers, so that blocks and their order change no result.
/// Why these are the gradients: y = W P is the ordinary convolution (im2col). For L with dy =
/// dL/dy, dW = dy P^T and dP = W^T dy; P is a linear selection of x (with zeros for padding), P = S
/// x, so dx = S^T dP adds each entry of dP where it was read (col2im).
/// Source: K. Chellapilla, S. Puri and P. Simard, High performance convolutional neural networks
/// for document processing (2006), for the lowering.
template <typename Scheme, typename Result>
class DenseProducts {
 public:
  using Sum = typename Scheme::Sum;

  DenseProducts(const Geometry& geometry, const Scheme& scheme, InstructionSet instructions)
      : geometry_(geometry),
        scheme_(scheme),
        factors_(geometry, scheme, instructions),
        channels_(geometry.small_channels),
        columns_(geometry.taps() * geometry.big_channels),
        positions_(geometry.batch * geometry.small_positions()),
        sums_(scheme) {}

  // The left factor of each product is the first operand.

  /// P = W^T X. With more than one tap patches overlap, so their sums are added in planes of the
  /// whole map and combined at the end.
  ExactTensor big_gradient(const Factor& weight, const Factor& small) {
    const auto size = to_size(element_count(geometry_.big_shape()));
    LargeVector<Result> result(size);
    target_.clear();
    for (std::size_t plane = 0; geometry_.taps() > 1 && plane < scheme_.planes(); ++plane) {
      target_.emplace_back()->assign(size, Sum{});
    }
    if (channels_ > 0) {
      for_each_group_and_block([&](std::int64_t group, const PositionBlock& block) {
        factors_.pack_small_columns(small, group, block);
        add_patches(weight, group, block, result.data());
      });
    }
    if (!target_.empty()) combine_target(result);
    return exact_tensor(std::move(result), weight.unit + small.unit);
  }

  /// X = W P: gradInput of a transposed convolution, a forward convolution of gradOutput.
  ExactTensor small_gradient(const Factor& weight, const Factor& big) {
    LargeVector<Result> result(to_size(element_count(geometry_.small_shape())));
    factors_.convert_big(big);
    if (columns_ > 0) {
      for_each_group_and_block([&](std::int64_t group, const PositionBlock& block) {
        factors_.pack_patch_columns(group, block);
        put_small(weight, group, block, result.data());
      });
    }
    return exact_tensor(std::move(result), weight.unit + big.unit);
  }

  /// W = X P^T.
  ExactTensor weight_gradient(const Factor& small, const Factor& big) {
    LargeVector<Result> result(to_size(element_count(geometry_.weight_shape())));
    factors_.convert_big(big);
    // Sums of several blocks of positions are kept meanwhile, all of them.
    const bool in_one_go = block_depth(positions_) >= positions_;
    const std::int64_t rows = in_one_go ? 4 * block_lines : channels_;
    const std::int64_t columns = in_one_go ? 2 * block_lines : columns_;
    for (std::int64_t group = 0; group < geometry_.groups && positions_ > 0; ++group)
      for_each_block(columns_, columns, [&](std::int64_t first_column, std::int64_t column_count) {
        for_each_block(channels_, rows, [&](std::int64_t first_row, std::int64_t row_count) {
          put_weights(small, {group, first_row, row_count, first_column, column_count},
                      result.data());
        });
      });
    return exact_tensor(std::move(result), small.unit + big.unit);
  }

 private:
  static ExactTensor exact_tensor(LargeVector<Result>&& sums, int unit) {
    if constexpr (std::is_same_v<Result, WideSum>) {
      return {digits_of(sums, unit), unit};
    } else {
      return {std::move(sums), unit};
    }
  }

  /// A part of one group's weight.
  struct WeightBlock {
    std::int64_t group, first_row, rows, first_column, columns;
  };

  template <typename Visit>
  void for_each_group_and_block(Visit visit) const {
    for (std::int64_t group = 0; group < geometry_.groups; ++group)
      for_each_block(positions_, block_positions(scheme_.planes()),
                     [&](std::int64_t first, std::int64_t count) {
                       visit(group, PositionBlock{first, count});
                     });
  }

  static Onto onto(std::int64_t first_step) { return first_step == 0 ? Onto::Nothing : Onto::Sums; }

  /// Multiplies left factors, which pack(first step, steps) packs, by the right panels: all sums of
  /// a block.
  template <typename Pack>
  void multiply(std::int64_t rows, std::int64_t columns, std::int64_t length, Pack pack) {
    sums_.resize(rows, columns);
    for_each_block(length, block_depth(length), [&](std::int64_t first, std::int64_t depth) {
      pack(first, depth);
      sums_.add(factors_.left(), factors_.right(first / block_depth(length)), 0, 0, onto(first));
    });
  }

  void add_patches(const Factor& weight, std::int64_t group, const PositionBlock& block,
                   Result* result) {
    for_each_block(columns_, block_lines, [&](std::int64_t first, std::int64_t rows) {
      multiply(rows, block.count, channels_, [&](std::int64_t channel, std::int64_t depth) {
        factors_.pack_weight_columns(weight, {group, first, rows, channel, depth});
      });
      factors_.runs().collect(block, first, rows);
      for (std::int64_t row = 0; row < rows; ++row) {
        scatter(group, first + row, sums_.row(row), result);
      }
    });
  }

  /// Adds a row of patches, whose sums begin at `offset` of the planes, to the big map's positions
  /// that they belong to (col2im). With one tap every position belongs to one patch, so its sum is
  /// final and is written at once.
  void scatter(std::int64_t group, std::int64_t row, std::int64_t offset, Result* result) {
    const std::int64_t channel = group * geometry_.big_channels + row / geometry_.taps();
    const std::int64_t channel_offset = factors_.runs().channel_offset(channel);
    for (const PatchRun& run : factors_.runs().of_row(row)) {
      const std::int64_t to = channel_offset + run.offset;
      if (target_.empty()) {
        put_run(run, offset + run.position, result + to);
      } else {
        add_run(run, offset + run.position, to);
      }
    }
  }

  /// Writes final sums of a run, contiguous or `step` apart.
  void put_run(const PatchRun& run, std::int64_t offset, Result* to) {
    if (run.step == 1) return scheme_.combine(sums_.planes(), offset, run.length, to);
    combined_.resize(to_size(run.length));
    scheme_.combine(sums_.planes(), offset, run.length, combined_.data());
    for (std::int64_t i = 0; i < run.length; ++i) {
      to[i * run.step] = combined_[to_size(i)];
    }
  }

  /// Adds plane by plane: the planes are combined once, when all patches have been added.
  void add_run(const PatchRun& run, std::int64_t offset, std::int64_t to) {
    for (std::size_t plane = 0; plane < target_.size(); ++plane) {
      Sum* const target = target_[plane]->data() + to;
      const Sum* const sums = sums_.planes()[plane] + offset;
      if (run.step == 1) {
        scheme_.accumulate(sums, run.length, target);
        continue;
      }
      for (std::int64_t i = 0; i < run.length; ++i) target[i * run.step] += sums[i];
    }
  }

  /// Combines the sums of patches. Those of one position are sums of all its products, below the
  /// limits of the scheme (ProductSpan::terms counts them over all taps), so that planes may be
  /// added before they are combined.
  void combine_target(LargeVector<Result>& result) const {
    std::vector<const Sum*> planes;
    for (const auto& plane : target_) planes.push_back(plane->data());
    scheme_.combine(planes, 0, static_cast<std::int64_t>(result.size()), result.data());
  }

  void put_small(const Factor& weight, std::int64_t group, const PositionBlock& block,
                 Result* result) {
    for_each_block(channels_, block_lines, [&](std::int64_t first, std::int64_t rows) {
      multiply(rows, block.count, columns_, [&](std::int64_t column, std::int64_t depth) {
        factors_.pack_weight_rows(weight, {group, first, rows, column, depth});
      });
      for (std::int64_t row = 0; row < rows; ++row) {
        put_channel(group, first + row, block, sums_.row(row), result);
      }
    });
  }

  /// Puts a small channel's sums at the positions of a block; they begin at the planes' `offset`.
  void put_channel(std::int64_t group, std::int64_t channel, const PositionBlock& block,
                   std::int64_t offset, Result* result) const {
    for_each_image(
        block, geometry_.small_positions(), [&](auto image, auto within, auto at, auto length) {
          scheme_.combine(sums_.planes(), offset + at, length,
                          result + factors_.small_offset(image, group, channel) + within);
        });
  }

  /// Puts a part of W. All blocks of positions are added in the planes before these are combined.
  void put_weights(const Factor& small, const WeightBlock& part, Result* result) {
    sums_.resize(part.rows, part.columns);
    for_each_block(positions_, block_depth(positions_), [&](auto position, auto depth) {
      factors_.pack_small_rows(small, {part.group, part.first_row, part.rows, position, depth});
      for_each_block(part.columns, 2 * block_lines, [&](auto first, auto columns) {
        factors_.pack_patch_rows({part.group, part.first_column + first, columns, position, depth});
        sums_.add(factors_.left(), factors_.right(0), 0, first, onto(position));
      });
    });
    for (std::int64_t row = 0; row < part.rows; ++row) {
      scheme_.combine(
          sums_.planes(), sums_.row(row), part.columns,
          result + factors_.weight_offset(part.group, part.first_row + row) + part.first_column);
    }
  }

  const Geometry& geometry_;
  const Scheme& scheme_;
  FactorPacking<Scheme> factors_;
  std::int64_t channels_;             ///< of the small map, in one group
  std::int64_t columns_;              ///< of W, and rows of P, of one group
  std::int64_t positions_;            ///< of X and P, over the batch
  std::vector<Scratch<Sum>> target_;  ///< where patches overlap
  std::vector<Result> combined_;
  SumBlock<Scheme> sums_;
};

}  // namespace gradproof::oracle
