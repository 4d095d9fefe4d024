#include "oracle/bucketed_gradient.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "oracle/bucket_plan.h"
#include "oracle/bucket_sums.h"
#include "oracle/digit_sum.h"
#include "oracle/meeting_rows.h"
#include "oracle/packed_layout.h"

namespace gradproof::oracle {
namespace {

using corpus::OutputRole;
using Words = std::vector<BucketWord>;

std::int64_t blocks_of(std::int64_t channels) {
  return (channels + bucket_lanes - 1) / bucket_lanes;
}

/// Words for whole blocks of lanes, all of them zero.
Words empty_blocks(std::int64_t steps) {
  Words words(static_cast<std::size_t>(steps * bucket_lanes));
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i].place = static_cast<std::int32_t>(i % bucket_lanes);
  }
  return words;
}

/// The gradient of one of the maps: the elements of the other, one by one, times blocks of the
/// channels of the gradient, as the weight holds them.
class BucketedMap {
 public:
  BucketedMap(const Geometry& geometry, Driver target, const BucketPlan& plan,
              InstructionSet instructions)
      : geometry_(geometry),
        target_(target),
        plan_(plan),
        rows_(geometry, target),
        channels_(target == Driver::Small ? geometry.small_channels : geometry.big_channels),
        kernel_(geometry.taps() *
                (target == Driver::Small ? geometry.big_channels : geometry.small_channels)),
        sums_(plan, instructions) {}

  DigitSums operator()(const Dense<Number>& map, const Dense<Number>& weight) {
    pack(map);
    pack_weight(weight);
    const auto& [depth, height, width] = rows_.positions();
    const std::int64_t positions = depth * height * width;
    DigitSums result(
        static_cast<std::size_t>(geometry_.batch * geometry_.groups * channels_ * positions),
        plan_.digit_pairs(), plan_.exponent());
    for (std::int64_t n = 0; n < geometry_.batch; ++n)
      for (std::int64_t group = 0; group < geometry_.groups; ++group)
        for (std::int64_t position = 0; position < positions; ++position) {
          add_position(n, group, position, result);
        }
    return result;
  }

 private:
  void pack(const Dense<Number>& map) {
    map_.resize(map.size());
    const Driver other = target_ == Driver::Small ? Driver::Big : Driver::Small;
    PackedLayout::of_map(geometry_, other).for_each([&](std::size_t index, std::size_t place) {
      map_[place] = plan_.left_word(map[index]);
    });
  }

  void pack_weight(const Dense<Number>& weight) {
    weight_ = empty_blocks(geometry_.groups * blocks_of(channels_) * kernel_);
    const auto layout = PackedLayout::of_weight(geometry_, target_);
    layout.for_each([&](std::size_t index, std::size_t place) {
      const std::int64_t channel = static_cast<std::int64_t>(place) / kernel_;
      const std::int64_t step = static_cast<std::int64_t>(place) % kernel_;
      const std::int64_t lane = channel % channels_ % bucket_lanes;
      weight_[panel(channel / channels_, channel % channels_ / bucket_lanes) +
              static_cast<std::size_t>(step * bucket_lanes + lane)] =
          plan_.right_word(weight[index], lane);
    });
  }

  std::size_t panel(std::int64_t group, std::int64_t block) const {
    return static_cast<std::size_t>((group * blocks_of(channels_) + block) * kernel_ *
                                    bucket_lanes);
  }

  void add_position(std::int64_t n, std::int64_t group, std::int64_t position, DigitSums& result) {
    const auto& [depth, height, width] = rows_.positions();
    const auto& rows =
        rows_.at(position / (height * width), position / width % height, position % width);
    const std::int64_t map_elements =
        static_cast<std::int64_t>(map_.size()) / (geometry_.groups * geometry_.batch);
    const BucketWord* const map = map_.data() + (group * geometry_.batch + n) * map_elements;
    for (std::int64_t first = 0; first < channels_; first += bucket_lanes) {
      const BucketWord* const weight = weight_.data() + panel(group, first / bucket_lanes);
      for (const Row& row : rows) {
        sums_.add(map + row.map_offset, weight + row.tap_offset * bucket_lanes, bucket_lanes,
                  row.length);
      }
      const std::int64_t positions = depth * height * width;
      const std::int64_t channel = (n * geometry_.groups + group) * channels_ + first;
      sums_.take(result, channel * positions + position, std::min(bucket_lanes, channels_ - first),
                 positions);
    }
  }

  const Geometry& geometry_;
  Driver target_;
  const BucketPlan& plan_;
  MeetingRows rows_;
  std::int64_t channels_;  ///< of the target, in one group
  std::int64_t kernel_;    ///< steps of one output where no tap meets padding
  Words map_, weight_;
  BucketSums sums_;
};

/// The weight's gradient: small positions one by one times blocks of big channels.
class BucketedWeight {
 public:
  BucketedWeight(const Geometry& geometry, const BucketPlan& plan, InstructionSet instructions)
      : geometry_(geometry), plan_(plan), sums_(plan, instructions) {
    for (const Axis& axis : geometry.axes) big_positions_ *= axis.big;
  }

  DigitSums operator()(const Dense<Number>& small, const Dense<Number>& big) {
    pack_small(small);
    pack_big(big);
    const Shape shape = geometry_.weight_shape();
    DigitSums result(static_cast<std::size_t>(element_count(shape)), plan_.digit_pairs(),
                     plan_.exponent());
    for (std::int64_t channel = 0; channel < shape[0]; ++channel)
      for (std::int64_t first = 0; first < geometry_.big_channels; first += bucket_lanes)
        for (std::int64_t tap = 0; tap < geometry_.taps(); ++tap) {
          add_element({channel, first, tap}, result);
        }
    return result;
  }

 private:
  /// A small channel, counted over all groups, the first big channel of a block, and a tap.
  struct Element {
    std::int64_t channel, first, tap;
  };

  /// Small channel, batch, position: what one channel holds is read in one go.
  void pack_small(const Dense<Number>& numbers) {
    small_.resize(numbers.size());
    const std::int64_t channels = geometry_.groups * geometry_.small_channels;
    const std::int64_t positions = geometry_.small_positions();
    std::size_t index = 0;
    for (std::int64_t n = 0; n < geometry_.batch; ++n)
      for (std::int64_t channel = 0; channel < channels; ++channel) {
        BucketWord* word = small_.data() + (channel * geometry_.batch + n) * positions;
        for (std::int64_t i = 0; i < positions; ++i) *word++ = plan_.left_word(numbers[index++]);
      }
  }

  /// Group, block of channels, batch, position, lane.
  void pack_big(const Dense<Number>& numbers) {
    big_ = empty_blocks(geometry_.groups * blocks_of(geometry_.big_channels) * geometry_.batch *
                        big_positions_);
    std::size_t index = 0;
    for (std::int64_t n = 0; n < geometry_.batch; ++n)
      for (std::int64_t group = 0; group < geometry_.groups; ++group)
        for (std::int64_t channel = 0; channel < geometry_.big_channels; ++channel) {
          const std::int64_t lane = channel % bucket_lanes;
          BucketWord* word = big_.data() + big_panel(group, channel, n) + lane;
          for (std::int64_t i = 0; i < big_positions_; ++i, word += bucket_lanes) {
            *word = plan_.right_word(numbers[index++], lane);
          }
        }
  }

  std::int64_t big_panel(std::int64_t group, std::int64_t channel, std::int64_t n) const {
    const std::int64_t block = group * blocks_of(geometry_.big_channels) + channel / bucket_lanes;
    return (block * geometry_.batch + n) * big_positions_ * bucket_lanes;
  }

  void add_element(const Element& element, DigitSums& result) {
    const std::int64_t group = element.channel / geometry_.small_channels;
    for (std::int64_t n = 0; n < geometry_.batch; ++n) {
      add_planes(
          small_.data() + (element.channel * geometry_.batch + n) * geometry_.small_positions(),
          big_.data() + big_panel(group, element.first, n), element.tap);
    }
    const std::int64_t channel = element.channel * geometry_.big_channels + element.first;
    sums_.take(result, channel * geometry_.taps() + element.tap,
               std::min(bucket_lanes, geometry_.big_channels - element.first), geometry_.taps());
  }

  void add_planes(const BucketWord* small, const BucketWord* big, std::int64_t tap) {
    const auto& [depth, height, width] = geometry_.axes;
    for (std::int64_t d = 0; d < depth.small; ++d) {
      const auto big_d = depth.big_at(d, tap / (height.kernel * width.kernel));
      if (!big_d) continue;
      for (std::int64_t h = 0; h < height.small; ++h) {
        const auto big_h = height.big_at(h, tap / width.kernel % height.kernel);
        if (!big_h) continue;
        add_line(small + (d * height.small + h) * width.small,
                 big + (*big_d * height.big + *big_h) * width.big * bucket_lanes,
                 tap % width.kernel);
      }
    }
  }

  /// The small positions of a line that meet a big one through the tap follow one another.
  void add_line(const BucketWord* small, const BucketWord* big, std::int64_t tap) {
    const Axis& axis = geometry_.axes[2];
    const std::int64_t before = axis.padding_begin - tap * axis.dilation;
    const std::int64_t first = before <= 0 ? 0 : (before + axis.stride - 1) / axis.stride;
    const std::int64_t room = axis.big - 1 + before;
    if (room < 0) return;
    const std::int64_t last = std::min(axis.small, room / axis.stride + 1);
    if (first >= last) return;
    sums_.add(small + first, big + (first * axis.stride - before) * bucket_lanes,
              axis.stride * bucket_lanes, last - first);
  }

  const Geometry& geometry_;
  const BucketPlan& plan_;
  std::int64_t big_positions_ = 1;
  Words small_, big_;
  BucketSums sums_;
};

}  // namespace

bool is_bucketing_worthwhile(const Geometry& geometry, OutputRole role,
                             const MeasuredOperand& grad_output, const MeasuredOperand& other) {
  const bool by_small = role == OutputRole::GradInput && geometry.transposed;
  constexpr std::int64_t fewest_lanes = 4;
  constexpr double fewest_products = 1 << 15;
  constexpr double non_zeros_that_pay = 0.3;
  if ((by_small ? geometry.small_channels : geometry.big_channels) < fewest_lanes) return false;
  const double products =
      static_cast<double>(element_count(geometry.shape(role))) * geometry.mean_reduction(role);
  if (products < fewest_products || geometry.mean_reduction(role) < 32) return false;
  const auto share = [](const MeasuredOperand& operand) {
    return static_cast<double>(operand.extent.non_zeros) /
           static_cast<double>(std::max<std::size_t>(operand.numbers.size(), 1));
  };
  return std::min(share(grad_output), share(other)) > non_zeros_that_pay;
}

ExactTensor bucketed_accumulated(const Geometry& geometry, OutputRole role,
                                 const MeasuredOperand& grad_output, const MeasuredOperand& other,
                                 InstructionSet instructions) {
  const bool is_swapped = role == OutputRole::GradWeight && geometry.transposed;
  const MeasuredOperand& left = is_swapped ? other : grad_output;
  const MeasuredOperand& right = is_swapped ? grad_output : other;
  const BucketPlan plan(left.numbers, left.extent, right.numbers, right.extent,
                        std::max<std::int64_t>(geometry.longest_reduction(role), 1));
  if (role == OutputRole::GradWeight) {
    return {BucketedWeight(geometry, plan, instructions)(left.numbers, right.numbers), 0};
  }
  const Driver target = geometry.transposed ? Driver::Small : Driver::Big;
  return {BucketedMap(geometry, target, plan, instructions)(left.numbers, right.numbers), 0};
}

}  // namespace gradproof::oracle
