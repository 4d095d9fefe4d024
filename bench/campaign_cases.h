#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "corpus/case.h"
#include "properties/cases/laws/law.h"

namespace gradproof::bench {

inline constexpr std::uint64_t campaign_seed = 9;

/// Indices of the first `count` generated calls of campaign_seed whose values are all judged:
/// legal, not empty, all three gradients, so small that a gradient has about 2,000
/// multiply-accumulates on average (`generated_value_case`).
std::vector<std::uint64_t> value_case_indices(std::size_t count);
corpus::Case generated_value_case(std::uint64_t index);

/// Multiply-accumulates of one gradient, on average.
double mean_macs(const std::vector<corpus::Case>& cases);

/// The runs that a campaign makes of these: each call under the two default recipes.
std::vector<corpus::Case> value_runs(std::size_t calls);

/// Generated calls that a rule refuses.
std::vector<corpus::Case> refused_calls(std::size_t count);

struct LawRun {
  corpus::Case test_case;
  const cases::Law* law;
};

/// Small generated calls, each with the law that a campaign would hold it to.
std::vector<LawRun> law_runs(std::size_t count);

}  // namespace gradproof::bench
