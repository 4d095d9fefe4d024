#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "oracle/gradients/dense/number_schemes.h"
#include "oracle/sums/scratch.h"

namespace gradproof::oracle {

/// `length` and as much more as makes it a multiple.
inline std::int64_t rounded_up(std::int64_t length, std::int64_t multiple) {
  return (length + multiple - 1) / multiple * multiple;
}

/// A block of one factor of a matrix product, every layer of it, packed as tiles read it: the lines
/// (rows of a left factor, columns of a right one) in panels of as many as a tile has, step by step
/// along the summation. Lines that are lacking in the last panel are zeros.
/// Layout: words[layer][panel][step][line in the panel], then for biased schemes one word for each
/// line of the panel. Schemes may keep two steps together: then it is [pair of steps][line][step of
/// the pair], and a step that is lacking in the last pair is zeros. A tile reads both factors front
/// to back, in steps of `width` words.
template <typename Scheme>
class Panels {
 public:
  using Word = typename Scheme::Word;

  Panels(const Scheme& scheme, Side side)
      : scheme_(scheme),
        side_(side),
        width_(side == Side::Left ? scheme.tile().rows : scheme.tile().columns) {}

  /// Makes room; then come all steps or all lines, then `finish`.
  void resize(std::int64_t lines, std::int64_t depth) {
    depth_ = depth;
    count_ = (lines + width_ - 1) / width_;
    panel_ = (rounded_up(depth, together) + (Scheme::has_line_words ? 1 : 0)) * width_;
    words_->resize(static_cast<std::size_t>(scheme_.layers(side_) * count_ * panel_));
  }

  std::int64_t width() const { return width_; }
  std::int64_t count() const { return count_; }
  std::int64_t depth() const { return depth_; }
  const Word* panel(int layer, std::int64_t index) const {
    return words_->data() + (layer * count_ + index) * panel_;
  }

  /// Sets one step of all lines; behind the last come zeros, up to the next multiple of
  /// words_at_once and of whole panels.
  void set_step(std::int64_t step, const std::int64_t* integers) {
    const std::int64_t words = rounded_up(count_ * width_, words_at_once);
    const std::int64_t all = scheme_.layers(side_) * words;
    converted_->resize(static_cast<std::size_t>(together * all));
    scheme_.make_words(side_, integers, words, converted_->data() + step % together * all);
    if constexpr (together > 1) {
      const bool is_alone = step % together == 0;
      if (is_alone && step + 1 < depth_) return;  // until the other step is there
      if (is_alone) std::fill_n(converted_->data() + all, all, Word{});
    }
    for (int layer = 0; layer < scheme_.layers(side_); ++layer) {
      Word* to = panel(layer, 0) + step / together * together * width_;
      const Word* from = converted_->data() + layer * words;
      for (std::int64_t i = 0; i < count_; ++i, to += panel_, from += width_) {
        copy_lines(from, all, to);
      }
    }
  }

  /// Sets all lines of a panel, each all steps long and `apart` from the next, which is a multiple
  /// of words_at_once.
  void set_lines(std::int64_t index, const std::int64_t* integers, std::int64_t apart) {
    const std::int64_t words = width_ * apart;
    converted_->resize(static_cast<std::size_t>(scheme_.layers(side_) * words));
    scheme_.make_words(side_, integers, words, converted_->data());
    for (int layer = 0; layer < scheme_.layers(side_); ++layer) {
      interleave(converted_->data() + layer * words, apart, panel(layer, index));
    }
  }

  /// Writes what follows each panel.
  void finish() {
    if constexpr (Scheme::has_line_words) {
      for (int layer = 0; layer < scheme_.layers(side_); ++layer)
        for (std::int64_t index = 0; index < count_; ++index) {
          add_line_words(layer, panel(layer, index));
        }
    }
  }

 private:
  Word* panel(int layer, std::int64_t index) {
    return words_->data() + (layer * count_ + index) * panel_;
  }

  /// Copies lines. A tile has 4, 8 or 16 lines, or 32 of residues; known lengths make copies short.
  /// `apart`: where the words of the second of two steps lie that are kept together.
  void copy_lines(const Word* from, [[maybe_unused]] std::int64_t apart, Word* to) const {
    if constexpr (together == 2) {
      for (std::int64_t first = 0; first < width_; first += 4, from += 4, to += 8)
        for (std::int64_t line = 0; line < 4; ++line) {
          to[2 * line] = from[line];
          to[2 * line + 1] = from[apart + line];
        }
    } else if (width_ == 16) {
      std::memcpy(to, from, 16 * sizeof *to);
    } else if (width_ == 8) {
      std::memcpy(to, from, 8 * sizeof *to);
    } else {
      std::copy_n(from, width_, to);
    }
  }

  void interleave(const Word* from, std::int64_t apart, Word* to) const {
    if (width_ % 8 == 0) return interleave_by<8>(from, apart, to);
    interleave_by<4>(from, apart, to);
  }

  /// Transposes (line, step) to (step, line), eight lines at a time, so that writes fill whole
  /// cache lines. Steps that are kept together are moved together.
  template <std::int64_t at_once>
  void interleave_by(const Word* from, std::int64_t apart, Word* to) const {
    for (std::int64_t first = 0; first < width_; first += at_once, from += at_once * apart)
      for (std::int64_t step = 0; step < depth_; step += together)
        for (std::int64_t line = 0; line < at_once; ++line) {
          std::memcpy(to + step * width_ + (first + line) * together, from + line * apart + step,
                      together * sizeof *to);
        }
  }

  /// Sums each line's words over all steps, for the scheme to make of them what removes its bias.
  void add_line_words(int layer, Word* words) const {
    Word* const sums = words + depth_ * width_;
    scheme_.sum_lines(words, depth_, width_, sums);
    for (std::int64_t line = 0; line < width_; ++line) {
      sums[line] = scheme_.line_word(side_, layer, sums[line], depth_);
    }
  }

  static constexpr std::int64_t together = Scheme::steps_together;

  const Scheme& scheme_;
  Side side_;
  std::int64_t width_;
  Scratch<Word> words_, converted_;
  std::int64_t depth_ = 0, count_ = 0, panel_ = 0;
};

/// Sums of a block of lines by lines, padded to whole tiles, in planes: the products of each pair
/// of layers have a plane of their own, row-major with `stride` sums a row.
/// Padding lines multiply zeros of a panel; their sums are never read.
template <typename Scheme>
class SumBlock {
 public:
  using Sum = typename Scheme::Sum;

  explicit SumBlock(const Scheme& scheme) : scheme_(scheme), planes_(scheme.planes()) {}

  /// Makes room for sums; what they hold at first is of no use.
  void resize(std::int64_t rows, std::int64_t columns) {
    const auto [tile_rows, tile_columns] = scheme_.tile();
    stride_ = rounded_up(columns, tile_columns);
    const std::int64_t size = rounded_up(rows, tile_rows) * stride_;
    sums_->resize(static_cast<std::size_t>(size) * planes_.size());
    for (std::size_t plane = 0; plane < planes_.size(); ++plane) {
      planes_[plane] = sums_->data() + static_cast<std::int64_t>(plane) * size;
    }
    readable_.assign(planes_.begin(), planes_.end());
  }

  /// Adds left * right from a row and a column on, which are multiples of a tile's; or writes it
  /// there.
  void add(const Panels<Scheme>& left, const Panels<Scheme>& right, std::int64_t first_row,
           std::int64_t first_column, Onto onto) {
    const std::int64_t corner = first_row * stride_ + first_column;
    for (int pass = 0; pass < scheme_.passes(); ++pass) {
      const LayerPair layers = scheme_.layers_of(pass);
      for (std::int64_t j = 0; j < right.count(); ++j) {
        const auto* const right_panel = right.panel(layers.right, j);  // it stays near
        for (std::int64_t i = 0; i < left.count(); ++i) {
          scheme_.add(pass, left.panel(layers.left, i), right_panel, left.depth(), planes_,
                      corner + i * left.width() * stride_ + j * right.width(), stride_, onto);
        }
      }
    }
  }

  /// Planes, and where a row begins in each.
  const std::vector<const Sum*>& planes() const { return readable_; }
  std::int64_t row(std::int64_t row) const { return row * stride_; }

 private:
  const Scheme& scheme_;
  Scratch<Sum> sums_;  ///< plane after plane
  std::vector<Sum*> planes_;
  std::vector<const Sum*> readable_;
  std::int64_t stride_ = 0;
};

}  // namespace gradproof::oracle
