#include "oracle/accumulation.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "oracle/check.h"
#include "oracle/lanes.h"
#include "oracle/meeting_rows.h"
#include "oracle/operands.h"
#include "oracle/packed_layout.h"

namespace gradproof::oracle {
namespace {

using corpus::OutputRole;

/// The products of one gradient: a driver map, visited element by element, the source that each
/// element multiplies, and the target that the products are added to.
struct Plan {
  Driver driver = Driver::Small;
  bool target_is_weight = false;  ///< then the source is the other map, else the reverse
  bool driver_is_grad_output = true;
};

/// Accumulators that are worked on together should stay in the second-level cache.
constexpr std::int64_t cached_elements = 16384;

template <typename Lane>
class Accumulation {
 public:
  using Operand = typename Lane::Operand;
  using Sum = typename Lane::Sum;

  Accumulation(const Geometry& geometry, const Plan& plan)
      : geometry_(geometry),
        plan_(plan),
        map_layout_(PackedLayout::of_map(
            geometry, plan.driver == Driver::Small ? Driver::Big : Driver::Small)),
        weight_layout_(PackedLayout::of_weight(geometry, plan.driver)),
        rows_(geometry, plan.driver) {}

  /// The sums in row-major order of the target's logical shape.
  std::vector<Sum> operator()(const Dense<Number>& driver, int driver_unit,
                              const Dense<Number>& source, int source_unit) {
    const auto driver_layout = PackedLayout::of_map(geometry_, plan_.driver);
    driver_ = packed(driver, driver_layout, driver_unit);
    const auto& source_layout = plan_.target_is_weight ? map_layout_ : weight_layout_;
    source_ = packed(source, source_layout, source_unit);
    const auto& target_layout = plan_.target_is_weight ? weight_layout_ : map_layout_;
    target_.assign(target_layout.size(), Sum{});
    for (std::int64_t group = 0; group < geometry_.groups; ++group) add_group(group);
    std::vector<Sum> logical(target_.size());
    target_layout.for_each(
        [&](std::size_t index, std::size_t place) { logical[index] = target_[place]; });
    return logical;
  }

 private:
  static std::vector<Operand> packed(const Dense<Number>& numbers, const PackedLayout& layout,
                                     int unit) {
    std::vector<Operand> result(numbers.size());
    layout.for_each([&](std::size_t index, std::size_t place) {
      const Number& number = numbers[index];
      result[place] = number.significand == 0 ? Operand{} : Lane::operand(number, unit);
    });
    return result;
  }

  std::int64_t driver_channels() const {
    return plan_.driver == Driver::Small ? geometry_.small_channels : geometry_.big_channels;
  }
  std::int64_t partner_channels() const {
    return plan_.driver == Driver::Small ? geometry_.big_channels : geometry_.small_channels;
  }

  void add_group(std::int64_t group) {
    const std::int64_t kernel = std::max<std::int64_t>(geometry_.taps() * partner_channels(), 1);
    const std::int64_t block = std::max<std::int64_t>(cached_elements / kernel, 1);
    for (std::int64_t first = 0; first < driver_channels(); first += block) {
      const std::int64_t last = std::min(first + block, driver_channels());
      for (std::int64_t n = 0; n < geometry_.batch; ++n) add_block(group, n, first, last);
    }
  }

  /// Everything that channels first..last of one group and batch entry of the driver meet.
  void add_block(std::int64_t group, std::int64_t n, std::int64_t first, std::int64_t last) {
    const std::int64_t channels = driver_channels();
    const auto& positions = rows_.positions();
    const std::int64_t map_base = (group * geometry_.batch + n) * map_elements();
    const Operand* element = driver_.data() + (group * geometry_.batch + n) * positions[0] *
                                                  positions[1] * positions[2] * channels;
    for (std::int64_t d = 0; d < positions[0]; ++d)
      for (std::int64_t h = 0; h < positions[1]; ++h)
        for (std::int64_t w = 0; w < positions[2]; ++w, element += channels) {
          if (std::all_of(element + first, element + last, Lane::is_zero)) continue;
          const auto& rows = rows_.at(d, h, w);
          for (std::int64_t c = first; c < last; ++c) {
            if (Lane::is_zero(element[c])) continue;
            add_rows(rows, element[c], map_base, group * channels + c);
          }
        }
  }

  std::int64_t map_elements() const {
    return static_cast<std::int64_t>(map_layout_.size()) / (geometry_.groups * geometry_.batch);
  }

  void add_rows(const std::vector<Row>& rows, Operand factor, std::int64_t map_base,
                std::int64_t channel) {
    const std::int64_t kernel_base = channel * geometry_.taps() * partner_channels();
    for (const Row& row : rows) {
      const std::int64_t in_map = map_base + row.map_offset;
      const std::int64_t in_kernel = kernel_base + row.tap_offset;
      const auto [target, source] =
          plan_.target_is_weight ? std::pair(in_kernel, in_map) : std::pair(in_map, in_kernel);
      Lane::add(target_.data() + target, factor, source_.data() + source, row.length);
    }
  }

  const Geometry& geometry_;
  Plan plan_;
  PackedLayout map_layout_, weight_layout_;
  MeetingRows rows_;
  std::vector<Operand> driver_, source_;
  std::vector<Sum> target_;
};

/// The driver of a weight gradient is the map with less to multiply.
Plan plan_of(const Geometry& geometry, OutputRole role, std::size_t grad_output_non_zeros,
             std::size_t other_non_zeros) {
  const bool grad_output_is_small = !geometry.transposed;
  const Driver grad_output = grad_output_is_small ? Driver::Small : Driver::Big;
  if (role == OutputRole::GradInput) return {.driver = grad_output};
  const auto cost = [&](Driver driver, std::size_t non_zeros) {
    const bool is_small = driver == Driver::Small;
    std::int64_t strides = 1;
    for (const Axis& axis : geometry.axes) strides *= is_small ? 1 : axis.stride;
    const std::int64_t partner = is_small ? geometry.big_channels : geometry.small_channels;
    return static_cast<double>(non_zeros) * static_cast<double>(partner * geometry.taps()) /
           static_cast<double>(strides);
  };
  const Driver input = grad_output_is_small ? Driver::Big : Driver::Small;
  const bool by_input = cost(input, other_non_zeros) < cost(grad_output, grad_output_non_zeros);
  return {.driver = by_input ? input : grad_output,
          .target_is_weight = true,
          .driver_is_grad_output = !by_input};
}

template <typename Lane>
ExactTensor accumulated_in(const Geometry& geometry, const Plan& plan, const Dense<Number>& driver,
                           const Extent& driver_extent, const Dense<Number>& source,
                           const Extent& source_extent) {
  Accumulation<Lane> accumulate(geometry, plan);
  return {accumulate(driver, driver_extent.unit, source, source_extent.unit),
          driver_extent.unit + source_extent.unit};
}

}  // namespace

ExactTensor accumulated(const Geometry& geometry, OutputRole role, const Dense<Number>& grad_output,
                        const Dense<Number>& other) {
  const Extent grad_output_extent = extent_of(grad_output);
  const Extent other_extent = extent_of(other);
  const Plan plan = plan_of(geometry, role, grad_output_extent.non_zeros, other_extent.non_zeros);
  const bool forward = plan.driver_is_grad_output;
  const auto& driver = forward ? grad_output : other;
  const auto& source = forward ? other : grad_output;
  const Extent& driver_extent = forward ? grad_output_extent : other_extent;
  const Extent& source_extent = forward ? other_extent : grad_output_extent;
  const std::int64_t terms = geometry.longest_reduction(role);
  check(terms < std::int64_t{1} << 30, "a reduction has fewer than 2^30 products");
  const int left = driver_extent.window_bits();
  const int right = source_extent.window_bits();
  const auto in = [&]<typename Lane>(Lane) {
    return accumulated_in<Lane>(geometry, plan, driver, driver_extent, source, source_extent);
  };
  if (holds<DoubleLane>(left, right, terms)) return in(DoubleLane{});
  if (holds<Int128Lane>(left, right, terms)) return in(Int128Lane{});
  return in(WideLane{});
}

}  // namespace gradproof::oracle
