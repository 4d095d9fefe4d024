#pragma once

#include <string>

#include <tl/expected.hpp>

#include "properties/advice/logs/reading.h"
#include "properties/cli/arguments.h"
#include "properties/cli/input/case_input.h"

namespace gradproof::cli {

/// Reads the log that --log names, with the shape of --input. A product that it states is asked
/// about where --soc names none. Errors: a sentence, also where other options describe a call.
tl::expected<advice::Reading, std::string> read_log(Arguments& arguments);

/// The complete calls of a log; their ids are "log-line-N".
CasesOfFiles calls_of_log(const advice::Reading& reading);

}  // namespace gradproof::cli
