#pragma once

#include <memory>

#include "properties/cases/generators/selection.h"
#include "properties/targets/target/library.h"

namespace gradproof::properties {

/// The library, asked for no call that the selection leaves out, be it for the search, the
/// shrinker, the diagnosis, a law. Such a call counts as not run, and why (`why_outside`).
std::shared_ptr<const Library> narrowed(std::shared_ptr<const Library> library,
                                        Selection selection);

}  // namespace gradproof::properties
