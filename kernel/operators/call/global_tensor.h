#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernel/cube/extents.h"
#include "kernel/cube/fixpipe.h"
#include "kernel/cube/load.h"
#include "kernel/device/product.h"
#include "kernel/operators/call/checked.h"
#include "kernel/operators/call/tensor_view.h"

// The tensors of a call as the device's operators keep them in the workspace: in the private
// layouts NDC1HWC0 and FRACTAL_Z_3D, or on Ascend950, which reads plain ones, as NCDHW. Operands
// are held as FLOATs that the compute type can represent.
namespace gradproof::kernel::operators {

enum class GlobalLayout : std::uint8_t { Private, Dense };

GlobalLayout global_layout_on(device::Product product);

/// A feature map or a gradient of one: NDC1HWC0, or NCDHW.
class GlobalFeatureMap {
 public:
  GlobalFeatureMap(GlobalLayout layout, const Index& shape, std::int64_t c0);

  /// Elements, padding included.
  Checked elements() const;

  /// One (n, d) plane, from channel `first` on `channels` of them.
  cube::GlobalPlane plane(std::span<const float> values, std::int64_t n, std::int64_t d,
                          std::int64_t first, std::int64_t channels) const;

  /// Destination to which fixpipe writes a tile whose rows are positions of that plane from
  /// `position` on, and whose columns are channels from `channel` on.
  cube::FixpipeDestination destination(std::byte* values, numeric::Format format, std::int64_t n,
                                       std::int64_t d, std::int64_t position,
                                       std::int64_t channel) const;

  /// Reads a tensor into this layout; padding becomes 0.
  void arrange(const Source& source, std::span<float> values) const;

  /// Rounds what lies here, in `format`, into a tensor.
  void store(const std::byte* values, numeric::Format format, numeric::OverflowMode mode,
             const Destination& destination) const;

 private:
  std::int64_t plane_start(std::int64_t n, std::int64_t d) const;
  std::int64_t channel_start(std::int64_t channel) const {
    return channel / c0_ * block_step_ + channel % c0_ * channel_step_;
  }

  GlobalLayout layout_;
  cube::Extents extents_;
  std::int64_t c0_, blocks_;
  std::int64_t block_step_, row_step_, column_step_, channel_step_;
};

/// A weight or its gradient: FRACTAL_Z_3D with groups packed diagonally, or NCDHW.
class GlobalWeightMap {
 public:
  /// shape: of the weight, output channels of all groups first. groups: at least 1, divides them.
  GlobalWeightMap(GlobalLayout layout, const Index& shape, std::int64_t groups, std::int64_t c0);

  /// Elements, padding included.
  Checked elements() const;

  /// One group's weights at one kernel depth.
  cube::GlobalWeight slice(std::span<const float> values, std::int64_t group,
                           std::int64_t depth) const;

  /// Destination to which fixpipe writes, in FLOAT, a tile whose rows are output channels of the
  /// group from `output` on, and whose columns are channels of one tap from `channel` on.
  cube::FixpipeDestination destination(float* values, std::int64_t group, std::int64_t depth,
                                       std::int64_t tap, std::int64_t output,
                                       std::int64_t channel) const;

  /// Reads a tensor into this layout; padding becomes 0.
  void arrange(const Source& source, std::span<float> values) const;

  /// Rounds FLOATs in this layout into a tensor.
  void store(std::span<const float> values, numeric::OverflowMode mode,
             const Destination& destination) const;

 private:
  struct Block;
  Block block(std::int64_t group) const;
  template <typename Visit>
  void for_each_channel(const Visit& visit) const;

  GlobalLayout layout_;
  cube::Extents extents_;
  std::int64_t groups_, c0_;
  std::int64_t enlargement_, padded_blocks_;
  std::int64_t plane_step_, block_step_, tap_step_, output_step_, channel_step_, depth_step_;
};

}  // namespace gradproof::kernel::operators
