#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "corpus/case.h"
#include "corpus/format.h"
#include "oracle/numbers/dense.h"

namespace gradproof::oracle {

/// Axes of N, C, D, H and W in a tensor: a permutation of 0 to 4.
using AxisOrder = std::array<std::size_t, 5>;

/// The order of a five-dimensional format's axes: NCDHW, NDHWC or DHWCN; nullopt for any other.
std::optional<AxisOrder> axis_order(corpus::Format format);

/// Five values, one for each axis of a tensor, in the order N C D H W.
Shape in_logical_order(std::span<const std::int64_t, 5> values, const AxisOrder& order);

/// The opposite: values for N C D H W in the order in which the tensor has them.
Shape in_tensor_order(const Shape& values, const AxisOrder& order);

/// A shape of up to five axes, with as many axes of length 1 behind them as five lack.
Shape five_axes(std::span<const std::int64_t> shape);

/// Order in which a case's tensor keeps N, C, D, H and W, if not their own: nullopt for every
/// tensor of aclnnConvolutionBackward. Of a tensor with fewer axes, those of `five_axes`.
std::optional<AxisOrder> own_order(const corpus::Case& test_case, const corpus::TensorCase& tensor);

/// A dense tensor's elements with its axes in the order N C D H W.
///
/// Shape: `shape` and `elements` as the tensor has them, up to five axes; `size` bytes an element.
std::vector<std::byte> in_logical_order(std::span<const std::byte> elements, std::size_t size,
                                        std::span<const std::int64_t> shape,
                                        const AxisOrder& order);

/// The elements of an input as `corpus::element_values` has them, but in the order N C D H W.
std::vector<std::byte> logical_elements(const corpus::Case& test_case, corpus::InputRole role);

}  // namespace gradproof::oracle
