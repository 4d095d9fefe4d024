#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/case.h"

namespace gradproof::targets {

/// The shape along N C and the spatial axes, whatever order the format has them in; NHWC and NDHWC
/// are reordered, every other format is taken as it is.
std::vector<std::int64_t> channels_second(const std::vector<std::int64_t>& shape,
                                          corpus::Format format);

/// The shape that gradOutput must have for the input, weight and attributes of this call. Axes are
/// taken as the operator judges them, N C and the spatial ones, whatever the format says.
/// Attributes that no rule admits (a stride of 0, a negative padding) count as the nearest one that
/// is admitted and lengths below 1 as 1, so that only the culprit is wrong with a call whose
/// gradOutput is derived. gradOutput itself is not looked at. Errors: a clause that says what keeps
/// the shape from being derived.
tl::expected<std::vector<std::int64_t>, std::string> derived_grad_output(
    const corpus::Case& test_case);

/// The call with a forward operator's input and output as input and gradOutput, whose shapes follow
/// the same rule; any other call as it is.
corpus::Case with_maps_of_a_gradient(corpus::Case test_case);

/// A tensor without strides of its own.
corpus::TensorCase contiguous(std::vector<std::int64_t> shape, corpus::DataType dtype,
                              corpus::Format format = corpus::Format::Nd);

/// Gives the outputs that are there the shape, dtype and format that their inputs call for,
/// contiguous; biasSizes, where there, becomes the channels of gradOutput. gradOutput, input and
/// weight must be there.
void make_outputs_fit(corpus::Case& test_case);

/// Each output by itself, as make_outputs_fit makes it.
corpus::TensorCase fitting_output(const corpus::Case& test_case, corpus::OutputRole role);

}  // namespace gradproof::targets
