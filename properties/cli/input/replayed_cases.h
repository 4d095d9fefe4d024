#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/product.h"
#include "properties/cli/arguments.h"
#include "properties/cli/input/case_input.h"

namespace gradproof::cli {

/// Reads the cases of the files, or the typed call on each of the products. Errors: a sentence.
tl::expected<CasesOfFiles, std::string> replayed_cases(
    const Arguments& arguments, const std::vector<corpus::Product>& products);

}  // namespace gradproof::cli
