#pragma once

#include <cstddef>
#include <span>

#include "kernel/cube/mmad.h"
#include "kernel/operators/call/arithmetic.h"
#include "kernel/operators/call/cores.h"
#include "kernel/operators/call/global_tensor.h"
#include "kernel/operators/call/launch.h"
#include "kernel/operators/call/problem.h"
#include "kernel/operators/call/tensor_view.h"

// The three gradients on the simulated cores: tiles, local memories, the cube and fixpipe. dx and
// db have the plain operators' bits always, dw wherever one core owns each element's whole sum.
namespace gradproof::kernel::operators::device_path {

/// Operands in the workspace, in their global layouts; those that a gradient does not read may be
/// absent.
struct DeviceOperands {
  GlobalFeatureMap grad_output, input;
  GlobalWeightMap weight;
  std::span<const float> grad_output_values, input_values, weight_values;
  const float* first_sums = nullptr;  ///< of dx, one a channel; null: 0
  /// No operand that takes part in a product is, or would be rounded to, an infinity or NaN.
  bool are_finite = false;
};

/// True if every piece of the requested gradients can be made to fit in the cores' memories.
bool fits(const Problem& problem, const Arithmetic& arithmetic, device::Product product,
          bool grad_input, bool grad_weight);

/// Format in which dx leaves the cube: the compute type's storage format.
numeric::Format grad_input_format(const Arithmetic& arithmetic);

/// dx into `values`, in `map`'s layout and grad_input_format. Every element but padding is written.
Outcome grad_input(const Problem& problem, const Arithmetic& arithmetic, const Launch& launch,
                   const DeviceOperands& operands, const GlobalFeatureMap& map, std::byte* values);

/// dw in FLOAT into `values`, in the layout of the weight.
Outcome grad_weight(const Problem& problem, const Arithmetic& arithmetic, const Launch& launch,
                    const DeviceOperands& operands, std::span<float> values);

/// db on the vector units: gradOutput as it is stored, whatever the compute type.
Outcome grad_bias(const Source& grad_output, numeric::OverflowMode overflow, const Launch& launch,
                  const Destination& destination);

/// The cube instruction of one call; m, n, k and clears are left to the tile.
cube::Mmad instruction_of(const Arithmetic& arithmetic, const Launch& launch,
                          const DeviceOperands& operands);

/// Value that image to column puts where there is no element.
float padding_of(const DeviceOperands& operands);

}  // namespace gradproof::kernel::operators::device_path
