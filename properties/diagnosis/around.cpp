#include "properties/diagnosis/around.h"

#include <algorithm>
#include <numeric>

#include "properties/convolution.h"

namespace gradproof::properties::diagnosis {
namespace {

using corpus::Case;

/// Seeds of nobody's else.
constexpr std::uint64_t first_seed = 0xD1A6'0515;

void add_runs(Case problem, std::uint64_t seed, const CheckSettings& settings,
              std::vector<Case>& into) {
  problem.data.reset();
  problem.expect.reset();
  for (Case& run : runs_of(problem, {}, settings.judge.profile, seed)) {
    if (run.data) into.push_back(std::move(run));
  }
}

using Growth = void (*)(Convolution&);

void grow_counts(Convolution& sizes) {
  ++sizes.batch;
  ++sizes.small_channels_per_group;
  ++sizes.big_channels_per_group;
}
void grow_maps(Convolution& sizes) {
  for (SpatialAxis& axis : sizes.axes) axis.big += 2 * axis.stride + 1;
}
void grow_kernel(Convolution& sizes) {
  for (SpatialAxis& axis : sizes.axes) {
    ++axis.kernel;
    axis.big += axis.dilation;
  }
}
void grow_all(Convolution& sizes) {
  grow_counts(sizes);
  grow_kernel(sizes);
  grow_maps(sizes);
}
void grow_stride(Convolution& sizes) {
  grow_all(sizes);
  std::int64_t more = 1;  // another number on each axis
  for (SpatialAxis& axis : sizes.axes) {
    axis.stride += more++;
    axis.big += 2 * axis.stride;
  }
}
void grow_dilation(Convolution& sizes) {
  grow_all(sizes);
  std::int64_t more = 1;
  for (SpatialAxis& axis : sizes.axes) {
    axis.big += (axis.kernel - 1) * more;
    axis.dilation += more++;
  }
}
void grow_padding(Convolution& sizes) {
  grow_all(sizes);
  for (SpatialAxis& axis : sizes.axes) {
    ++axis.padding_begin;
    ++axis.padding_end;
  }
}

constexpr Growth growths[] = {grow_counts, grow_maps,     grow_kernel, grow_all,
                              grow_stride, grow_dilation, grow_padding};

}  // namespace

std::vector<Case> with_fresh_data(const Case& problem, const CheckSettings& settings) {
  std::vector<Case> cases;
  add_runs(problem, first_seed, settings, cases);
  return cases;
}

std::vector<Case> cases_around(const Case& problem, const CheckSettings& settings) {
  std::vector<Case> cases = with_fresh_data(problem, settings);
  const auto sizes = convolution_of(problem);
  if (!sizes) return cases;
  std::vector<std::size_t> axes(sizes->axes.size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  std::uint64_t seed = first_seed;
  for (const Growth grow : growths) {
    Convolution next = *sizes;
    grow(next);
    add_runs(with_convolution(problem, *sizes, next, axes), ++seed, settings, cases);
  }
  return cases;
}

}  // namespace gradproof::properties::diagnosis
