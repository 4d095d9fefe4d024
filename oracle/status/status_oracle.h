#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/case.h"
#include "corpus/status.h"
#include "oracle/rules/status_rules.h"
#include "oracle/status/profile.h"

namespace gradproof::oracle {

/// Codes that a call may return under a profile, and the rules that decide it.
struct AdmissibleStatuses {
  /// Sorted, without repetition. Empty only where `not_judged` has a reason. Profile Documented:
  /// exactly one. Profile Unruled: success alone, and no rule is broken.
  std::vector<corpus::Status> statuses;
  /// Ids of the rules that the case breaks, in the specification's order; among them rules that the
  /// profile does not enforce, so that a case may succeed although this is not empty.
  std::vector<std::string> broken_rules;
  /// Ids of the rules that say "this is legal" of something the case does; a foreign library may
  /// disagree with some.
  std::vector<std::string> permissions;
  /// Success is admitted, but the problem is not defined well enough for its values to be compared.
  bool values_ill_defined = false;
  /// The call is legal, so InnerNullptr means "refused for resources" (HW-01), neither pass nor
  /// fail. Only in profile Tolerant; InnerNullptr is in `statuses` only if a rule accepts it as
  /// well. For a tiling class, in every profile: TilingRefused means that no tiling fits L1, which
  /// is not a matter of the rules.
  bool may_be_refused = false;
  /// Why no rule speaks about this case; then the rest is empty. No product has this soc
  /// (aclnnConvolutionBackward only), a tensor cannot exist (a negative length, stride or offset,
  /// strides of another rank), or it is a view (graph operators and tiling classes).
  std::optional<std::string> not_judged;
};

/// Returns the codes that phase one may return for this case.
/// Errors: none; see `not_judged`.
AdmissibleStatuses admissible_statuses(const corpus::Case& test_case, Profile profile);

/// A rule that a case breaks, or a permission that it makes use of, for a person to read.
struct RuleFinding {
  std::string_view id;
  std::string_view source;  ///< document and parameter
  std::string words;        ///< "stride[1] is 0; every stride must be >= 1"
  /// Codes that this rule alone would lead to, per profile.
  corpus::Status documented = corpus::Status::Success;
  std::vector<corpus::Status> released, tolerant;
};
using BrokenRule = RuleFinding;

/// The rules that the case breaks, in the specification's order; empty where `not_judged`.
std::vector<BrokenRule> broken_rules(const corpus::Case& test_case);

/// The permissions that it makes use of, likewise.
std::vector<RuleFinding> used_permissions(const corpus::Case& test_case);

/// All that the rules say of a case, from one walk through them.
struct Ruling {
  AdmissibleStatuses admissible;  ///< as `admissible_statuses` has it
  /// Standings of the case to each rule of `all_status_rules()`, in that order; empty where
  /// `not_judged`. Rule coverage counts them.
  std::vector<Standing> standings;
};

/// Returns the ruling for every case that differs in its data alone.
Ruling ruling_on(const corpus::Case& test_case, Profile profile);

}  // namespace gradproof::oracle
