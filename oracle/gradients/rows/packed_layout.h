#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "oracle/geometry/geometry.h"
#include "oracle/gradients/rows/contributing_runs.h"
#include "oracle/numbers/dense.h"

namespace gradproof::oracle {

/// Where the elements of a lifted tensor lie when groups come first and the channels of the
/// driver's partner last: offset = base + group * group_stride + sum of index[i] * strides[i], with
/// the index within the group on the grouped axis.
/// A bijection between row-major indices and [0, size()): packing and unpacking visit every element
/// once.
class PackedLayout {
 public:
  /// G N D H W C of a feature map.
  static PackedLayout of_map(const Geometry& geometry, Driver map);

  /// G, driver channel, taps (see ContributingRows), partner channel.
  static PackedLayout of_weight(const Geometry& geometry, Driver driver);

  /// Calls visit(logical index, packed index) for every element, in an order that suits both: a few
  /// channels of one position after the other, since channels lie side by side in one of them only.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (std::int64_t outer = 0; outer < shape_[0]; ++outer)
      for (std::int64_t first = 0; first < shape_[1]; first += channels_at_once) {
        visit_channels(outer, first, std::min(first + channels_at_once, shape_[1]), visit);
      }
  }

  std::size_t size() const { return static_cast<std::size_t>(element_count(shape_)); }

 private:
  static constexpr std::int64_t channels_at_once = 8;

  /// Visits channels by eight, which keeps both sides within a few cache lines: row-major
  /// neighbours of a map along W are `channels` apart in the packed order, and packed neighbours
  /// (channels) a whole channel apart in the row-major one.
  template <typename Visit>
  void visit_channels(std::int64_t outer, std::int64_t first, std::int64_t last,
                      Visit& visit) const {
    const std::int64_t positions = shape_[2] * shape_[3] * shape_[4];
    std::array<std::int64_t, channels_at_once> packed{};
    for (std::int64_t channel = first; channel < last; ++channel) {
      packed[static_cast<std::size_t>(channel - first)] = offset({outer, channel, 0, 0, 0});
    }
    std::int64_t logical = (outer * shape_[1] + first) * positions;
    for (std::int64_t d = 0; d < shape_[2]; ++d)
      for (std::int64_t h = 0; h < shape_[3]; ++h) {
        std::int64_t place = d * strides_[2] + h * strides_[3];
        for (std::int64_t w = 0; w < shape_[4]; ++w, ++logical, place += strides_[4]) {
          for (std::int64_t i = 0; i < last - first; ++i) {
            visit(static_cast<std::size_t>(logical + i * positions),
                  static_cast<std::size_t>(packed[static_cast<std::size_t>(i)] + place));
          }
        }
      }
  }

  /// The packed index of the element at a logical coordinate.
  std::int64_t offset(const Shape& at) const {
    const std::int64_t group = at[grouped_axis_] / channels_per_group_;
    std::int64_t sum = base_ + group * group_stride_;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const std::int64_t place = i == grouped_axis_ ? at[i] - group * channels_per_group_ : at[i];
      sum += place * strides_[i];
    }
    return sum;
  }

  Shape shape_{};
  std::size_t grouped_axis_ = 1;
  std::int64_t channels_per_group_ = 1, group_stride_ = 0, base_ = 0;
  std::array<std::int64_t, 5> strides_{};
};

}  // namespace gradproof::oracle
