#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "corpus/case.h"
#include "corpus/observation.h"
#include "oracle/arithmetic/judge_settings.h"
#include "properties/league/baseline.h"

namespace gradproof::properties {

/// All contestants that judge a run: Gradproof first, then its baselines.
class Panel {
 public:
  explicit Panel(std::vector<const Baseline*> baselines) : baselines_(std::move(baselines)) {}

  static constexpr std::size_t gradproof = 0;

  std::size_t size() const { return 1 + baselines_.size(); }
  std::string_view name(std::size_t contestant) const;
  /// Null for Gradproof.
  const Baseline* baseline(std::size_t contestant) const {
    return contestant == gradproof ? nullptr : baselines_.at(contestant - 1);
  }
  /// Whether the contestant fills operands in this way when it is left to itself.
  bool is_own(std::size_t contestant, Fill fill) const;

  /// One opinion for each contestant. Baselines judge values: they abstain from calls that are not
  /// legal (no fill); a legal call that fails, crashes or hangs is wrong for all contestants.
  std::vector<Opinion> operator()(const corpus::Case& problem, std::optional<Fill> fill,
                                  const corpus::Observation& seen) const;

 private:
  std::vector<const Baseline*> baselines_;
};

/// Whether the documents let the call succeed and nothing else, with outputs that can be compared.
bool is_legal(const corpus::Case& problem);

/// Whether a call ended without anything going wrong that every caller would notice.
bool ran_well(const corpus::Observation& seen);

}  // namespace gradproof::properties
