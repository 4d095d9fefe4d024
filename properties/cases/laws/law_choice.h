#pragma once

#include <string>
#include <vector>

#include "corpus/case.h"
#include "properties/cases/laws/law.h"

namespace gradproof::cases {

/// Names, in addition to those of the table of laws, for what `check` covers.
inline constexpr std::string_view exactness_law = "exactness", status_law = "status";

/// True if `--law` takes the name.
bool is_law_name(std::string_view name);

/// Laws that a run checks.
struct LawChoice {
  bool exactness = true, status = true;  ///< either: `check`; status alone: without values
  std::vector<const Law*> laws;
  std::vector<const Law*> claimed;  ///< of the claims: one for every generated case
  /// True if one of `laws` is drawn for a share of the generated cases, not all for every case.
  bool drawn = true;
};

/// Nothing named: exactness and status of every case, and one law in a share of them. Names must be
/// law names, `claims` those of claims.h.
LawChoice law_choice(const std::vector<std::string>& names,
                     const std::vector<std::string>& claims = {});

/// The laws that apply to this case of those that it is to be held to: a pure function of the case,
/// whose id tells it from others.
std::vector<const Law*> laws_for(const LawChoice& choice, const corpus::Case& test_case,
                                 bool is_generated, oracle::Profile profile);

}  // namespace gradproof::cases
