#pragma once

#include "corpus/case.h"
#include "corpus/random_source.h"

/// Breaches of ranges of filter, strides, dilations, pads and groups, just beyond a limit; and
/// sizes that the released tiling has no room for. False where the rule cannot be broken in this
/// case.
namespace gradproof::cases::operator_breaks {

bool enlarge_kernel(corpus::Case& test_case, corpus::RandomSource& random);
bool exceed_stride(corpus::Case& test_case, corpus::RandomSource& random);
bool exceed_dilation(corpus::Case& test_case, corpus::RandomSource& random);
bool exceed_pad(corpus::Case& test_case, corpus::RandomSource& random);
bool exceed_tile_of_dx(corpus::Case& test_case, corpus::RandomSource& random);
bool exceed_row_of_dx(corpus::Case& test_case, corpus::RandomSource& random);
bool exceed_pads_of_dx(corpus::Case& test_case, corpus::RandomSource& random);
bool exceed_tile_of_dw(corpus::Case& test_case, corpus::RandomSource& random);
bool take_odd_groups(corpus::Case& test_case, corpus::RandomSource& random);

}  // namespace gradproof::cases::operator_breaks
