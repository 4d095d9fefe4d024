#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "kernel/cube/extents.h"

namespace gradproof::kernel::operators {

/// The layouts that a tensor can have in global memory. FRACTAL_ZZ and FRACTAL_ZN exist only in
/// the cube's own buffers.
enum class Layout : std::uint8_t {
  Nchw,
  Nhwc,
  Hwcn,
  Nd,
  Ncdhw,
  Ndhwc,
  Dhwcn,
  Nc1hwc0,
  Ndc1hwc0,
  FractalZ,
  FractalZ3d,
  FractalNz,
};

/// As CANN's documentation writes it: "NDC1HWC0".
std::string_view name_of(Layout layout);

/// What a transfer is about. Four-axis layouts have a D of 1. ND and FRACTAL_NZ: H rows and W
/// columns, the other axes count matrices.
struct LayoutTransfer {
  Layout from = Layout::Ncdhw;
  Layout to = Layout::Ndc1hwc0;
  cube::Extents extents;           ///< weights: n of all groups, c of one
  std::int64_t groups = 1;         ///< other than 1 only for FRACTAL_Z and FRACTAL_Z_3D
  std::int64_t element_bytes = 2;  ///< 1, 2 or 4
  std::int64_t c0 = 16;            ///< 8, 16 or 32; cube::c0_of(element_bytes) unless stated
};

/// Whether the hardware's TransData has this pair (all products before Ascend950, whose
/// convolution uses no private layout in global memory).
bool is_transferable(Layout from, Layout to);

/// Bytes of the tensor in one layout, padding included. Error: what is wrong with the request.
tl::expected<std::int64_t, std::string> storage_bytes(const LayoutTransfer& transfer,
                                                      Layout layout);

/// Rewrites `source` in the other layout; what no element lands on becomes 0.
/// Error: which argument is wrong and what is allowed; `destination` is then as it was.
tl::expected<void, std::string> transfer_layout(const LayoutTransfer& transfer,
                                                std::span<const std::byte> source,
                                                std::span<std::byte> destination);

}  // namespace gradproof::kernel::operators
