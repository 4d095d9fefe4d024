#pragma once

#include "properties/cases/generators/selection.h"
#include "properties/cli/arguments.h"
#include "properties/cli/input/option_readers.h"

namespace gradproof::cli {

/// Which calls are generated: by what they are.
Problem read_calls(const Arguments& arguments, cases::Selection& selection);

/// ... and by what is asked of them.
Problem read_demands(const Arguments& arguments, cases::Selection& selection);

}  // namespace gradproof::cli
