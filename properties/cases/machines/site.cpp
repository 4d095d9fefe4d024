#include "properties/cases/machines/site.h"

#include <algorithm>
#include <array>

#include "oracle/gradients/contributions.h"

namespace gradproof::cases {
namespace {

using corpus::InputRole;
using corpus::OutputRole;
using oracle::Geometry;
using oracle::Shape;

std::int64_t channels_of_grad_output(const Geometry& geometry) {
  return geometry.transposed ? geometry.big_channels : geometry.small_channels;
}

std::int64_t channels_of_input(const Geometry& geometry) {
  return geometry.transposed ? geometry.small_channels : geometry.big_channels;
}

AxisLengths lengths_of(const Geometry& geometry, OutputRole role) {
  if (role == OutputRole::GradInput) {
    const Shape weight = geometry.weight_shape();
    return {channels_of_grad_output(geometry), weight[2], weight[3], weight[4]};
  }
  const Shape map = geometry.shape(InputRole::GradOutput);
  return {map[0], map[2], map[3], map[4]};
}

std::int64_t count_of(const Geometry& geometry, OutputRole role, const Shape& element) {
  std::int64_t count = 0;
  oracle::for_each_contribution(geometry, role, element, [&](const Shape&, const Shape&) {
    ++count;
    return true;
  });
  return count;
}

}  // namespace

std::vector<std::int64_t> Site::numbers() const {
  std::vector<std::int64_t> numbers;
  numbers.reserve(products.size());
  for (const SiteProduct& product : products) numbers.push_back(product.number);
  return numbers;
}

SitePlan::SitePlan(const Geometry& geometry, OutputRole role)
    : geometry_(geometry), role_(role), lengths_(lengths_of(geometry, role)) {}

InputRole SitePlan::varied() const {
  return role_ == OutputRole::GradInput ? InputRole::Weight : InputRole::GradOutput;
}

InputRole SitePlan::shared() const {
  return role_ == OutputRole::GradInput ? InputRole::GradOutput : InputRole::Input;
}

std::int64_t SitePlan::slots() const {
  return role_ == OutputRole::GradInput ? geometry_.shape(InputRole::Input)[1]
                                        : geometry_.shape(InputRole::GradOutput)[1];
}

Shape SitePlan::element_of_slot(const Shape& element, std::int64_t slot) const {
  Shape at = element;
  if (role_ != OutputRole::GradWeight) {
    at[1] = slot;
  } else if (geometry_.transposed) {  // (input channels, gradOutput channels of a group, taps)
    const std::int64_t group = slot / channels_of_grad_output(geometry_);
    at[0] = group * channels_of_input(geometry_);
    at[1] = slot % channels_of_grad_output(geometry_);
  } else {
    at[0] = slot;
  }
  return at;
}

Site SitePlan::site_at(const Shape& element) const {
  Site site{element, {}};
  oracle::for_each_contribution(
      geometry_, role_, element, [&](const Shape& grad_output, const Shape& other) {
        std::array<std::int64_t, 4> at{grad_output[0], grad_output[2], grad_output[3],
                                       grad_output[4]};
        if (role_ == OutputRole::GradInput) {
          at = {grad_output[1] % lengths_[0], other[2], other[3], other[4]};
        }
        std::int64_t number = 0;
        for (std::size_t axis = 0; axis < at.size(); ++axis)
          number = number * lengths_[axis] + at[axis];
        const bool is_input = role_ == OutputRole::GradInput;
        site.products.push_back(
            {number, is_input ? other : grad_output, is_input ? grad_output : other});
        return true;
      });
  std::sort(site.products.begin(), site.products.end(),
            [](const auto& one, const auto& other) { return one.number < other.number; });
  return site;
}

Site SitePlan::richest_site() const {
  Shape shape = geometry_.shape(role_);
  for (const std::size_t axis : {std::size_t{0}, std::size_t{1}}) {  // all channels have as many
    shape[axis] = std::min<std::int64_t>(shape[axis], 1);
  }
  Shape richest{};
  std::int64_t most = -1;
  for (std::int64_t index = 0; index < oracle::element_count(shape); ++index) {
    const Shape at = oracle::coordinate_of(shape, static_cast<std::uint64_t>(index));
    const std::int64_t count = count_of(geometry_, role_, at);
    if (count > most) {
      most = count;
      richest = at;
    }
  }
  return site_at(richest);
}

}  // namespace gradproof::cases
