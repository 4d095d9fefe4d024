#pragma once

#include <optional>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "properties/cases/check/check.h"
#include "properties/targets/target/target.h"

namespace gradproof::findings::diagnosis {

/// Describes what a failing call needs to fail: "needs batch 2 (1 agrees), stride_w 3 (1 agrees)".
/// Each part was tested: the same call with this one thing made plain, under fresh data of both
/// default recipes and of `original`'s, agrees. nullopt where the failure needs nothing of the
/// kind, or does not show under such data. `culprit`: the output that is wrong, where it is one.
std::optional<std::string> what_it_needs(targets::Target& target, const corpus::Case& failing,
                                         const corpus::Case& original,
                                         const std::optional<corpus::OutputRole>& culprit,
                                         const cases::CheckSettings& settings);

/// "gradWeight depends on what the workspace held before the call (...)": the law
/// workspace_independence is broken. nullopt where it is not. `verdict` is about an output's
/// values.
std::optional<std::string> depends_on_workspace(targets::Target& target,
                                                const corpus::Case& failing,
                                                const corpus::Verdict& verdict,
                                                const cases::CheckSettings& settings);

/// Laws between calls that this call breaks in addition to what the verdict says, or that the call
/// for the wrong output alone breaks: "also breaks the law executor_reuse (...)". nullopt
/// for none.
/// Only laws about how a call is made are asked: a wrong value breaks the others in any case.
std::optional<std::string> laws_also_broken(targets::Target& target, const corpus::Case& failing,
                                            const corpus::Verdict& verdict,
                                            const cases::CheckSettings& settings);

/// A call with one thing made plain.
struct PlainerCall {
  std::string words;  ///< "stride_w 3 (1 agrees)": what it was, and what is claimed if this agrees
  corpus::Case test_case;
};

/// The failing call with each of its sizes, attributes, layouts, types and modes made plain in
/// turn, and with one axis more. Other outputs than the culprit's are dropped in turn, those that
/// are not requested are added.
std::vector<PlainerCall> plainer_calls(const corpus::Case& failing,
                                       const std::optional<corpus::OutputRole>& culprit);

}  // namespace gradproof::findings::diagnosis
