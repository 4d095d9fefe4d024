#include "properties/runs/gate/sum_lengths.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "properties/cases/calls/case_convolution.h"

namespace gradproof::runs {

using corpus::Case;
using corpus::OutputRole;

corpus::PerOutput<std::uint64_t> sum_lengths(const Case& test_case) {
  corpus::PerOutput<std::uint64_t> lengths{1, 1, 1};
  const auto convolution = cases::convolution_of(test_case);
  if (!convolution) return lengths;
  const auto product = [](std::span<const std::int64_t> values) {
    return std::accumulate(
        values.begin(), values.end(), std::uint64_t{1}, [](std::uint64_t all, std::int64_t one) {
          return all * static_cast<std::uint64_t>(std::max<std::int64_t>(one, 1));
        });
  };
  const auto kernel = convolution->weight_shape();
  const std::uint64_t taps = product(std::span(kernel).subspan(2));
  const auto channels = convolution->transposed ? convolution->big_channels_per_group
                                                : convolution->small_channels_per_group;
  lengths[OutputRole::GradInput] = taps * static_cast<std::uint64_t>(channels);
  const auto small = convolution->small_shape(), grad = convolution->grad_output_shape();
  const auto batch = static_cast<std::uint64_t>(convolution->batch);
  lengths[OutputRole::GradWeight] = batch * product(std::span(small).subspan(2));
  lengths[OutputRole::GradBias] = batch * product(std::span(grad).subspan(2));
  return lengths;
}

}  // namespace gradproof::runs
