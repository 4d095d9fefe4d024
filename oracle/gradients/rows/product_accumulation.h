#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "oracle/geometry/geometry.h"
#include "oracle/gradients/rows/contributing_runs.h"
#include "oracle/gradients/rows/packed_layout.h"
#include "oracle/numbers/dense.h"
#include "oracle/sums/large_vector.h"
#include "oracle/sums/scratch.h"

namespace gradproof::oracle {

/// The products of one gradient: a driver map, visited element by element, the source that each
/// element multiplies, and the target that the products are added to.
struct ProductPlan {
  Driver driver = Driver::Small;
  bool target_is_weight = false;  ///< then the source is the other map, else the reverse
  bool driver_is_grad_output = true;
};

/// Accumulators that are worked on together should stay in the second-level cache.
/// 16384 of 8 bytes are 128 KiB; of 16 bytes, 256 KiB; wide sums, of 160 bytes, would be 2.5 MiB.
inline constexpr std::int64_t cached_elements = 16384;

/// Adds all products of a gradient in one kind of accumulator (accumulators.h): each non-zero
/// element of the driver times the rows of the source that it meets. A zero contributes nothing to
/// an exact sum, so sparse drivers cost what their non-zeros cost.
/// Shape: driver and source lifted to N C D H W, packed as PackedLayout says, so that a row of
/// products is one loop over consecutive memory: target[i] += factor * source[i]. Cost: one such
/// multiply-add for each non-zero driver element, tap and partner channel.
template <typename Accumulator>
class Accumulation {
 public:
  using Operand = typename Accumulator::Operand;
  using Sum = typename Accumulator::Sum;

  Accumulation(const Geometry& geometry, const ProductPlan& plan)
      : geometry_(geometry),
        plan_(plan),
        map_layout_(PackedLayout::of_map(
            geometry, plan.driver == Driver::Small ? Driver::Big : Driver::Small)),
        weight_layout_(PackedLayout::of_weight(geometry, plan.driver)),
        rows_(geometry, plan.driver) {}

  /// The sums in row-major order of the target's logical shape. An element becomes an operand of
  /// the accumulator by `Accumulator::operand(element, unit)`.
  template <typename Element>
  LargeVector<Sum> operator()(const Dense<Element>& driver, int driver_unit,
                              const Dense<Element>& source, int source_unit) {
    const auto driver_layout = PackedLayout::of_map(geometry_, plan_.driver);
    pack(*driver_, driver, driver_layout, driver_unit);
    const auto& source_layout = plan_.target_is_weight ? map_layout_ : weight_layout_;
    pack(*source_, source, source_layout, source_unit);
    const auto& target_layout = plan_.target_is_weight ? weight_layout_ : map_layout_;
    target_->assign(target_layout.size(), Sum{});
    for (std::int64_t group = 0; group < geometry_.groups; ++group) add_group(group);
    LargeVector<Sum> logical(target_->size());
    target_layout.for_each([&, target = target_->data()](std::size_t index, std::size_t place) {
      logical[index] = target[place];
    });
    return logical;
  }

 private:
  template <typename Element>
  static void pack(LargeVector<Operand>& result, const Dense<Element>& elements,
                   const PackedLayout& layout, int unit) {
    result.resize(elements.size());
    layout.for_each([&, words = result.data()](std::size_t index, std::size_t place) {
      words[place] = Accumulator::operand(elements[index], unit);
    });
  }

  std::int64_t driver_channels() const {
    return plan_.driver == Driver::Small ? geometry_.small_channels : geometry_.big_channels;
  }
  std::int64_t partner_channels() const {
    return plan_.driver == Driver::Small ? geometry_.big_channels : geometry_.small_channels;
  }

  /// Adds a group by blocks of driver channels whose kernels stay in the cache, so that a weight
  /// gradient's sums are not read from memory for every batch entry.
  void add_group(std::int64_t group) {
    const std::int64_t kernel = std::max<std::int64_t>(geometry_.taps() * partner_channels(), 1);
    const std::int64_t block = std::max<std::int64_t>(cached_elements / kernel, 1);
    for (std::int64_t first = 0; first < driver_channels(); first += block) {
      const std::int64_t last = std::min(first + block, driver_channels());
      for (std::int64_t n = 0; n < geometry_.batch; ++n) add_block(group, n, first, last);
    }
  }

  /// Adds all products of channels first..last of one group and batch entry of the driver.
  void add_block(std::int64_t group, std::int64_t n, std::int64_t first, std::int64_t last) {
    const std::int64_t channels = driver_channels();
    const auto& positions = rows_.positions();
    const std::int64_t map_base = (group * geometry_.batch + n) * map_elements();
    const Operand* element = driver_->data() + (group * geometry_.batch + n) * positions[0] *
                                                   positions[1] * positions[2] * channels;
    for (std::int64_t d = 0; d < positions[0]; ++d)
      for (std::int64_t h = 0; h < positions[1]; ++h)
        for (std::int64_t w = 0; w < positions[2]; ++w, element += channels) {
          if (std::all_of(element + first, element + last, Accumulator::is_zero)) continue;
          const auto& rows = rows_.at(d, h, w);
          for (std::int64_t c = first; c < last; ++c) {
            if (Accumulator::is_zero(element[c])) continue;
            add_rows(rows, element[c], map_base, group * channels + c);
          }
        }
  }

  std::int64_t map_elements() const {
    return static_cast<std::int64_t>(map_layout_.size()) / (geometry_.groups * geometry_.batch);
  }

  /// Adds rows: the taps get element * map, for a weight gradient, or the map element * taps.
  void add_rows(const std::vector<Row>& rows, const Operand& factor, std::int64_t map_base,
                std::int64_t channel) {
    const std::int64_t kernel_base = channel * geometry_.taps() * partner_channels();
    for (const Row& row : rows) {
      const std::int64_t in_map = map_base + row.map_offset;
      const std::int64_t in_kernel = kernel_base + row.tap_offset;
      const auto [target, source] =
          plan_.target_is_weight ? std::pair(in_kernel, in_map) : std::pair(in_map, in_kernel);
      Accumulator::add(target_->data() + target, factor, source_->data() + source, row.length);
    }
  }

  const Geometry& geometry_;
  ProductPlan plan_;
  PackedLayout map_layout_, weight_layout_;
  ContributingRows rows_;
  Scratch<Operand> driver_, source_;
  Scratch<Sum> target_;
};

/// The plan of a gradient: the driver of a weight gradient is the map with less to multiply.
ProductPlan plan_of(const Geometry& geometry, corpus::OutputRole role,
                    std::size_t grad_output_non_zeros, std::size_t other_non_zeros);

}  // namespace gradproof::oracle
