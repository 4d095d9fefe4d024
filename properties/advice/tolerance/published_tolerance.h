#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "oracle/numbers/number_format.h"
#include "properties/advice/tolerance/measured_output.h"

namespace gradproof::advice {

enum class Opinion : std::uint8_t {
  Accepts,
  Rejects,
  Abstains,  ///< nothing is published for this format
};

/// Format in which a tool computes its reference; here the exact value, rounded to that.
enum class Reference : std::uint8_t { Output, Single, Double };

/// A published threshold for what is computed in a format.
struct Threshold {
  oracle::NumberFormat format;
  double relative = 0, absolute = 0;  ///< a threshold on one figure alone is `relative`
};

using Thresholds = corpus::PerOutput<std::span<const Threshold>>;

struct PublishedTolerance;

/// True if an output passes; only called where the tool has a threshold for its format.
using Measure = bool (*)(const MeasuredOutput& output, const PublishedTolerance& tolerance,
                         const Threshold& threshold);

/// Test of another tool for gradients: its formula with its own thresholds.
struct PublishedTolerance {
  std::string_view name;
  Reference reference;
  Measure accepts;
  std::string_view compares;  ///< the formula, for a person
  Thresholds thresholds;      ///< it abstains from formats that are not in here
  std::string_view source;
};

/// All of them, one row for each tool and mode.
std::span<const PublishedTolerance> published_tolerances();

Opinion opinion_of(const PublishedTolerance& tolerance, const MeasuredOutput& output);

}  // namespace gradproof::advice
