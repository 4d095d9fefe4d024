#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "properties/report/report.h"

namespace gradproof::properties {

using UlpCounts = std::array<std::uint64_t, ulp_buckets>;

/// ` data-soc=".." data-dtype=".." data-cube=".."`: what filters look at. An empty SoC is any.
std::string filter_attributes(const Mode& mode);

/// A line of bars, as high as the logarithms of the counts.
std::string ulp_sparkline(const UlpCounts& counts);

/// Bars of the three gradients side by side, with an axis. Null: nothing was compared.
std::string ulp_histogram(const std::array<const UlpCounts*, 3>& gradients);

/// Error / bound against the length of the sum, both logarithmic.
std::string length_scatter(const std::vector<LengthPoint>& points);

/// Classes against classes.
std::string pair_matrix(const Coverage& coverage);

}  // namespace gradproof::properties
