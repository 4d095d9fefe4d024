#include "corpus/machine/algorithm.h"

#include <fmt/core.h>

#include <array>
#include <cstddef>

namespace gradproof::corpus {

std::string_view name_of(Algorithm algorithm) {
  static constexpr std::array<std::string_view, 7> names{"direct",
                                                         "split_sums",
                                                         "winograd_f3x3_2x2",
                                                         "winograd_f3x3_4x4",
                                                         "winograd_f2x2_3x3",
                                                         "winograd_f4x4_3x3",
                                                         "unknown"};
  return names.at(static_cast<std::size_t>(algorithm));
}

/// gradWeight has the 3x3 taps as results, gradInput has them as the smaller operand.
std::optional<std::string> impossibility(const GradientAlgorithm& algorithm) {
  if (!is_winograd(algorithm.algorithm)) return std::nullopt;
  const bool is_of_weight = algorithm.algorithm == Algorithm::Winograd3x2 ||
                            algorithm.algorithm == Algorithm::Winograd3x4;
  const auto computed = is_of_weight ? OutputRole::GradWeight : OutputRole::GradInput;
  if (algorithm.gradient == computed) return std::nullopt;
  return fmt::format("{} computes {}, not {}", name_of(algorithm.algorithm), name_of(computed),
                     name_of(algorithm.gradient));
}

}  // namespace gradproof::corpus
