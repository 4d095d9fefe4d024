#pragma once

#include "corpus/case.h"
#include "corpus/verdict.h"
#include "fuzz/engine/case_target.h"

namespace gradproof::fuzz {

/// The target's check in a child process: a crash, a sanitizer's report, an exit and a hang are
/// verdicts as well. For a process that has not used the target itself.
corpus::Verdict check_in_child(const CaseTarget& target, const corpus::Case& test_case);

}  // namespace gradproof::fuzz
