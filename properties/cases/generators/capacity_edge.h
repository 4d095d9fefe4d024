#pragma once

#include <string_view>

#include "corpus/case.h"
#include "corpus/random_source.h"

namespace gradproof::cases {

/// Draws sizes of a graph operator's call on Ascend910B or 910_93 at the edge of what its tiling
/// has room for: HW-02, HW-03, HW-04 (dx) or HW-05 (dw). One size is the least that breaks the
/// rule, or where `beyond` is false the greatest that does not. Everything else stays. False where
/// the sizes drawn have no such edge; the call is then as it was.
bool draw_capacity_edge(corpus::Case& test_case, std::string_view rule, bool beyond,
                        corpus::RandomSource& random);

/// Draws a case at the edge of one of the operator's rules, on either side. Other products' calls
/// stay as they are.
void draw_any_capacity_edge(corpus::Case& test_case, corpus::RandomSource& random);

}  // namespace gradproof::cases
