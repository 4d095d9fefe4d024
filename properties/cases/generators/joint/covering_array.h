#pragma once

#include <vector>

#include "properties/cases/classes/legal_combinations.h"

namespace gradproof::cases {

/// Classes of calls, one of each dimension in a row, so that each legal triple of admitted classes
/// is in some row and no row has classes that exclude each other: a covering array of strength 3
/// with constraints, built greedily, one row at a time (Cohen et al., "The AETG System", 1997).
/// The same for the same classes, on every machine. Triples that no legal row can have are left
/// out; each dimension must have an admitted class.
std::vector<Classes> covering_array(const ClassSet& admitted);

}  // namespace gradproof::cases
