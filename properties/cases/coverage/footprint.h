#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "oracle/status/ruled_case.h"
#include "properties/cases/classes/call_classes.h"

namespace gradproof::cases {

/// Contribution of one case to coverage: enough to count it again without the case.
struct Footprint {
  bool is_grouped = false, is_transposed = false, is_empty = false;
  bool is_legal = false;                     ///< breaks no rule
  std::uint64_t discarded = 0;               ///< draws thrown away before it: the generator's word
  std::optional<Classes> classes;            ///< of legal, non-empty calls
  std::vector<std::uint16_t> corners;        ///< of legal, non-empty calls; by corners()
  std::vector<std::uint16_t> decided, kept;  ///< by oracle::all_status_rules()
  /// The rule that an illegal case breaks, if it is the only one.
  std::optional<std::uint16_t> broken_alone;

  friend bool operator==(const Footprint&, const Footprint&) = default;
};

/// Classes are those of aclnnConvolutionBackward; nothing was discarded.
Footprint footprint_of(const oracle::RuledCase& ruled);

/// Eight hexadecimal digits that change with the tables of classes, corners and rules, by whose
/// places footprints are written to files.
const std::string& tables_fingerprint();

}  // namespace gradproof::cases
