#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/product.h"
#include "properties/cli/arguments.h"
#include "properties/cli/grammar/configuration.h"

namespace gradproof::cli {

/// The arguments with modules of torch.nn and lines of key:value among the operands made words of
/// the call. Errors: a sentence.
tl::expected<Arguments, std::string> with_typed_words(Arguments arguments);

/// The call that the options of a command line say; its id is "call". Errors: a sentence.
tl::expected<corpus::Case, std::string> typed_call(const Arguments& arguments);

/// What verify and generate are told; a call among the operands is all that the selection
/// generates. Errors: a sentence, also where options narrow what a typed call says itself.
tl::expected<Configuration, std::string> configuration_with_call(const Arguments& typed);

/// The call on each of the products; as it is where there are none.
std::vector<corpus::Case> on_products(const corpus::Case& test_case,
                                      const std::vector<corpus::Product>& products);

}  // namespace gradproof::cli
