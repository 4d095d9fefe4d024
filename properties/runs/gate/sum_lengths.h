#pragma once

#include <cstdint>

#include "corpus/case.h"

namespace gradproof::runs {

/// Products of the longest sums of a call.
corpus::PerOutput<std::uint64_t> sum_lengths(const corpus::Case& test_case);

}  // namespace gradproof::runs
