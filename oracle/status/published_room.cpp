#include "oracle/status/published_room.h"

#include <algorithm>

#include "corpus/data_type_row.h"
#include "corpus/product_row.h"
#include "oracle/facts/case_facts.h"
#include "oracle/facts/on_chip_room.h"

namespace gradproof::oracle {
namespace {

constexpr std::int64_t longest_row = 4096, largest_field = 255;
constexpr std::int64_t most_bytes = std::int64_t{1} << 30;  // a device has 8 GiB and more

bool is_within(CheckedInteger amount, std::int64_t most) {
  return amount.value() && *amount.value() <= most;
}

bool fits_memory(const Facts& facts) {
  CheckedInteger bytes = 0;
  for (const corpus::TensorCase* tensor : facts.inputs()) {
    const auto count = corpus::element_count(tensor->shape);
    if (!count) return false;
    bytes = bytes +
            CheckedInteger(*count) * static_cast<std::int64_t>(corpus::size_bytes(tensor->dtype));
  }
  return is_within(bytes, most_bytes);
}

bool fits_fields(const SpatialAxis& axis) {
  const CheckedInteger before = axis.kernel_extent() - 1 - axis.padding_begin;
  const CheckedInteger behind =
      CheckedInteger(axis.big) - CheckedInteger(axis.small) * axis.stride + axis.padding_begin;
  return is_within(before, largest_field) && is_within(behind, largest_field) &&
         axis.kernel <= largest_field && axis.dilation <= largest_field &&
         axis.stride <= largest_field;
}

/// The relation of a call as the tilings take it: D H W, missing axes of length 1.
OperatorFacts in_three_axes(const Facts& facts) {
  OperatorFacts relation{};
  relation.axes.count = 3;
  std::ranges::copy(facts.axes.all(), relation.axes.values.end() - facts.axes.count);
  relation.axes_are_known = true;
  relation.out_backprop_shape = Shape{batch_of(*facts.small), channels_of(*facts.small), 1, 1, 1};
  return relation;
}

bool fits_tiles(const OperatorFacts& relation, std::int64_t element_bytes) {
  constexpr std::int64_t room = l1_bytes / 2;
  const SpatialAxis& rows = relation.axes.values[2];
  return is_within(smallest_tile_of_dx(relation, element_bytes), room) &&
         is_within(smallest_tile_of_dw(relation, element_bytes), room) && rows.big <= longest_row &&
         is_within(CheckedInteger(rows.small) * rows.stride, longest_row);
}

bool has_8_bit_weight_gradient(const Facts& facts) {
  return facts.has_8_bit_input && facts.is_requested(corpus::OutputRole::GradWeight);
}

}  // namespace

bool may_lack_room(const corpus::Case& test_case) {
  const auto product = corpus::product_of(test_case);
  if (!product) return true;
  const Facts facts = facts_of(test_case, *product);
  if (!facts.axes_are_known || facts.any_is_empty || has_8_bit_weight_gradient(facts)) return true;
  const OperatorFacts relation = in_three_axes(facts);
  if (!has_ordinary_axes(relation)) return true;
  const SpatialAxis& depth = relation.axes.values[0];
  constexpr std::int64_t wide = 4, narrow = 2;
  const std::int64_t bytes = facts.promoted == corpus::DataType::Float ? wide : narrow;
  return !fits_memory(facts) || depth.stride > std::max<std::int64_t>(depth.kernel, 1) ||
         !std::ranges::all_of(relation.axes.all(), fits_fields) || !fits_tiles(relation, bytes);
}

}  // namespace gradproof::oracle
