#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "oracle/numbers/number_format.h"
#include "properties/league/fill.h"
#include "properties/league/measured_output.h"

namespace gradproof::properties {

enum class Opinion : std::uint8_t {
  Accepts,
  Rejects,
  Abstains,  ///< it has no tolerance for this format, or does not judge such calls
};

/// What a tool computes its reference in; here the exact value, rounded to that.
enum class Reference : std::uint8_t { Output, Single, Double };

/// A published threshold for what is computed in a format.
struct Threshold {
  oracle::NumberFormat format;
  double relative = 0, absolute = 0;  ///< a threshold on one figure alone is `relative`
};

/// By OutputRole.
using Thresholds = std::array<std::span<const Threshold>, 3>;

struct Baseline;

/// Whether an output passes; only called where the baseline has a tolerance for it.
using Measure = bool (*)(const MeasuredOutput& output, const Baseline& baseline,
                         const Threshold& threshold);

/// How another tool tells a right gradient from a wrong one.
struct Baseline {
  std::string_view name;
  Fill fill;  ///< its own
  Reference reference;
  Measure accepts;
  std::string_view compares;  ///< the formula, for a person
  Thresholds thresholds;      ///< it abstains from formats that are not in here
  std::string_view source;
};

/// All baselines, each with its published thresholds.
std::span<const Baseline> all_baselines();

/// Null where there is none of that name.
const Baseline* baseline_named(std::string_view name);

Opinion opinion_of(const Baseline& baseline, const MeasuredOutput& output);

}  // namespace gradproof::properties
