#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <optional>
#include <vector>

#include "corpus/element_values.h"
#include "oracle/facts/axis_order.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/shrink/simpler_steps.h"

namespace gradproof::cases {
namespace {

using corpus::Case;
using corpus::InputRole;

/// Largest list of elements: longer ones are slower than generated data; sizes shrink first.
constexpr std::uint64_t most_listed = 200'000;

// ---- the same data, element by element

/// True if a requested gradient is a sum over the input's elements.
bool is_read(const Case& test_case, InputRole role) {
  const bool for_dx = corpus::is_requested(test_case, corpus::OutputRole::GradInput);
  const bool for_dw = corpus::is_requested(test_case, corpus::OutputRole::GradWeight);
  return role == InputRole::GradOutput || (role == InputRole::Weight ? for_dx : for_dw);
}

/// First without what no gradient reads: a layer's filters are too many to list, and of no matter
/// to dw. Then all of it.
std::size_t count_listing(const Case& test_case) {
  return test_case.data && !is_listed(test_case) ? 2 : 0;
}

std::optional<Case> list_elements(const Case& test_case, std::size_t index) {
  if (!convolution_of(test_case)) return std::nullopt;
  Case read = test_case;
  for (const InputRole role : corpus::input_roles) {
    if (index == 0 && !is_read(test_case, role)) corpus::tensor(read, role).reset();
  }
  if (corpus::non_zero_count(read) > most_listed) return std::nullopt;
  Case listed = test_case;
  listed.data = corpus::as_listed(read);
  return listed;
}

// ---- listed: a window of the coordinates

/// Distances by which the coordinates of each input move when something before them goes away.
struct Shift {
  corpus::PerInput<std::vector<std::int64_t>> by;  ///< an entry for each axis
};

struct Roles {
  InputRole small, big;
};
Roles roles_of(const Convolution& convolution) {
  if (convolution.transposed) return {InputRole::Input, InputRole::GradOutput};
  return {InputRole::GradOutput, InputRole::Input};
}

std::int64_t& by(Shift& shift, InputRole role, std::size_t axis) { return shift.by[role][axis]; }

void crop_samples(Convolution& next, Shift& shift, std::int64_t leading) {
  const Roles roles = roles_of(next);
  next.batch -= leading;
  by(shift, roles.small, 0) = by(shift, roles.big, 0) = leading;
}

void crop_groups(Convolution& next, Shift& shift, std::int64_t leading) {
  const Roles roles = roles_of(next);
  next.groups -= leading;
  by(shift, roles.small, 1) = by(shift, InputRole::Weight, 0) =
      leading * next.small_channels_per_group;
  by(shift, roles.big, 1) = leading * next.big_channels_per_group;
}

void crop_small_channels(Convolution& next, Shift& shift, std::int64_t leading) {
  next.small_channels_per_group -= leading;
  by(shift, roles_of(next).small, 1) = by(shift, InputRole::Weight, 0) = leading;
}

void crop_big_channels(Convolution& next, Shift& shift, std::int64_t leading) {
  next.big_channels_per_group -= leading;
  by(shift, roles_of(next).big, 1) = by(shift, InputRole::Weight, 1) = leading;
}

/// Crops the first outputs, and with them as much of the map as they are apart from the others.
void crop_outputs(Convolution& next, Shift& shift, std::size_t axis, std::int64_t leading) {
  const Roles roles = roles_of(next);
  const std::int64_t covered = leading * next.axes[axis].stride;
  next.axes[axis].big -= covered;
  by(shift, roles.small, axis + 2) = leading;
  by(shift, roles.big, axis + 2) = covered;
}

void crop_taps(Convolution& next, Shift& shift, std::size_t axis, std::int64_t leading) {
  const std::int64_t covered = leading * next.axes[axis].dilation;
  next.axes[axis].kernel -= leading;
  next.axes[axis].big -= covered;
  by(shift, InputRole::Weight, axis + 2) = leading;
  by(shift, roles_of(next).big, axis + 2) = covered;
}

/// Lengths that can lose something at their beginning, in the order of the crops' indices.
std::vector<std::int64_t> croppable(const Convolution& sizes) {
  const bool one_group = sizes.groups == 1;
  std::vector<std::int64_t> lengths{sizes.batch, sizes.groups,
                                    one_group ? sizes.small_channels_per_group : 1,
                                    one_group ? sizes.big_channels_per_group : 1};
  for (const SpatialAxis& axis : sizes.axes) {
    lengths.insert(lengths.end(), {small_length(axis), axis.kernel});
  }
  return lengths;
}

void crop(Convolution& next, Shift& shift, std::size_t what, std::int64_t leading) {
  switch (what) {
    case 0:
      return crop_samples(next, shift, leading);
    case 1:
      return crop_groups(next, shift, leading);
    case 2:
      return crop_small_channels(next, shift, leading);
    case 3:
      return crop_big_channels(next, shift, leading);
    default:
      break;
  }
  const std::size_t axis = (what - 4) / 2;
  if (what % 2 == 0) return crop_outputs(next, shift, axis, leading);
  crop_taps(next, shift, axis, leading);
}

/// Distances worked out by N C D H W, or as many of these as there are, as the axes lie.
void move_to_tensor_order(Shift& shift, const Case& test_case) {
  for (const auto role : corpus::input_roles) {
    const auto& tensor = corpus::tensor(test_case, role);
    const auto order = tensor ? oracle::own_order(test_case, *tensor) : std::nullopt;
    if (!order) continue;
    auto& distances = shift.by[role];
    oracle::Shape logical{};
    const auto rank = static_cast<std::ptrdiff_t>(tensor->shape.size());
    std::copy_n(distances.begin(), 2, logical.begin());
    std::copy_backward(distances.begin() + 2, distances.begin() + rank, logical.end());
    const oracle::Shape own = oracle::in_tensor_order(logical, *order);
    distances.assign(own.begin(), own.begin() + rank);
  }
}

void move_elements(Case& test_case, const Shift& shift) {
  for (const auto role : corpus::input_roles) {
    const auto& distances = shift.by[role];
    auto& listed = test_case.data->listed[role];
    for (auto& element : listed) {
      for (std::size_t axis = 0; axis < std::min(element.at.size(), distances.size()); ++axis) {
        element.at[axis] -= distances[axis];
      }
    }
    std::erase_if(listed, [](const corpus::ListedElement& element) {
      return std::ranges::any_of(element.at, [](auto index) { return index < 0; });
    });
  }
}

constexpr std::size_t most_crops = 4 + 2 * 3;
constexpr std::size_t leading_parts = 3;  // all but the last, the first half, the first

std::size_t count_crops(const Case& test_case) {
  return is_listed(test_case) ? most_crops * leading_parts : 0;
}

std::optional<Case> make_crop(const Case& test_case, std::size_t index) {
  const auto old = convolution_of(test_case);
  if (!old) return std::nullopt;
  const auto lengths = croppable(*old);
  const std::size_t what = index / leading_parts;
  if (what >= lengths.size() || lengths[what] < 2) return std::nullopt;
  const std::array<std::int64_t, leading_parts> parts{lengths[what] - 1, lengths[what] / 2, 1};
  Convolution next = *old;
  Shift shift;
  shift.by.fill(std::vector<std::int64_t>(old->axes.size() + 2, 0));
  crop(next, shift, what, parts[index % leading_parts]);
  const bool fits = std::ranges::all_of(
      next.axes, [](const SpatialAxis& axis) { return axis.big >= 1 && room(axis) >= 0; });
  if (!fits) return std::nullopt;
  Case moved = test_case;
  move_to_tensor_order(shift, test_case);
  move_elements(moved, shift);
  std::vector<std::size_t> kept_axes(old->axes.size());
  std::iota(kept_axes.begin(), kept_axes.end(), std::size_t{0});
  return with_convolution(moved, *old, next, kept_axes);
}

// ---- listed: fewer elements

/// Sizes of the parts that are left out: a half, a quarter, ..., single elements.
std::vector<std::size_t> part_sizes(std::size_t elements) {
  std::vector<std::size_t> sizes;
  for (std::size_t size = elements; size > 0; size /= 2) {
    if (size != elements || elements == 1) sizes.push_back(size);
  }
  return sizes;
}

std::size_t parts(std::size_t elements, std::size_t size) { return (elements + size - 1) / size; }

std::size_t count_fewer(const Case& test_case) {
  if (!is_listed(test_case)) return 0;
  const std::size_t elements = listed_count(test_case);
  std::size_t count = 0;
  for (const std::size_t size : part_sizes(elements)) count += parts(elements, size);
  return count;
}

/// Leaves out the elements first, first + 1, ... of all three lists one after the other.
Case without_elements(const Case& test_case, std::size_t first, std::size_t chunk) {
  Case fewer = test_case;
  std::size_t passed = 0;
  for (auto& listed : fewer.data->listed) {
    const std::size_t size = listed.size();
    const std::size_t begin = std::clamp(first, passed, passed + size) - passed;
    const std::size_t end = std::clamp(first + chunk, passed, passed + size) - passed;
    listed.erase(listed.begin() + static_cast<std::ptrdiff_t>(begin),
                 listed.begin() + static_cast<std::ptrdiff_t>(end));
    passed += size;
  }
  return fewer;
}

std::optional<Case> make_fewer(const Case& test_case, std::size_t index) {
  const std::size_t elements = listed_count(test_case);
  for (const std::size_t size : part_sizes(elements)) {
    const std::size_t count = parts(elements, size);
    if (index < count) return without_elements(test_case, index * size, size);
    index -= count;
  }
  return std::nullopt;
}

}  // namespace

const SimplerStep listed_data{count_listing, list_elements};
const SimplerStep cropped_data{count_crops, make_crop};
const SimplerStep fewer_elements{count_fewer, make_fewer};

}  // namespace gradproof::cases
