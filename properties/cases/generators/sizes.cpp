#include "properties/cases/generators/sizes.h"

#include "properties/cases/generators/beaten_paths/beaten_path.h"
#include "properties/cases/generators/device_paths/device_path.h"
#include "properties/cases/generators/extreme_sizes.h"
#include "properties/cases/generators/shares.h"
#include "properties/cases/generators/thresholds/threshold_sizes.h"
#include "properties/cases/generators/usual_sizes.h"

namespace gradproof::cases {
namespace {

unsigned percent_device_path(corpus::Product product) {
  return product == corpus::Product::Ascend950 ? shares::device_path_on_ascend950
                                               : shares::device_path;
}

}  // namespace

Convolution draw_convolution(const Frame& frame, std::int64_t max_macs,
                             corpus::RandomSource& random) {
  std::int64_t share = random.between(0, 99);
  const auto is_within = [&](unsigned percent) { return (share -= percent) < 0; };
  if (is_within(shares::beaten_path)) {
    if (const auto path = draw_beaten_path(frame, max_macs, random)) return *path;
  } else if (is_within(shares::threshold)) {
    return draw_threshold_convolution(frame, max_macs, random);
  } else if (is_within(shares::extreme)) {
    Convolution extreme = draw_extreme_convolution(frame, random);
    if (mac_count(extreme) <= max_macs) return extreme;
  } else if (is_within(percent_device_path(frame.product))) {
    return draw_device_path(frame, max_macs, random);
  }
  return draw_usual_convolution(frame, max_macs, random);
}

}  // namespace gradproof::cases
