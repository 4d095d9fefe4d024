#pragma once

#include "corpus/random_source.h"
#include "corpus/tensor_case.h"

namespace gradproof::properties {

/// Makes a contiguous tensor a view with the same elements: axes in another order in memory, gaps
/// between elements or rows, an offset, storage behind the last element. No two coordinates share
/// an element.
void make_strided(corpus::TensorCase& tensor, corpus::RandomSource& random);

/// Moves a contiguous tensor inside its storage: the only freedom that the documents leave to
/// outputs (LAYOUT-02).
void make_offset(corpus::TensorCase& tensor, corpus::RandomSource& random);

}  // namespace gradproof::properties
