#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "oracle/gradients/binned/bin_sums.h"
#include "oracle/gradients/binned/binned_products.h"

namespace gradproof::oracle {
namespace {

/// The weight's gradient: small positions one by one times blocks of big channels.
/// Two small channels at a time: both multiply the same words of the big map, which are loaded once
/// (BinSums::add_to_both).
class BinnedWeight {
 public:
  BinnedWeight(const Geometry& geometry, const BinPlan& plan, InstructionSet instructions)
      : geometry_(geometry),
        plan_(plan),
        sums_(plan, instructions),
        next_sums_(plan, instructions) {
    for (const Axis& axis : geometry.axes) big_positions_ *= axis.big;
  }

  DigitSums operator()(const Dense<Number>& small, const Dense<Number>& big) {
    pack_small(small);
    pack_big(big);
    const Shape shape = geometry_.weight_shape();
    DigitSums result(static_cast<std::size_t>(element_count(shape)), plan_.digit_pairs(),
                     plan_.exponent());
    for (std::int64_t channel = 0; channel < shape[0];) {
      // Two channels of one group meet the same big positions.
      const bool is_pair = (channel + 1) % geometry_.small_channels != 0;
      for (std::int64_t first = 0; first < geometry_.big_channels; first += bin_lanes)
        for (std::int64_t tap = 0; tap < geometry_.taps(); ++tap) {
          add_element({channel, first, tap, is_pair}, result);
        }
      channel += is_pair ? 2 : 1;
    }
    return result;
  }

 private:
  /// A small channel, counted over all groups, the first big channel of a block, and a tap; and
  /// whether the next small channel goes with it.
  struct Element {
    std::int64_t channel, first, tap;
    bool is_pair;
  };

  /// One channel of the small map, or the same places of two.
  struct SmallPlaces {
    const BinWord *one, *next;

    SmallPlaces behind(std::int64_t offset) const {
      return {one + offset, next == nullptr ? nullptr : next + offset};
    }
  };

  /// Packs the map by small channel, batch, position: what one channel holds is read in one go.
  void pack_small(const Dense<Number>& numbers) {
    small_.resize(numbers.size());
    const std::int64_t channels = geometry_.groups * geometry_.small_channels;
    const std::int64_t positions = geometry_.small_positions();
    std::size_t index = 0;
    for (std::int64_t n = 0; n < geometry_.batch; ++n)
      for (std::int64_t channel = 0; channel < channels; ++channel) {
        BinWord* word = small_.data() + (channel * geometry_.batch + n) * positions;
        for (std::int64_t i = 0; i < positions; ++i) *word++ = plan_.left_word(numbers[index++]);
      }
  }

  /// Packs the map by group, block of channels, batch, position, lane.
  void pack_big(const Dense<Number>& numbers) {
    big_ = empty_blocks(geometry_.groups * blocks_of(geometry_.big_channels) * geometry_.batch *
                        big_positions_);
    std::size_t index = 0;
    for (std::int64_t n = 0; n < geometry_.batch; ++n)
      for (std::int64_t group = 0; group < geometry_.groups; ++group)
        for (std::int64_t channel = 0; channel < geometry_.big_channels; ++channel) {
          const std::int64_t lane = channel % bin_lanes;
          BinWord* word = big_.data() + big_panel(group, channel, n) + lane;
          for (std::int64_t i = 0; i < big_positions_; ++i, word += bin_lanes) {
            *word = plan_.right_word(numbers[index++], lane);
          }
        }
  }

  std::int64_t big_panel(std::int64_t group, std::int64_t channel, std::int64_t n) const {
    const std::int64_t block = group * blocks_of(geometry_.big_channels) + channel / bin_lanes;
    return (block * geometry_.batch + n) * big_positions_ * bin_lanes;
  }

  void add_element(const Element& element, DigitSums& result) {
    const std::int64_t group = element.channel / geometry_.small_channels;
    for (std::int64_t n = 0; n < geometry_.batch; ++n) {
      const std::int64_t map = geometry_.batch * geometry_.small_positions();
      const BinWord* const one =
          small_.data() + element.channel * map + n * geometry_.small_positions();
      add_planes({one, element.is_pair ? one + map : nullptr},
                 big_.data() + big_panel(group, element.first, n), element.tap);
    }
    const std::int64_t channel = element.channel * geometry_.big_channels + element.first;
    const std::int64_t lanes = std::min(bin_lanes, geometry_.big_channels - element.first);
    const std::int64_t index = channel * geometry_.taps() + element.tap;
    sums_.take(result, index, lanes, geometry_.taps());
    if (!element.is_pair) return;
    next_sums_.take(result, index + geometry_.big_channels * geometry_.taps(), lanes,
                    geometry_.taps());
  }

  /// Positions of D and H that meet padding through the tap are left out here, those of W in
  /// add_line.
  void add_planes(const SmallPlaces& small, const BinWord* big, std::int64_t tap) {
    const auto& [depth, height, width] = geometry_.axes;
    for (std::int64_t d = 0; d < depth.small; ++d) {
      const auto big_d = depth.big_at(d, tap / (height.kernel * width.kernel));
      if (!big_d) continue;
      for (std::int64_t h = 0; h < height.small; ++h) {
        const auto big_h = height.big_at(h, tap / width.kernel % height.kernel);
        if (!big_h) continue;
        add_line(small.behind((d * height.small + h) * width.small),
                 big + (*big_d * height.big + *big_h) * width.big * bin_lanes, tap % width.kernel);
      }
    }
  }

  /// The small positions of a line that meet a big one through the tap follow one another: with
  /// before = padding_begin - tap * dilation, position i meets i * stride - before, which is in
  /// [0, big) for ceil(before / stride) <= i <= floor((big - 1 + before) / stride).
  void add_line(const SmallPlaces& small, const BinWord* big, std::int64_t tap) {
    const Axis& axis = geometry_.axes[2];
    const std::int64_t before = axis.padding_begin - tap * axis.dilation;
    const std::int64_t first = before <= 0 ? 0 : (before + axis.stride - 1) / axis.stride;
    const std::int64_t room = axis.big - 1 + before;
    if (room < 0) return;
    const std::int64_t last = std::min(axis.small, room / axis.stride + 1);
    if (first >= last) return;
    const BinWord* const met = big + (first * axis.stride - before) * bin_lanes;
    const std::int64_t apart = axis.stride * bin_lanes;
    const auto [one, next] = small.behind(first);
    if (next == nullptr) return sums_.add(one, met, apart, last - first);
    BinSums::add_to_both(sums_, one, next_sums_, next, met, apart, last - first);
  }

  const Geometry& geometry_;
  const BinPlan& plan_;
  std::int64_t big_positions_ = 1;
  BinWords small_, big_;
  BinSums sums_, next_sums_;
};

}  // namespace

DigitSums binned_weight_gradient(const Geometry& geometry, const BinPlan& plan,
                                 InstructionSet instructions, const Dense<Number>& small,
                                 const Dense<Number>& big) {
  return BinnedWeight(geometry, plan, instructions)(small, big);
}

}  // namespace gradproof::oracle
