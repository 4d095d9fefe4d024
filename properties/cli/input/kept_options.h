#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "properties/cli/grammar/configuration.h"
#include "properties/runs/campaign/work.h"

namespace gradproof::cli {

/// What the calls of a replay of these cases are narrowed to, those that make a finding smaller or
/// explain it among them: the products and the size that the configuration says, and the options of
/// the run that found the cases, where all are of runs with the same. Errors: the options that a
/// finding's file has are none.
tl::expected<cases::Selection, std::string> kept_options(const std::vector<runs::StoredCase>& cases,
                                                         const Configuration& configuration);

}  // namespace gradproof::cli
