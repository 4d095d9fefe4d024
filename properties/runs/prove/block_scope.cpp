#include "properties/runs/prove/scope.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace gradproof::runs {
namespace {

constexpr std::array<std::int64_t, 17> edge_channels{1,  3,  4,  7,  8,  9,  15, 16, 17,
                                                     23, 24, 25, 31, 32, 33, 48, 64};
/// Some libraries treat kernels by their remainder for the stride: 4 and 7 have one for 3.
constexpr std::array<std::int64_t, 6> kernels{1, 2, 3, 4, 5, 7};

/// Choices of a call of the scope, and the number of values of each. Every triple is legal, but
/// depthwise layers have no channels of the output to choose.
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
  AxisCount,
  Batch,
};
constexpr std::array<std::size_t, 11> value_counts{3, 2, 17, 17, 6, 3, 2, 3, 7, 2, 2};
constexpr std::size_t choice_count = value_counts.size();

using BlockRow = std::array<std::size_t, choice_count>;
constexpr std::size_t open_choice = 255;
constexpr std::size_t depthwise = 0, grouped = 1, ungrouped = 2;  // of Grouping

/// Combinations of three choices that are in no row so far.
class UncoveredTriples {
 public:
  UncoveredTriples() {
    for (std::size_t a = 0; a < choice_count; ++a) {
      for (std::size_t b = a + 1; b < choice_count; ++b) {
        for (std::size_t c = b + 1; c < choice_count; ++c) {
          begin_[a][b][c] = open_.size();
          open_.resize(open_.size() + value_counts[a] * value_counts[b] * value_counts[c], true);
        }
      }
    }
    left_ = open_.size();
    close_depthwise_outputs();
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
        const bool is_open =
            has_meaning(row, at[0], at[1], at[2]) && open_[place(row, at[0], at[1], at[2])];
        count += is_open ? 1 : 0;
      }
    }
    return count;
  }

  void close(const BlockRow& row) {
    for_each([&](std::size_t a, std::size_t b, std::size_t c) {
      if (!has_meaning(row, a, b, c)) return;
      const std::size_t at = place(row, a, b, c);
      left_ -= open_[at] ? 1 : 0;
      open_[at] = false;
    });
  }

 private:
  static bool has_meaning(const BlockRow& row, std::size_t a, std::size_t b, std::size_t c) {
    const bool has_output = a == OutputChannels || b == OutputChannels || c == OutputChannels;
    return row[Grouping] != depthwise || !has_output;
  }

  /// Triples of a depthwise layer with channels of its output: no row can have them.
  void close_depthwise_outputs() {
    for_each([&](std::size_t a, std::size_t b, std::size_t c) {
      if (a != Grouping || (b != OutputChannels && c != OutputChannels)) return;
      const std::size_t size = value_counts[b] * value_counts[c];
      const auto begin = open_.begin() + static_cast<std::ptrdiff_t>(begin_[a][b][c]);
      std::fill(begin, begin + static_cast<std::ptrdiff_t>(size), false);
      left_ -= size;
    });
  }

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

/// Fills the row with the values that close most triples, choice by choice.
void fill_row(const UncoveredTriples& triples, BlockRow& row) {
  for (std::size_t choice = 0; choice < choice_count; ++choice) {
    if (row[choice] != open_choice) continue;
    // A row that was begun for channels of the output has some.
    const bool has_output = choice == Grouping && row[OutputChannels] != open_choice;
    const std::size_t first = has_output ? depthwise + 1 : 0;
    std::size_t best = first, most = 0;
    for (std::size_t value = first; value < value_counts[choice]; ++value) {
      row[choice] = value;
      const std::size_t gain = triples.gain(row, choice);
      if (value != first && gain <= most) continue;
      best = value;
      most = gain;
    }
    row[choice] = best;
  }
}

ChannelSizes channels_of(const BlockRow& row) {
  const std::int64_t input = edge_channels.at(row[InputChannels]),
                     output = edge_channels.at(row[OutputChannels]);
  const auto batch = static_cast<std::int64_t>(row[Batch] + 1);
  if (row[Grouping] == depthwise) return {batch, input, input, input};
  if (row[Grouping] == grouped) return {batch, 2, 2 * input, 2 * output};
  return {batch, 1, input, output};
}

/// Output lengths of an ordinary and of a transposed call.
std::int64_t output_of(const AxisSizes& axis, bool transposed) {
  const std::int64_t reach = axis.dilation * (axis.kernel - 1);
  const std::int64_t paddings = 2 * axis.padding + axis.more_at_end;
  return transposed ? (axis.input - 1) * axis.stride - paddings + reach + 1
                    : (axis.input + paddings - reach - 1) / axis.stride + 1;
}

/// Long enough for every kernel, dilation and padding.
AxisSizes axis_of(const BlockRow& row, std::int64_t input) {
  AxisSizes axis{input, kernels.at(row[Kernel]), static_cast<std::int64_t>(row[Stride] + 1),
                 static_cast<std::int64_t>(row[Padding]),
                 static_cast<std::int64_t>(row[Dilation] + 1)};
  constexpr std::int64_t beyond = 3;
  axis.input = std::max(input, axis.dilation * (axis.kernel - 1) + beyond);
  axis.output = output_of(axis, row[Direction] == 1);
  return axis;
}

ScopePart part_of(const BlockRow& row) {
  ScopePart part;
  part.transposed = row[Direction] == 1;
  constexpr std::int64_t shortest = 5;
  for (std::size_t i = 0; i <= row[AxisCount]; ++i) {
    part.axes.push_back({axis_of(row, shortest + static_cast<std::int64_t>(i))});
  }
  part.channels = {channels_of(row)};
  part.masks = {all_masks().at(row[Mask])};
  return part;
}

/// A 2D call whose four paddings all differ from their neighbours'.
ScopePart uneven_part(const BlockRow& row, bool swapped) {
  ScopePart part = part_of(row);
  AxisSizes &h = part.axes.front().front(), &w = part.axes.back().front();
  h.padding = swapped ? 1 : 0;
  h.more_at_end = swapped ? 1 : 2;
  w.padding = swapped ? 0 : 1;
  w.more_at_end = swapped ? 1 : -1;
  for (AxisSizes* axis : {&h, &w}) axis->output = output_of(*axis, part.transposed);
  return part;
}

/// Adds each direction, kernel, stride and dilation together.
void add_uneven_parts(std::vector<ScopePart>& parts) {
  BlockRow row{};
  row[Grouping] = ungrouped;
  row[InputChannels] = 1;
  row[OutputChannels] = 2;
  row[AxisCount] = 1;
  const auto each = [&](Choice choice, auto&& then) {
    for (row[choice] = 0; row[choice] < value_counts[choice]; ++row[choice]) then();
  };
  const auto add_both = [&] {
    for (const bool swapped : {false, true}) parts.push_back(uneven_part(row, swapped));
  };
  each(Direction, [&] { each(Kernel, [&] { each(Stride, [&] { each(Dilation, add_both); }); }); });
}

}  // namespace

Scope block_scope() {
  UncoveredTriples triples;
  std::vector<ScopePart> parts;
  while (!triples.is_empty()) {
    BlockRow row = triples.seed();
    fill_row(triples, row);
    triples.close(row);
    parts.push_back(part_of(row));
  }
  add_uneven_parts(parts);
  return Scope(
      "blocks",
      fmt::format(
          "every three of: depthwise, 2 groups, dense; ordinary, transposed; "
          "channels of a group in and out {}; kernel {}, stride 1 2 3, dilation "
          "1 2, padding 0 1 2; the seven masks; 1 and 2 spatial axes; batch 1 2; and 2D calls "
          "of each kernel, stride and dilation with four paddings",
          fmt::join(edge_channels, " "), fmt::join(kernels, " ")),
      std::move(parts));
}

}  // namespace gradproof::runs
