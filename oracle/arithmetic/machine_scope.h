#pragma once

#include <optional>
#include <string>

#include "corpus/case.h"
#include "corpus/machine/machine.h"
#include "oracle/arithmetic/judge_settings.h"

namespace gradproof::oracle {

/// Describes why the machine does not speak of this gradient of the case, as a clause; nullopt
/// where it does. A machine that was measured with a call speaks of calls with the same product,
/// dtypes, cubeMathType and direction whose products lie along axes that its own lay along; one
/// with an explicit tree of calls with the same shapes and attributes alone. One that was written
/// down without a call speaks of all.
std::optional<std::string> out_of_scope(const corpus::Machine& machine,
                                        const corpus::GradientMachine& gradient,
                                        const corpus::Case& test_case);

/// Model of the target's additions for this gradient; null where the settings do not say.
const corpus::GradientMachine* machine_for(const JudgeSettings& settings,
                                           const corpus::Case& test_case, corpus::OutputRole role);

/// Guarantee of the target's additions in any order: by the machine where there is one, else by the
/// settings.
Adder adder_for(const JudgeSettings& settings, const corpus::Case& test_case,
                corpus::OutputRole role);

}  // namespace gradproof::oracle
