#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/gradients/binned/bin_sums.h"
#include "oracle/gradients/binned/binned_products.h"
#include "oracle/gradients/rows/packed_layout.h"

namespace gradproof::oracle {
namespace {

/// The gradient of one of the maps: the elements of the other, one by one, times blocks of the
/// channels of the gradient, as the weight holds them.
/// Neighbouring positions that contribute with the same rows of the weight are added together, for
/// the same reason as two channels in BinnedWeight: the weight is loaded once.
class BinnedMap {
 public:
  BinnedMap(const Geometry& geometry, Driver target, const BinPlan& plan,
            InstructionSet instructions)
      : geometry_(geometry),
        target_(target),
        plan_(plan),
        rows_(geometry, target),
        channels_(target == Driver::Small ? geometry.small_channels : geometry.big_channels),
        kernel_(geometry.taps() *
                (target == Driver::Small ? geometry.big_channels : geometry.small_channels)),
        sums_(plan, instructions),
        next_sums_(plan, instructions) {}

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
        for (std::int64_t position = 0; position < positions;) {
          position += add_positions(n, group, position, result);
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

  /// Packs the weight as [group][block of channels][step][lane]; a step is a tap and a channel of
  /// the other map. Lanes beyond the last channel are zeros.
  void pack_weight(const Dense<Number>& weight) {
    weight_ = empty_blocks(geometry_.groups * blocks_of(channels_) * kernel_);
    const auto layout = PackedLayout::of_weight(geometry_, target_);
    layout.for_each([&](std::size_t index, std::size_t place) {
      const std::int64_t channel = static_cast<std::int64_t>(place) / kernel_;
      const std::int64_t step = static_cast<std::int64_t>(place) % kernel_;
      const std::int64_t lane = channel % channels_ % bin_lanes;
      weight_[panel(channel / channels_, channel % channels_ / bin_lanes) +
              static_cast<std::size_t>(step * bin_lanes + lane)] =
          plan_.right_word(weight[index], lane);
    });
  }

  std::size_t panel(std::int64_t group, std::int64_t block) const {
    return static_cast<std::size_t>((group * blocks_of(channels_) + block) * kernel_ * bin_lanes);
  }

  const std::vector<Row>& rows_at(std::int64_t position) {
    const auto& [depth, height, width] = rows_.positions();
    return rows_.at(position / (height * width), position / width % height, position % width);
  }

  /// True if two positions read the weight alike.
  static bool are_alike(const std::vector<Row>& one, const std::vector<Row>& other) {
    return std::ranges::equal(one, other, [](const Row& a, const Row& b) {
      return a.tap_offset == b.tap_offset && a.length == b.length;
    });
  }

  /// A position, and the next one with it if it reads the weight alike; returns how many.
  std::int64_t add_positions(std::int64_t n, std::int64_t group, std::int64_t position,
                             DigitSums& result) {
    const auto& [depth, height, width] = rows_.positions();
    const std::int64_t positions = depth * height * width;
    first_rows_ = rows_at(position);
    const std::vector<Row>* next = position + 1 < positions ? &rows_at(position + 1) : nullptr;
    if (next != nullptr && !are_alike(first_rows_, *next)) next = nullptr;
    for (std::int64_t first = 0; first < channels_; first += bin_lanes) {
      add_rows(n, group, first / bin_lanes, next);
      const std::int64_t channel = (n * geometry_.groups + group) * channels_ + first;
      const std::int64_t lanes = std::min(bin_lanes, channels_ - first);
      const std::int64_t index = channel * positions + position;
      sums_.take(result, index, lanes, positions);
      if (next != nullptr) next_sums_.take(result, index + 1, lanes, positions);
    }
    return next == nullptr ? 1 : 2;
  }

  void add_rows(std::int64_t n, std::int64_t group, std::int64_t block,
                const std::vector<Row>* next) {
    const std::int64_t map_elements =
        static_cast<std::int64_t>(map_.size()) / (geometry_.groups * geometry_.batch);
    const BinWord* const map = map_.data() + (group * geometry_.batch + n) * map_elements;
    const BinWord* const weight = weight_.data() + panel(group, block);
    for (std::size_t i = 0; i < first_rows_.size(); ++i) {
      const Row& row = first_rows_[i];
      const BinWord* const right = weight + row.tap_offset * bin_lanes;
      if (next == nullptr) {
        sums_.add(map + row.map_offset, right, bin_lanes, row.length);
      } else {
        BinSums::add_to_both(sums_, map + row.map_offset, next_sums_, map + (*next)[i].map_offset,
                             right, bin_lanes, row.length);
      }
    }
  }

  const Geometry& geometry_;
  Driver target_;
  const BinPlan& plan_;
  ContributingRows rows_;
  std::int64_t channels_;  ///< of the target, in one group
  std::int64_t kernel_;    ///< steps of one output where no tap meets padding
  BinWords map_, weight_;
  std::vector<Row> first_rows_;
  BinSums sums_, next_sums_;
};

}  // namespace

DigitSums binned_map_gradient(const Geometry& geometry, Driver target, const BinPlan& plan,
                              InstructionSet instructions, const Dense<Number>& map,
                              const Dense<Number>& weight) {
  return BinnedMap(geometry, target, plan, instructions)(map, weight);
}

}  // namespace gradproof::oracle
