#pragma once

#include <string>

#include "corpus/case.h"
#include "properties/cases/generators/selection.h"

namespace gradproof::tests {

/// Options of a run drawn at random, which admit some call; the same for a number on every machine.
cases::Selection drawn_options(std::uint64_t number);
/// Those that a function of tensors can be given, with the keys of gradproof_open as JSON.
cases::Selection drawn_options_of_a_function(std::uint64_t number, std::string& json);

/// What of the call lies outside of the options, worked out without `why_outside`; empty: nothing.
std::string outside(const cases::Selection& options, const corpus::Case& call);

}  // namespace gradproof::tests
