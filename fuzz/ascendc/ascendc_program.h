#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fuzz/ascendc/ascendc_call_model.h"
#include "fuzz/ascendc/ascendc_problem.h"
#include "fuzz/records/case_genes.h"

namespace gradproof::fuzz {

/// The result of one block's calls on Conv3DBackpropInput.
struct AscendcProgram {
  std::vector<std::string> steps;      ///< in words, what the block was to do
  std::optional<std::string> failure;  ///< how the simulated core did not follow the rules
};

/// Runs the program that a record says on a simulated core, and holds it against the published
/// order of calls and the exact gradient. Total: every record is a program.
///
/// The program computes a whole gradInput as the documents say, with the tiling of GetTiling; each
/// edit of the record replaces, inserts or removes a call, makes one of its arguments wrong, or
/// changes a field of the tiling before Init.
AscendcProgram carry_out_ascendc(std::span<const std::uint8_t> bytes);

/// Shortens the program to as few edits as fail alike; the whole one if it does not fail.
AscendcProgram shortened_ascendc(std::span<const std::uint8_t> bytes);

/// The program of the documents, which computes all tasks.
std::vector<AscendcStep> whole_program(std::size_t tasks);

/// "SetWeight, task 2, wrong argument 1".
std::string words(const AscendcStep& step);

/// Replaces, inserts or removes a step, or changes a field of the tiling. Total: every edit is one
/// of these.
void apply(const Edit& edit, std::size_t tasks, std::vector<AscendcStep>& steps,
           InputTiling& tiling);

}  // namespace gradproof::fuzz
