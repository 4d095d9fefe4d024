#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "oracle/dense.h"
#include "oracle/geometry.h"
#include "oracle/meeting_rows.h"

namespace gradproof::oracle {

/// Where the elements of a lifted tensor lie when groups come first and the channels of the
/// driver's partner last.
class PackedLayout {
 public:
  /// G N D H W C of a feature map.
  static PackedLayout of_map(const Geometry& geometry, Driver map);

  /// G, driver channel, taps (see MeetingRows), partner channel.
  static PackedLayout of_weight(const Geometry& geometry, Driver driver);

  /// Calls visit(logical index, packed index) for every element.
  template <typename Visit>
  void for_each(Visit visit) const {
    std::size_t logical = 0;
    Shape at{};
    for (at[0] = 0; at[0] < shape_[0]; ++at[0])
      for (at[1] = 0; at[1] < shape_[1]; ++at[1])
        for (at[2] = 0; at[2] < shape_[2]; ++at[2])
          for (at[3] = 0; at[3] < shape_[3]; ++at[3]) {
            at[4] = 0;
            std::int64_t packed = offset(at);
            for (; at[4] < shape_[4]; ++at[4], packed += strides_[4]) {
              visit(logical++, static_cast<std::size_t>(packed));
            }
          }
  }

  std::size_t size() const { return static_cast<std::size_t>(element_count(shape_)); }

 private:
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
