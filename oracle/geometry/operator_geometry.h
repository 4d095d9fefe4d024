#pragma once

#include <string>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "oracle/geometry/geometry.h"

namespace gradproof::oracle {

/// The geometry of a graph operator's call whose tensors fit each other, or of what a tiling class
/// is told. The number of groups is the one in force (rule G-20); pads may differ at all six sides.
/// Errors: a sentence that names what is missing or does not fit.
tl::expected<Geometry, std::string> operator_geometry_of(const corpus::Case& test_case);

}  // namespace gradproof::oracle
