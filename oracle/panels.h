#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gradproof::oracle {

/// A matrix in memory, as lines (rows of a left factor, columns of a right one) of steps along the
/// summation.
template <typename Word>
struct Lines {
  const Word* first;
  std::int64_t count, depth;
  std::int64_t line_stride, step_stride;
};

/// Lines packed as tiles read them: `width` of them side by side, step by step; lines that are
/// lacking are filled with the tier's zero.
template <typename Tier>
class Panels {
 public:
  using Word = typename Tier::Word;

  void pack(const Lines<Word>& lines, std::int64_t width) {
    depth_ = lines.depth;
    size_ = (depth_ + Tier::sums_per_line) * width;
    count_ = (lines.count + width - 1) / width;
    words_.resize(static_cast<std::size_t>(size_ * count_));
    for (std::int64_t panel = 0; panel < count_; ++panel) pack_panel(lines, panel, width);
  }

  std::int64_t count() const { return count_; }
  std::int64_t depth() const { return depth_; }
  const Word* panel(std::int64_t index) const { return words_.data() + index * size_; }

 private:
  void pack_panel(const Lines<Word>& lines, std::int64_t panel, std::int64_t width) {
    Word* const packed = words_.data() + panel * size_;
    const Word* const source = lines.first + panel * width * lines.line_stride;
    const std::int64_t present = std::min(width, lines.count - panel * width);
    if (present < width) std::fill(packed, packed + depth_ * width, Tier::zero);
    if (lines.line_stride == 1) {
      for (std::int64_t step = 0; step < depth_; ++step) {
        std::copy_n(source + step * lines.step_stride, present, packed + step * width);
      }
    } else {
      for (std::int64_t line = 0; line < present; ++line)
        for (std::int64_t step = 0; step < depth_; ++step) {
          packed[step * width + line] = source[line * lines.line_stride + step * lines.step_stride];
        }
    }
    if constexpr (Tier::sums_per_line != 0) add_sums(packed, width);
  }

  void add_sums(Word* packed, std::int64_t width) const {
    Word* const sums = packed + depth_ * width;
    std::fill(sums, sums + width, 0);
    for (const Word* step = packed; step != sums; step += width)
      for (std::int64_t line = 0; line < width; ++line) sums[line] += step[line];
  }

  std::vector<Word> words_;
  std::int64_t depth_ = 0, size_ = 0, count_ = 0;
};

/// Panels of every digit of one factor.
template <typename Tier>
using DigitPanels = std::vector<Panels<Tier>>;

/// Sums of a block of lines by lines, padded to whole tiles, in planes.
template <typename Tier>
class SumBlock {
 public:
  using Sum = typename Tier::Sum;

  void clear(const Tier& tier, std::int64_t rows, std::int64_t columns) {
    const auto [tile_rows, tile_columns] = tier.tile();
    stride_ = (columns + tile_columns - 1) / tile_columns * tile_columns;
    const std::int64_t padded = (rows + tile_rows - 1) / tile_rows * tile_rows;
    planes_.resize(tier.planes());
    for (auto& plane : planes_) plane.assign(static_cast<std::size_t>(padded * stride_), Sum{});
  }

  /// Adds left * right.
  void add(const Tier& tier, const DigitPanels<Tier>& left, const DigitPanels<Tier>& right) {
    const auto [rows, columns] = tier.tile();
    for (std::int64_t j = 0; j < right[0].count(); ++j) {
      point(right_, right, j);
      for (std::int64_t i = 0; i < left[0].count(); ++i) {
        point(left_, left, i);
        tiles_.clear();
        for (auto& plane : planes_)
          tiles_.push_back(plane.data() + i * rows * stride_ + j * columns);
        tier.add(left_, right_, left[0].depth(), tiles_, stride_);
      }
    }
  }

  const Sum* row(std::size_t plane, std::int64_t row) const {
    return planes_[plane].data() + row * stride_;
  }

 private:
  using Pointers = std::vector<const typename Tier::Word*>;

  static void point(Pointers& pointers, const DigitPanels<Tier>& panels, std::int64_t index) {
    pointers.clear();
    for (const auto& digit : panels) pointers.push_back(digit.panel(index));
  }

  std::vector<std::vector<Sum>> planes_;
  std::int64_t stride_ = 0;
  Pointers left_, right_;
  std::vector<Sum*> tiles_;
};

}  // namespace gradproof::oracle
