#pragma once

#include <string>

#include "corpus/case.h"

namespace gradproof::cases {

/// The call in one line for a person: "input [1,1,3] FLOAT, weight [1,1,2], stride 2, for
/// gradInput". Left out is what a typed call has by default: gradOutput and gradients that follow
/// from the rest, contiguous tensors in the usual order, stride and dilation 1, padding 0, groups
/// 1, cubeMathType 0, Ascend910B.
std::string call_in_words(const corpus::Case& test_case);

/// Describes the data of the operands: "gradOutput[0,0,1] = 1, weight[0,0,0] = 1, all else 0", the
/// first few where there are many; the recipe and its seed where the elements are drawn; empty
/// where the case says nothing of its data.
std::string data_in_words(const corpus::Case& test_case);

}  // namespace gradproof::cases
