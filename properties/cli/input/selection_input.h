#pragma once

#include "properties/cases/generators/selection.h"
#include "properties/cli/arguments.h"
#include "properties/cli/input/option_readers.h"

namespace gradproof::properties::cli {

/// Which calls are generated: by what they are.
Problem read_calls(const Arguments& arguments, Selection& selection);

/// ... and by what is asked of them.
Problem read_demands(const Arguments& arguments, Selection& selection);

}  // namespace gradproof::properties::cli
