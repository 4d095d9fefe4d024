#pragma once

#include <memory>

#include "bindings/library/exchange.h"
#include "bindings/library/options.h"
#include "properties/targets/target/library.h"

namespace gradproof::library {

/// A library whose calls are answered on `exchange`, which must outlive it, or, with a `program`,
/// by that. Calls that the options leave out, and questions that a function of tensors has no
/// answer to (statuses alone, streams), are not asked.
std::shared_ptr<const targets::Library> asked_library(
    Exchange& exchange, std::shared_ptr<const targets::Library> program, const Options& options);

}  // namespace gradproof::library
