#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/case.h"
#include "corpus/random_source.h"
#include "fuzz/records/case_genes.h"
#include "fuzz/records/case_limits.h"

namespace gradproof::fuzz {

/// The case that a string of bytes stands for. Total: every string is a case, and the empty one is
/// the plainest legal call. Sizes of the consistent part are within the limits; edits may leave
/// them. The data recipe is not planned (oracle/recipes/recipe_plan.h). A pure function: an input
/// that is stored today is the same case tomorrow.
corpus::Case case_from_bytes(std::span<const std::uint8_t> bytes, const CaseLimits& limits);
corpus::Case case_of_genes(const CaseGenes& genes, const CaseLimits& limits);

/// A string of bytes that stands for this call of aclnnConvolutionBackward: for seeds. What a
/// record does not say is left out: id, source, expectation, the numbers of a planned recipe, the
/// range of a uniform one, listed data.
std::vector<std::uint8_t> bytes_of_case(const corpus::Case& test_case, const CaseLimits& limits);

/// One to four numbers of a case changed: sizes to neighbours, other magnitudes and the ends of the
/// documents' ranges, types, modes, masks, layouts; sometimes a field set to a boundary value,
/// whatever follows from it.
CaseGenes mutated(CaseGenes genes, corpus::RandomSource& random);

/// A case with axes, types, layouts, arguments and edits of either.
CaseGenes crossed(const CaseGenes& one, const CaseGenes& other, corpus::RandomSource& random);

}  // namespace gradproof::fuzz
