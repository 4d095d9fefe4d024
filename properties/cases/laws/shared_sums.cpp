#include "properties/cases/laws/shared_sums.h"

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/laws/derived_call.h"

namespace gradproof::cases {
namespace {

/// Products of one element: four cores, each with the 64 from which on the simulated device gives a
/// sum to another one. With two cores there are only two parts, whose order shows in nothing.
constexpr std::int64_t enough_products = 256;
constexpr std::int64_t most_macs = 300'000;

bool is_drawn_anew(const corpus::Case& test_case) {
  return test_case.data && test_case.data->distribution != corpus::Distribution::Listed;
}

}  // namespace

corpus::Case with_shared_sums(const corpus::Case& test_case) {
  const bool is_candidate = test_case.api == corpus::Api::ConvolutionBackward &&
                            is_drawn_anew(test_case) &&
                            corpus::is_requested(test_case, corpus::OutputRole::GradWeight);
  const auto sizes = is_candidate ? whole_convolution(test_case) : std::nullopt;
  if (!sizes) return test_case;
  std::int64_t positions = 1;
  for (const SpatialAxis& axis : sizes->axes) positions *= small_length(axis);
  Convolution next = *sizes;
  next.batch = (enough_products + positions - 1) / positions;
  if (next.batch <= sizes->batch || mac_count(next) > most_macs) return test_case;
  std::vector<std::size_t> axes(sizes->axes.size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  corpus::Case larger = with_convolution(test_case, *sizes, next, axes);
  return whole_convolution(larger) ? larger : test_case;
}

std::string enlargement_words(const corpus::Case& test_case) {
  const auto sizes = whole_convolution(test_case);
  const auto larger = whole_convolution(with_shared_sums(test_case));
  if (!sizes || !larger || larger->batch == sizes->batch) return {};
  return fmt::format(
      "; the law's calls have a batch of {} instead of {}, so that several cores share the sums of "
      "gradWeight",
      larger->batch, sizes->batch);
}

}  // namespace gradproof::cases
