#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fuzz/records/case_genes.h"
#include "kernel/include/lib/conv_backprop/conv3d_bp_input_tiling_data.h"
#include "properties/cases/calls/convolution.h"

namespace gradproof::fuzz {

using InputTiling = AscendC::tiling::TConv3DBackpropInputTiling;

/// One task of a core: rows of one D slice of gradInput and blocks of its channels.
struct AscendcTask {
  std::uint64_t batch = 0, depth = 0, first_row = 0, positions = 0, first_block = 0, channels = 0;
};

/// A small gradInput to be computed with Conv3DBackpropInput: the convolution, GetTiling's tiling
/// for it, operands of small integers in the private layouts, and the exact result in its own.
struct AscendcProblem {
  cases::Convolution convolution;
  InputTiling tiling;
  std::vector<AscendcTask> tasks;
  std::vector<float> grad_output, weight, grad_input;

  /// Elements from the begin of each tensor to a task's slice, by the published address contract.
  std::uint64_t grad_output_slice(const AscendcTask& task) const;
  std::uint64_t weight_slice(const AscendcTask& task) const;
  std::uint64_t grad_input_slice(const AscendcTask& task) const;

  /// True if the tasks are all of gradInput.
  bool is_whole() const;

  /// Tiles that a task has.
  std::size_t tiles(const AscendcTask& task) const;
};

/// True if a core's L0 holds the tiling's blocks of elements of so many bytes. The published search
/// counts M and N in blocks of C0, the cube in fractals of 16: for FLOAT, whose C0 is 8, it gives
/// tilings with one more row of fractals than there is room for.
bool fits_l0(const InputTiling& tiling, std::uint64_t element_bytes);

/// The problem of a record, with elements of 2 or 4 bytes; nullopt where GetTiling refuses it.
std::optional<AscendcProblem> ascendc_problem(const CaseGenes& genes, std::uint32_t element_bytes);

}  // namespace gradproof::fuzz
