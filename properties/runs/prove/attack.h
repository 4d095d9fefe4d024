#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "corpus/case.h"
#include "properties/runs/prove/proof_plan.h"

namespace gradproof::runs {

/// Data that a kernel would have to look at to be right on the proof's data and wrong elsewhere:
/// runs against the assumption that it does not.
struct Attack {
  std::string_view name;
  std::string_view words;
  /// The run; nullopt where the call admits no such data.
  std::optional<corpus::Case> (*run)(const corpus::Case& test_case, const ProofPlan& plan,
                                     std::uint64_t seed);
};

std::span<const Attack> all_attacks();

/// The proof's data of one run.
corpus::Case grid_run(const corpus::Case& test_case, const ProofPlan& plan, std::uint64_t seed);

/// One element of gradOutput is 1 or -1 and the others 0; those of the other operands are drawn
/// from the plan's magnitudes. `element` counts row-major.
corpus::Case one_hot_run(const corpus::Case& test_case, const ProofPlan& plan,
                         std::uint64_t element, std::uint64_t seed);

}  // namespace gradproof::runs
