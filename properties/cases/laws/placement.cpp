#include <algorithm>

#include "properties/cases/calls/operator_convolution.h"
#include "properties/cases/laws/derived_call.h"
#include "properties/cases/laws/index_map.h"
#include "properties/cases/laws/law_rows.h"

namespace gradproof::cases::laws_detail {
namespace {

using corpus::Case;
using corpus::OutputRole;

Coordinate lifted(Coordinate at, std::size_t by) {
  at.insert(at.begin() + 2, by, 0);
  return at;
}

}  // namespace

bool can_be_lifted(const Case& test_case) {
  const auto sizes = whole_convolution(test_case);
  return sizes && sizes->axes.size() < 3 && std::ranges::none_of(sizes->axes, is_asymmetric);
}

bool has_padding(const Case& test_case) {
  const auto sizes = whole_convolution(test_case);
  return sizes && std::ranges::any_of(sizes->axes, [](const SpatialAxis& axis) {
           return axis.padding_begin > 0 || axis.padding_end > 0;
         });
}

Related lifting(const Case& test_case) {
  const auto sizes = whole_convolution(test_case);
  if (!sizes || sizes->axes.size() > 2) return no_whole_convolution();
  // The first generation has no third axis: 1D = 2D is all there is to say about it.
  std::size_t by = 1;
  if (sizes->axes.size() == 1 && choice_of(test_case, 9) % 2 == 0) by = 2;
  const auto product = corpus::product_of(test_case);
  const bool first_generation =
      product == corpus::Product::Ascend310P || product == corpus::Product::Ascend910;
  if (first_generation) by = 1;
  Convolution next = *sizes;
  next.axes.insert(next.axes.begin(), by, SpatialAxis{});
  Case run = derived_call(test_case, next, [by](corpus::InputRole, const Coordinate& at) {
    return std::optional(lifted(at, by));
  });
  return relocation(test_case, std::move(run), [by](OutputRole role, const Coordinate& at) {
    return std::optional(role == OutputRole::GradBias ? at : lifted(at, by));
  });
}

Related translation(const Case& test_case) {
  const auto sizes = whole_convolution(test_case);
  if (!sizes) return no_whole_convolution();
  const std::size_t moved = choice_of(test_case, 10) % sizes->axes.size();
  const auto by = static_cast<std::int64_t>(1 + choice_of(test_case, 11) % 2);
  const std::int64_t stride = sizes->axes[moved].stride;
  Part later{*sizes, [=](const Index& index) -> std::optional<std::int64_t> {
               if (index.axis != moved) return index.at;
               if (index.space == Space::SmallPosition) return index.at + by;
               if (index.space == Space::BigPosition) return index.at + by * stride;
               return index.at;
             }};
  later.sizes.axes[moved].big += by * stride;
  return relation_to_parts(test_case, *sizes, {std::move(later)});
}

Related padding_as_zeros(const Case& test_case) {
  const auto sizes = whole_convolution(test_case);
  if (!sizes) return no_whole_convolution();
  Part padded{*sizes, [axes = sizes->axes](const Index& index) -> std::optional<std::int64_t> {
                if (index.space != Space::BigPosition) return index.at;
                return index.at + axes[index.axis].padding_begin;
              }};
  for (SpatialAxis& axis : padded.sizes.axes) {
    axis.big += axis.padding_begin + axis.padding_end;
    axis.padding_begin = axis.padding_end = 0;
  }
  return relation_to_parts(test_case, *sizes, {std::move(padded)});
}

}  // namespace gradproof::cases::laws_detail
