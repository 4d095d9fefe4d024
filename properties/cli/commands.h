#pragma once

#include "properties/cli/arguments.h"
#include "properties/cli/exit_code.h"

namespace gradproof::cli {

ExitCode verify(const Arguments& arguments);
ExitCode prove(const Arguments& arguments);
ExitCode replay(const Arguments& arguments);
ExitCode report(const Arguments& arguments);
ExitCode shrink(const Arguments& arguments);
ExitCode generate(const Arguments& arguments);
ExitCode explain(const Arguments& arguments);
ExitCode tolerance(const Arguments& arguments);
ExitCode judge(const Arguments& arguments);
ExitCode faults(const Arguments& arguments);
ExitCode demo(const Arguments& arguments);
ExitCode fingerprint(const Arguments& arguments);
ExitCode gate(const Arguments& arguments);
ExitCode list(const Arguments& arguments);

}  // namespace gradproof::cli
