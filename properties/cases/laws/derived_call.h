#pragma once

#include <functional>
#include <optional>

#include "corpus/case.h"
#include "properties/cases/calls/convolution.h"
#include "properties/cases/laws/relation.h"

namespace gradproof::cases {

/// The convolution of a call whose shapes and arrays are all that follow from it; nullopt for an
/// empty problem, contradicting sizes, and one with more elements than a law can list.
std::optional<Convolution> whole_convolution(const corpus::Case& test_case);

/// Where an element of an input goes, or nullopt where it is left out.
using Move = std::function<std::optional<Coordinate>(corpus::InputRole, const Coordinate&)>;

/// Derives a call for another convolution: types, mask and modes stay, tensors are contiguous and
/// in the rank's plain format; the data are those of `test_case`, listed, each element at its new
/// place and +0 everywhere else. `next` must have equal paddings at both ends unless it has two
/// axes.
corpus::Case derived_call(const corpus::Case& test_case, const Convolution& next, const Move& move);

/// Input that is the larger feature map; small_role: the smaller.
corpus::InputRole big_role(const Convolution& convolution);
corpus::InputRole small_role(const Convolution& convolution);

/// The lists of data are made from the case where it has others.
corpus::Case with_listed_data(const corpus::Case& test_case);

/// A number that follows from the case's data: what a law chooses by.
std::uint64_t choice_of(const corpus::Case& test_case, std::uint64_t salt);

/// A relation whose elements are all at one place of the only other call.
using Relocation = std::function<std::optional<Coordinate>(corpus::OutputRole, const Coordinate&)>;
Relation relocation(const corpus::Case& test_case, corpus::Case run, Relocation to);

/// The other call shows the same elements at the same coordinates.
Relation same_elements(const corpus::Case& test_case, corpus::Case run);

}  // namespace gradproof::cases
