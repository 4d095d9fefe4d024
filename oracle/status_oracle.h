#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "corpus/status.h"

namespace gradproof::oracle {

/// Which behaviour a status is held to: what the documents say, what the released library does, or either.
enum class Profile : std::uint8_t { Documented, Released, Tolerant };

struct AdmissibleStatuses {
  std::vector<corpus::Status> statuses;  ///< sorted, without repetition; never empty
  std::vector<std::string> broken_rules;  ///< ids, in the specification's order
  /// Success is admitted, but the problem is not defined well enough for its values to be compared.
  bool values_ill_defined = false;
  /// The call is legal, so InnerNullptr means "refused for resources" (HW-01), neither pass nor fail.
  bool may_be_refused = false;
};

/// What phase one may return for this case.
AdmissibleStatuses admissible_statuses(const corpus::Case& problem, Profile profile);

}  // namespace gradproof::oracle
