#pragma once

#include "properties/cli/arguments.h"
#include "properties/cli/exit_code.h"

namespace gradproof::cli {

using Command = ExitCode(const Arguments& arguments);

Command verify, prove, replay, report, shrink, generate, explain, tolerance, judge, faults, demo,
    fingerprint, gate, list;

}  // namespace gradproof::cli
