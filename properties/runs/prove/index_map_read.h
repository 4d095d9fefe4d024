#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "properties/cases/check/check.h"
#include "properties/targets/target/target.h"

namespace gradproof::runs {

/// The index map of an output as the target has it, read by one-hot runs: gradOutput has one
/// element that is 1, the other operand's elements are labels, all different, so that each result
/// spells which element it took. The lines say what differs from the specification, at most
/// `most_lines` of them: "gradInput[0,0,1] takes gradOutput[0,0,0] x weight[0,0,1]; specified:
/// weight[0,0,2]".
///
/// Empty where the map is right, where the target does not answer, or where the call is too large:
/// more elements of an operand than there are labels, or more than `most_runs` of gradOutput.
std::vector<std::string> wrong_entries(targets::Target& target, const corpus::Case& test_case,
                                       corpus::OutputRole role,
                                       const cases::CheckSettings& settings,
                                       std::size_t most_lines = 8, std::size_t most_runs = 4096);

}  // namespace gradproof::runs
