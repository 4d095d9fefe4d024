#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "bench/kernel_layers.h"
#include "kernel/device/device.h"

namespace gradproof::bench {

enum class Gradient : std::uint8_t { Input, Weight, Bias };

/// Number formats of the products: storage of the tensors and conversion by the cube. All but
/// RoundedFloat on a device that rounds product and sum together, as oneDNN does.
enum class Mode : std::uint8_t { Float, RoundedFloat, Hf32, Float16, BFloat16 };

/// One way to compute a gradient; calling it computes it once.
using Computation = std::function<void()>;

/// One gradient by this project's kernel on an Ascend910B, tensors NCHW, workspace given.
Computation our_gradient(const Layer& layer, Gradient gradient, Mode mode,
                         kernel::device::OperatorPath path, int threads);

/// A layer's call through the C API, all three gradients: both phases and waiting for it; phase one
/// alone, its executor destroyed; phase one of a call that it refuses, with the message fetched.
struct ApiComputations {
  Computation two_phase_call, phase_one, refused_phase_one;
};
ApiComputations api_computations(const Layer& layer);

/// A read of gradOutput, in FLOAT, as fast as this thread can: what db is held against.
Computation read_of_grad_output(const Layer& layer);

/// Numbers with all bits of a FLOAT in use, in (-1, 1).
std::vector<float> random_values(std::int64_t count, std::uint64_t seed);

}  // namespace gradproof::bench
