#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fuzz/ascendc/ascendc_call_model.h"
#include "fuzz/ascendc/ascendc_problem.h"
#include "fuzz/records/case_genes.h"

namespace gradproof::fuzz {

/// The program of the documents, which computes all tasks.
std::vector<AscendcStep> whole_program(std::size_t tasks);

/// "SetWeight, task 2, wrong argument 1".
std::string words(const AscendcStep& step);

/// Replaces, inserts or removes a step, or changes a field of the tiling. Total: every edit is one
/// of these.
void apply(const Edit& edit, std::size_t tasks, std::vector<AscendcStep>& steps,
           InputTiling& tiling);

}  // namespace gradproof::fuzz
