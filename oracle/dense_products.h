#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "oracle/dense.h"
#include "oracle/dense_tiers.h"
#include "oracle/exact_tensor.h"
#include "oracle/geometry.h"
#include "oracle/lanes.h"
#include "oracle/meeting_rows.h"
#include "oracle/packed_layout.h"
#include "oracle/panels.h"
#include "oracle/scratch.h"

namespace gradproof::oracle {

/// Steps of a block along the summation, positions and columns of a block of sums: a right panel
/// stays in the first-level cache, a block in the second.
inline constexpr std::int64_t block_depth = 256;
inline constexpr std::int64_t block_positions = 256;
inline constexpr std::int64_t block_columns = 256;

/// All products of one gradient as matrix products. With X the small map (positions by channels),
/// P the patches of the big map (positions by taps and channels) and W the weight (small channels
/// by taps and big channels), group by group:
/// gradInput: P = X W, patches added where they lie; of a transposed convolution X = P W^T;
/// gradWeight: W = X^T P.
template <typename Tier>
class DenseProducts {
 public:
  using Word = typename Tier::Word;
  using Sum = typename Tier::Sum;

  DenseProducts(const Geometry& geometry, const Tier& tier)
      : geometry_(geometry),
        tier_(tier),
        small_layout_(PackedLayout::of_map(geometry, Driver::Small)),
        big_layout_(PackedLayout::of_map(geometry, Driver::Big)),
        weight_layout_(PackedLayout::of_weight(geometry, Driver::Small)),
        rows_(geometry, Driver::Small),
        columns_(geometry.taps() * geometry.big_channels),
        positions_(geometry.batch * geometry.small_positions()) {}

  /// The numbers of a tensor, and the binary exponent of their unit.
  struct Operand {
    const Dense<Number>& numbers;
    int unit;
  };

  /// The left factor of a product is the first operand.
  ExactTensor big_gradient(Operand small, Operand weight) {
    small_ = packed(small, small_layout_, true);
    weight_ = packed(weight, weight_layout_, false);
    clear_target(big_layout_);
    for (std::int64_t group = 0; group < geometry_.groups; ++group)
      for (std::int64_t first = 0; first < columns_; first += block_columns) {
        add_patches(group, first, std::min(block_columns, columns_ - first));
      }
    return result(big_layout_, small.unit + weight.unit);
  }

  ExactTensor small_gradient(Operand big, Operand weight) {
    big_ = packed(big, big_layout_, true);
    weight_ = packed(weight, weight_layout_, false);
    clear_target(small_layout_);
    for (std::int64_t group = 0; group < geometry_.groups; ++group) {
      pack_transposed_weight(group);
      for (std::int64_t first = 0; first < positions_; first += block_positions) {
        gather_small(group, first, std::min(block_positions, positions_ - first));
      }
    }
    return result(small_layout_, big.unit + weight.unit);
  }

  ExactTensor weight_gradient(Operand small, Operand big) {
    small_ = packed(small, small_layout_, true);
    big_ = packed(big, big_layout_, false);
    clear_target(weight_layout_);
    for (std::int64_t group = 0; group < geometry_.groups; ++group)
      for (std::int64_t first = 0; first < columns_; first += block_columns) {
        add_weights(group, first, std::min(block_columns, columns_ - first));
      }
    return result(weight_layout_, small.unit + big.unit);
  }

 private:
  /// One array of words for every digit.
  using Digits = std::vector<Scratch<Word>>;
  using Block = DigitPanels<Tier>;

  Digits packed(const Operand& operand, const PackedLayout& layout, bool is_left) const {
    const int digits = is_left ? tier_.left_digits() : tier_.right_digits();
    Digits result(static_cast<std::size_t>(digits));
    for (int digit = 0; digit < digits; ++digit) {
      std::vector<Word>& kept = *result[static_cast<std::size_t>(digit)];
      kept.resize(operand.numbers.size());
      Word* const words = kept.data();
      const auto pack_digit = [&](auto&& word_of) {
        layout.for_each([&operand, word_of, words, numbers = operand.numbers.elements().data()](
                            std::size_t index, std::size_t place) {
          words[place] = word_of(integer_of(numbers[index], operand.unit));
        });
      };
      if (is_left) {
        pack_digit([&tier = tier_, digit](std::int64_t n) { return tier.left_word(n, digit); });
      } else {
        pack_digit([&tier = tier_, digit](std::int64_t n) { return tier.right_word(n, digit); });
      }
    }
    return result;
  }

  void clear_target(const PackedLayout& layout) {
    target_.clear();
    for (std::size_t plane = 0; plane < tier_.planes(); ++plane) {
      target_.emplace_back()->assign(layout.size(), Sum{});
    }
  }

  ExactTensor result(const PackedLayout& layout, int unit) const {
    if constexpr (std::is_same_v<Sum, double>) {
      if (target_.size() == 1) {
        std::vector<double> sums(layout.size());
        layout.for_each([to = sums.data(), from = target_[0]->data()](
                            std::size_t index, std::size_t place) { to[index] = from[place]; });
        return {std::move(sums), unit};
      }
    }
    std::vector<Int128> sums(layout.size());
    std::vector<const Sum*> planes;
    for (const auto& plane : target_) planes.push_back(plane->data());
    layout.for_each([&, to = sums.data()](std::size_t index, std::size_t place) {
      to[index] = tier_.combined(planes, place);
    });
    return {std::move(sums), unit};
  }

  /// Packs every digit of lines that begin at `offset` of each digit's words.
  static void pack(Block& block, const Digits& digits, std::int64_t offset, Lines<Word> lines,
                   std::int64_t width) {
    block.resize(digits.size());
    for (std::size_t digit = 0; digit < digits.size(); ++digit) {
      lines.first = digits[digit]->data() + offset;
      block[digit].pack(lines, width);
    }
  }

  /// Calls visit(step, depth) for every block of the summation.
  template <typename Visit>
  static void for_each_block(std::int64_t length, Visit visit) {
    for (std::int64_t step = 0; step < length; step += block_depth) {
      visit(step, std::min(block_depth, length - step));
    }
  }

  /// Calls visit(offset in the big map, column of the patch, length) for the stretches that a
  /// position's patch has in common with columns first..first + count.
  template <typename Visit>
  void for_each_stretch(std::int64_t group, std::int64_t position, std::int64_t first,
                        std::int64_t count, Visit visit) {
    const auto& [depth, height, width] = rows_.positions();
    const std::int64_t plane = height * width;
    const std::int64_t within = position % (depth * plane);
    const std::int64_t n = position / (depth * plane);
    const auto map =
        static_cast<std::int64_t>(big_layout_.size()) / (geometry_.groups * geometry_.batch);
    const std::int64_t base = (group * geometry_.batch + n) * map;
    for (const Row& row : rows_.at(within / plane, within % plane / width, within % width)) {
      const std::int64_t begin = std::max(row.tap_offset, first);
      const std::int64_t end = std::min(row.tap_offset + row.length, first + count);
      if (begin >= end) continue;
      visit(base + row.map_offset + begin - row.tap_offset, begin - first, end - begin);
    }
  }

  /// Columns first..first + count of the patches of some positions, a row for each.
  void gather_patches(std::int64_t group, std::int64_t position, std::int64_t positions,
                      std::int64_t first, std::int64_t count) {
    patches_.resize(big_.size());
    for (auto& digit : patches_) {
      digit->assign(static_cast<std::size_t>(positions * count), Tier::zero);
    }
    for (std::int64_t i = 0; i < positions; ++i) {
      for_each_stretch(group, position + i, first, count, [&](auto from, auto column, auto length) {
        for (std::size_t digit = 0; digit < big_.size(); ++digit) {
          std::copy_n(big_[digit]->data() + from, length,
                      patches_[digit]->data() + i * count + column);
        }
      });
    }
  }

  std::int64_t channels() const { return geometry_.small_channels; }
  std::int64_t weight_base(std::int64_t group) const { return group * channels() * columns_; }
  std::int64_t small_base(std::int64_t group, std::int64_t position) const {
    return (group * positions_ + position) * channels();
  }

  void add_patches(std::int64_t group, std::int64_t first, std::int64_t count) {
    right_.clear();
    for_each_block(channels(), [&](std::int64_t step, std::int64_t depth) {
      pack(right_.emplace_back(), weight_, weight_base(group) + step * columns_ + first,
           {nullptr, count, depth, 1, columns_}, tier_.tile().columns);
    });
    for (std::int64_t position = 0; position < positions_; position += block_positions) {
      const std::int64_t positions = std::min(block_positions, positions_ - position);
      sums_.clear(tier_, positions, count);
      for_each_block(channels(), [&](std::int64_t step, std::int64_t depth) {
        pack(left_, small_, small_base(group, position) + step,
             {nullptr, positions, depth, channels(), 1}, tier_.tile().rows);
        sums_.add(tier_, left_, right_[static_cast<std::size_t>(step / block_depth)]);
      });
      for (std::int64_t i = 0; i < positions; ++i) {
        for_each_stretch(group, position + i, first, count, [&](auto to, auto column, auto length) {
          scatter(i, column, to, length);
        });
      }
    }
  }

  void scatter(std::int64_t row, std::int64_t column, std::int64_t to, std::int64_t length) {
    for (std::size_t plane = 0; plane < target_.size(); ++plane) {
      Sum* const target = target_[plane]->data() + to;
      const Sum* const sums = sums_.row(plane, row) + column;
      for (std::int64_t i = 0; i < length; ++i) target[i] += sums[i];
    }
  }

  void pack_transposed_weight(std::int64_t group) {
    right_.clear();
    for_each_block(columns_, [&](std::int64_t step, std::int64_t depth) {
      pack(right_.emplace_back(), weight_, weight_base(group) + step,
           {nullptr, channels(), depth, columns_, 1}, tier_.tile().columns);
    });
  }

  void gather_small(std::int64_t group, std::int64_t position, std::int64_t positions) {
    sums_.clear(tier_, positions, channels());
    for_each_block(columns_, [&](std::int64_t step, std::int64_t depth) {
      gather_patches(group, position, positions, step, depth);
      pack(left_, patches_, 0, {nullptr, positions, depth, depth, 1}, tier_.tile().rows);
      sums_.add(tier_, left_, right_[static_cast<std::size_t>(step / block_depth)]);
    });
    for (std::int64_t i = 0; i < positions; ++i) {
      scatter(i, 0, small_base(group, position + i), channels());
    }
  }

  void add_weights(std::int64_t group, std::int64_t first, std::int64_t count) {
    sums_.clear(tier_, channels(), count);
    right_.resize(1);
    for_each_block(positions_, [&](std::int64_t position, std::int64_t positions) {
      gather_patches(group, position, positions, first, count);
      pack(right_[0], patches_, 0, {nullptr, count, positions, 1, count}, tier_.tile().columns);
      pack(left_, small_, small_base(group, position),
           {nullptr, channels(), positions, 1, channels()}, tier_.tile().rows);
      sums_.add(tier_, left_, right_[0]);
    });
    for (std::int64_t channel = 0; channel < channels(); ++channel) {
      scatter(channel, 0, weight_base(group) + channel * columns_ + first, count);
    }
  }

  const Geometry& geometry_;
  const Tier& tier_;
  PackedLayout small_layout_, big_layout_, weight_layout_;
  MeetingRows rows_;
  std::int64_t columns_;    ///< of W and P, of one group
  std::int64_t positions_;  ///< of X and P, over the batch
  Digits small_, big_, weight_, patches_;
  std::vector<Scratch<Sum>> target_;
  Block left_;
  std::vector<Block> right_;
  SumBlock<Tier> sums_;
};

}  // namespace gradproof::oracle
