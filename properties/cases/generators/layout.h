#pragma once

#include "corpus/random_source.h"
#include "corpus/tensor_case.h"

namespace gradproof::cases {

/// Makes a contiguous tensor a view with the same elements: axes in another order in memory, gaps
/// between elements or rows, an offset, storage behind the last element. No two coordinates share
/// an element.
void make_strided(corpus::TensorCase& tensor, corpus::RandomSource& random);

/// Makes a contiguous tensor a view of which several elements share a place: some or all axes with
/// stride 0, as expanding a scalar, a bias or one sample gives, or windows that overlap. Where no
/// axis has two elements the tensor stays as it is.
void make_shared(corpus::TensorCase& tensor, corpus::RandomSource& random);

/// Moves a contiguous tensor inside its storage: the only freedom that the documents leave to
/// outputs (LAYOUT-02).
void make_offset(corpus::TensorCase& tensor, corpus::RandomSource& random);

}  // namespace gradproof::cases
