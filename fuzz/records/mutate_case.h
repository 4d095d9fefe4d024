#pragma once

#include "corpus/random_source.h"
#include "fuzz/records/case_genes.h"

namespace gradproof::fuzz {

/// One to four numbers of a case changed: sizes to neighbours, other magnitudes and the ends of the
/// documents' ranges, types, modes, masks, layouts; sometimes a field set to a boundary value,
/// whatever follows from it.
CaseGenes mutated(CaseGenes genes, corpus::RandomSource& random);

/// A case with axes, types, layouts, arguments and edits of either.
CaseGenes crossed(const CaseGenes& one, const CaseGenes& other, corpus::RandomSource& random);

}  // namespace gradproof::fuzz
