#pragma once

#include "corpus/case.h"
#include "corpus/observation.h"
#include "corpus/verdict.h"
#include "oracle/arithmetic/judge_settings.h"
#include "oracle/status/ruled_case.h"

namespace gradproof::oracle {

/// The one function that decides. In this order: survived, phase one's status, workspace, phase
/// two, guards and inputs untouched, values; the first disagreement found is the verdict.
///
/// Without a phase two in the observation the status alone is judged. `Agree` on values means that
/// at least one element was compared, at least one exact value was not zero (or zeros were demanded
/// of an empty problem), and none is wrong. The values are not judged where `values` is false, or
/// where shapes do not fit each other. The case is ruled under the settings' profile. Errors: none;
/// a case that cannot be judged is `Skipped` or `NotComparable`, with the reason.
corpus::Verdict judge(const RuledCase& ruled, const corpus::Observation& observation,
                      const JudgeSettings& settings, bool values = true);

}  // namespace gradproof::oracle
