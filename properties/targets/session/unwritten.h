#pragma once

#include <array>

#include "corpus/case.h"
#include "corpus/observation.h"

namespace gradproof::targets {

/// Observation of a call before a target answers it: the results hold no numbers.
corpus::Observation nothing_written(const corpus::Case& test_case);

/// Calls that a function of tensors may be asked.
inline constexpr std::array apis_of_tensors{corpus::Api::ConvolutionBackward,
                                            corpus::Api::Convolution};

/// Describes why no answer to the call is tensors; null: gradients or an output answer it.
const char* why_no_tensors_answer(const corpus::Case& test_case);

/// Describes why a target that is given dense tensors and gives results back cannot be asked this;
/// null: it can. Questions about statuses alone and about several calls at once are such, and
/// attributes without a value for each axis.
const char* why_no_call_of_tensors(const corpus::Case& test_case, bool status_only);

}  // namespace gradproof::targets
