#pragma once

#include <memory>

#include "properties/cases/generators/selection.h"
#include "properties/targets/target/library.h"

namespace gradproof::cases {

/// The library, asked for no call that the selection leaves out, be it for the search, the
/// shrinker, the diagnosis, a law. Such a call counts as not run, and why (`why_outside`). A law
/// may ask a second function about the same convolution.
std::shared_ptr<const targets::Library> narrowed(std::shared_ptr<const targets::Library> library,
                                                 Selection selection);

}  // namespace gradproof::cases
