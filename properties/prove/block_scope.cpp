#include "properties/prove/block_scope.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace gradproof::properties {
namespace {

constexpr std::array<std::int64_t, 17> edges{1,  3,  4,  7,  8,  9,  15, 16, 17,
                                             23, 24, 25, 31, 32, 33, 48, 64};

/// What a call of the scope chooses, and how many values each has. Three axes of triples: no value
/// depends on another, so every triple is legal.
enum Choice : std::size_t {
  Grouping,  ///< depthwise, grouped, dense
  Direction,
  InputChannels,  ///< of one group
  OutputChannels,
  Kernel,
  Stride,
  Dilation,
  Padding,
  Mask,
  Axes,
  Batch,
};
constexpr std::array<std::size_t, 11> value_counts{3, 2, 17, 17, 3, 3, 2, 3, 7, 2, 2};
constexpr std::size_t choice_count = value_counts.size();

using BlockRow = std::array<std::size_t, choice_count>;
constexpr std::size_t open_choice = 255;

/// Which combinations of three choices are in no row so far.
class OpenTriples {
 public:
  OpenTriples() {
    for (std::size_t a = 0; a < choice_count; ++a) {
      for (std::size_t b = a + 1; b < choice_count; ++b) {
        for (std::size_t c = b + 1; c < choice_count; ++c) {
          begin_[a][b][c] = open_.size();
          open_.resize(open_.size() + value_counts[a] * value_counts[b] * value_counts[c], true);
        }
      }
    }
    left_ = open_.size();
  }

  bool is_empty() const { return left_ == 0; }

  /// A row with the first open triple, its other choices open.
  BlockRow seed() {
    while (!open_[first_]) ++first_;
    BlockRow row;
    row.fill(open_choice);
    for_each([&](std::size_t a, std::size_t b, std::size_t c) {
      const std::size_t begin = begin_[a][b][c];
      const std::size_t size = value_counts[a] * value_counts[b] * value_counts[c];
      if (first_ < begin || first_ >= begin + size) return;
      const std::size_t rest = first_ - begin;
      row[a] = rest / (value_counts[b] * value_counts[c]);
      row[b] = rest / value_counts[c] % value_counts[b];
      row[c] = rest % value_counts[c];
    });
    return row;
  }

  /// Open triples of this choice's value with two others that the row has made.
  std::size_t gain(const BlockRow& row, std::size_t choice) const {
    std::size_t count = 0;
    for (std::size_t one = 0; one < choice_count; ++one) {
      if (one == choice || row[one] == open_choice) continue;
      for (std::size_t two = one + 1; two < choice_count; ++two) {
        if (two == choice || row[two] == open_choice) continue;
        std::array<std::size_t, 3> at{choice, one, two};
        if (at[0] > at[1]) std::swap(at[0], at[1]);
        if (at[1] > at[2]) std::swap(at[1], at[2]);
        count += open_[place(row, at[0], at[1], at[2])] ? 1 : 0;
      }
    }
    return count;
  }

  void close(const BlockRow& row) {
    for_each([&](std::size_t a, std::size_t b, std::size_t c) {
      const std::size_t at = place(row, a, b, c);
      left_ -= open_[at] ? 1 : 0;
      open_[at] = false;
    });
  }

 private:
  template <typename Visit>
  static void for_each(Visit visit) {
    for (std::size_t a = 0; a < choice_count; ++a) {
      for (std::size_t b = a + 1; b < choice_count; ++b) {
        for (std::size_t c = b + 1; c < choice_count; ++c) visit(a, b, c);
      }
    }
  }

  std::size_t place(const BlockRow& row, std::size_t a, std::size_t b, std::size_t c) const {
    return begin_[a][b][c] + (row[a] * value_counts[b] + row[b]) * value_counts[c] + row[c];
  }

  std::size_t begin_[choice_count][choice_count][choice_count]{};
  std::vector<bool> open_;
  std::size_t left_ = 0, first_ = 0;
};

/// The values that close most triples, choice by choice.
void fill_row(const OpenTriples& triples, BlockRow& row) {
  for (std::size_t choice = 0; choice < choice_count; ++choice) {
    if (row[choice] != open_choice) continue;
    std::size_t best = 0, most = 0;
    for (std::size_t value = 0; value < value_counts[choice]; ++value) {
      row[choice] = value;
      const std::size_t gain = triples.gain(row, choice);
      if (value != 0 && gain <= most) continue;
      best = value;
      most = gain;
    }
    row[choice] = best;
  }
}

ChannelSizes channels_of(const BlockRow& row) {
  const std::int64_t input = edges.at(row[InputChannels]), output = edges.at(row[OutputChannels]);
  const auto batch = static_cast<std::int64_t>(row[Batch] + 1);
  constexpr std::size_t depthwise = 0, grouped = 1;
  if (row[Grouping] == depthwise) return {batch, input, input, input};
  if (row[Grouping] == grouped) return {batch, 2, 2 * input, 2 * output};
  return {batch, 1, input, output};
}

/// Long enough for every kernel, dilation and padding.
AxisSizes axis_of(const BlockRow& row, std::int64_t input) {
  AxisSizes axis{
      input, static_cast<std::int64_t>(row[Kernel] + 1), static_cast<std::int64_t>(row[Stride] + 1),
      static_cast<std::int64_t>(row[Padding]), static_cast<std::int64_t>(row[Dilation] + 1)};
  const std::int64_t reach = axis.dilation * (axis.kernel - 1);
  axis.output = row[Direction] == 1 ? (input - 1) * axis.stride - 2 * axis.padding + reach + 1
                                    : (input + 2 * axis.padding - reach - 1) / axis.stride + 1;
  return axis;
}

ScopePart part_of(const BlockRow& row) {
  ScopePart part;
  part.transposed = row[Direction] == 1;
  constexpr std::int64_t shortest = 5;
  for (std::size_t i = 0; i <= row[Axes]; ++i) {
    part.axes.push_back({axis_of(row, shortest + static_cast<std::int64_t>(i))});
  }
  part.channels = {channels_of(row)};
  part.masks = {all_masks().at(row[Mask])};
  return part;
}

}  // namespace

Scope block_scope() {
  OpenTriples triples;
  std::vector<ScopePart> parts;
  while (!triples.is_empty()) {
    BlockRow row = triples.seed();
    fill_row(triples, row);
    triples.close(row);
    parts.push_back(part_of(row));
  }
  return Scope(
      "blocks",
      fmt::format("every three of: depthwise, 2 groups, dense; ordinary, transposed; "
                  "channels of a group in and out {}; kernel 1 2 3, stride 1 2 3, dilation "
                  "1 2, padding 0 1 2; the seven masks; 1 and 2 spatial axes; batch 1 2",
                  fmt::join(edges, " ")),
      std::move(parts));
}

}  // namespace gradproof::properties
