#pragma once

#include <optional>

#include "corpus/case.h"
#include "properties/cases/check/check.h"
#include "properties/findings/picture/elements.h"
#include "properties/findings/picture/picture.h"
#include "properties/targets/target/target.h"

namespace gradproof::findings {

/// The picture of a finding whose output `role` is wrong: runs its smallest case and the one that
/// showed it first once more. nullopt where no single element of the smallest case is wrong by
/// itself, so that there is nothing to mark: a law between calls is broken, or a status.
std::optional<Picture> picture_of(targets::Target& target, const corpus::Case& smallest,
                                  const corpus::Case& first, corpus::OutputRole role,
                                  const cases::CheckSettings& settings);

/// Draws this output: its worst element, what is around it, and the map of where it is wrong.
/// nullopt where no element is wrong.
std::optional<Picture> picture_of_elements(const Elements& elements);

}  // namespace gradproof::findings
