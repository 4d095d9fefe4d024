#include "adapters/forward.h"

#include <xnnpack.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

namespace gradproof::adapters {
namespace {

struct Delete {
  void operator()(xnn_operator_t made) const { xnn_delete_operator(made); }
};
using Operator = std::unique_ptr<xnn_operator, Delete>;

constexpr std::size_t slack = XNN_EXTRA_BYTES / sizeof(float);  // vectors read so far past the end

bool is_initialised() {
  static const bool is_so = xnn_initialize(nullptr) == xnn_status_success;
  return is_so;
}

std::uint32_t number(std::int64_t value) { return static_cast<std::uint32_t>(value); }

/// [first, second, positions] to [first, positions, second], or back.
std::vector<float> moved(const float* values, std::int64_t first, std::int64_t second,
                         std::int64_t positions) {
  std::vector<float> result(static_cast<std::size_t>(first * second * positions) + slack);
  for (std::int64_t i = 0, at = 0; i < first; ++i) {
    for (std::int64_t p = 0; p < positions; ++p) {
      for (std::int64_t j = 0; j < second; ++j) {
        result[at++] = values[(i * second + j) * positions + p];
      }
    }
  }
  return result;
}

Operator made(const Forward& forward, const float* weight) {
  const auto& [depth, h, w] = forward.axes;
  const float most = std::numeric_limits<float>::infinity();
  xnn_operator_t created = nullptr;
  const auto status = xnn_create_convolution2d_nhwc_f32(
      number(h.pad), number(w.pad), number(h.pad), number(w.pad), number(h.kernel),
      number(w.kernel), number(h.stride), number(w.stride), number(h.dilation), number(w.dilation),
      number(forward.groups), static_cast<std::size_t>(forward.in_channels / forward.groups),
      static_cast<std::size_t>(forward.out_channels / forward.groups),
      static_cast<std::size_t>(forward.in_channels), static_cast<std::size_t>(forward.out_channels),
      weight, nullptr, -most, most, 0, &created);
  return Operator(status == xnn_status_success ? created : nullptr);
}

}  // namespace

/// True if the library takes the 2D layer, which a layer with weights of 0 shows.
bool can_forward(const Forward& forward) {
  const Forward::Axis& depth = forward.axes[0];
  const bool is_flat = depth.in == 1 && depth.kernel == 1 && depth.pad == 0 && depth.stride == 1;
  if (!is_flat || !is_initialised()) return false;
  const auto& [d, h, w] = forward.axes;
  constexpr std::int64_t most = 1 << 20;  // weights
  const std::int64_t weights =
      forward.out_channels * (forward.in_channels / forward.groups) * h.kernel * w.kernel;
  if (weights > most || h.in > most || w.in > most) return false;
  const std::vector<float> zeros(static_cast<std::size_t>(weights) + slack);
  return made(forward, zeros.data()) != nullptr;
}

void run_forward(const Forward& forward, const float* in, const float* weight, float* out) {
  const auto& [depth, h, w] = forward.axes;
  const std::int64_t outs = h.out * w.out;
  const auto weights = moved(weight, forward.out_channels, forward.in_channels / forward.groups,
                             h.kernel * w.kernel);
  const auto input = moved(in, forward.batch, forward.in_channels, h.in * w.in);
  std::vector<float> output(static_cast<std::size_t>(forward.batch * forward.out_channels * outs) +
                            slack);
  const Operator made_one = made(forward, weights.data());
  const bool is_run = made_one != nullptr &&
                      xnn_setup_convolution2d_nhwc_f32(
                          made_one.get(), static_cast<std::size_t>(forward.batch),
                          static_cast<std::size_t>(h.in), static_cast<std::size_t>(w.in),
                          input.data(), output.data(), nullptr) == xnn_status_success &&
                      xnn_run_operator(made_one.get(), nullptr) == xnn_status_success;
  if (!is_run) {  // it said that it would
    std::fill_n(out, forward.batch * forward.out_channels * outs,
                std::numeric_limits<float>::quiet_NaN());
    return;
  }
  const auto result = moved(output.data(), forward.batch, outs, forward.out_channels);
  std::copy_n(result.data(), forward.batch * forward.out_channels * outs, out);
}

}  // namespace gradproof::adapters
