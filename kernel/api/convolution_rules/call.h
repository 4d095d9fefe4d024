#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "kernel/api/objects/objects.h"
#include "kernel/device/device.h"
#include "kernel/include/aclnn/acl_meta.h"
#include "kernel/operators/call/checked.h"

namespace gradproof::kernel::api::parameter_checks {

/// Products with the same rules. A1: 310P, 910; A23: 910B, 910_93; A5: 950; X: the unsupported
/// ones.
enum class ProductSet : std::uint8_t { X, A1, A23, A5 };

inline ProductSet product_set(device::Product product) {
  switch (device::limits_of(product).generation) {
    case device::Generation::HalfOnly:
      return ProductSet::A1;
    case device::Generation::Wide:
      return ProductSet::A23;
    case device::Generation::EightBit:
      return ProductSet::A5;
    case device::Generation::None:
      break;
  }
  return ProductSet::X;
}

/// A parameter that is passed by pointer.
template <typename Value>
struct Argument {
  std::string_view name;
  bool given = false;   ///< not null
  Held<Value> value{};  ///< none: null, or a descriptor that was destroyed

  /// Names belong to places in a call and are not compared.
  friend bool operator==(const Argument& left, const Argument& right) {
    return left.given == right.given && described_alike(left.value, right.value);
  }
};

using Ints = std::vector<std::int64_t>;

/// Members of every operator's call of phase one: the device it is for, and out-parameters.
struct AnyCall {
  device::Product product = device::Product::Ascend910B;
  device::Profile profile = device::Profile::Documented;
  bool has_workspace_size = true, has_executor = true;

  friend bool operator==(const AnyCall&, const AnyCall&) = default;

  ProductSet set() const { return product_set(product); }
  bool on_a5() const { return set() == ProductSet::A5; }
  bool released() const { return profile == device::Profile::Released; }
};

/// outputMask of a legal length; all false otherwise.
struct Mask {
  bool grad_input = false, grad_weight = false, grad_bias = false;
};

/// One call of aclnnConvolutionBackwardGetWorkspaceSize and the device it is for. Predicates on it
/// are total: what the arguments leave undefined is nullopt, or false.
struct Call : AnyCall {
  Argument<Tensor> grad_output{.name = "gradOutput"}, input{.name = "input"},
      weight{.name = "weight"};
  Argument<Ints> bias_sizes{.name = "biasSizes"}, stride{.name = "stride"},
      padding{.name = "padding"}, dilation{.name = "dilation"};
  bool transposed = false;
  Argument<Ints> output_padding{.name = "outputPadding"};
  int groups = 1;
  Argument<std::vector<bool>> output_mask{.name = "outputMask"};
  int cube_math_type = 0;
  Argument<Tensor> grad_input{.name = "gradInput"}, grad_weight{.name = "gradWeight"},
      grad_bias{.name = "gradBias"};

  /// True if phase one cannot tell two calls apart: all but the addresses of data.
  friend bool operator==(const Call&, const Call&) = default;

  Mask mask() const;

  std::array<const Argument<Tensor>*, 3> inputs() const { return {&grad_output, &input, &weight}; }
  std::array<const Argument<Tensor>*, 3> outputs() const {
    return {&grad_input, &grad_weight, &grad_bias};
  }

  /// The larger and the smaller feature map of the underlying ordinary convolution.
  const Argument<Tensor>& big() const { return transposed ? grad_output : input; }
  const Argument<Tensor>& small() const { return transposed ? input : grad_output; }

  /// Rank of input.
  std::optional<std::int64_t> rank() const {
    if (!input.value) return std::nullopt;
    return static_cast<std::int64_t>(input.value->view_shape.size());
  }

  /// True if gradOutput, input and weight exist and have one rank, 3, 4 or 5.
  bool ranks_agree() const;

  /// True if none of the three inputs is empty and their axes can be compared.
  bool is_computable() const;

  /// True if input or weight is empty, on a product that knows empty tensors.
  bool on_empty_path() const;
};

inline bool is_empty(const Argument<Tensor>& tensor) {
  return tensor.value &&
         std::ranges::find(tensor.value->view_shape, 0) != tensor.value->view_shape.end();
}

/// Length of axis `axis`, which the tensor must have.
inline std::int64_t length(const Argument<Tensor>& tensor, std::size_t axis) {
  return tensor.value->view_shape[axis];
}

/// The dtype that cubeMathType applies to: the common one of the three inputs, FLOAT for two
/// different wide ones, nullopt where an 8-bit type meets any other.
std::optional<aclDataType> promoted(const Call& call);

bool is_eight_bit(aclDataType type);

/// Values that the call holds, one for each spatial axis.
using ByAxis = std::span<const std::int64_t>;

/// The values of stride or dilation by spatial axis, or nullopt where the length does not fit the
/// rank of input.
std::optional<ByAxis> by_axis(const Call& call, const Argument<Ints>& values);

/// outputPadding by spatial axis; four zeros in 2D mean none.
std::optional<ByAxis> output_padding_by_axis(const Call& call);

/// Padding before and after each spatial axis, as the call holds it: one value for both sides, or
/// one for each.
struct Padding {
  std::span<const std::int64_t> values;
  std::size_t values_per_axis = 1;

  std::int64_t begin(std::size_t axis) const { return values[axis * values_per_axis]; }
  std::int64_t end(std::size_t axis) const { return values[(axis + 1) * values_per_axis - 1]; }
};
std::optional<Padding> padding_by_axis(const Call& call);

/// True if four values in 2D are one for each side.
bool has_four_paddings(const Call& call);

/// Lengths of one spatial axis, and what relates them.
struct AxisSizes {
  std::int64_t big, small, kernel, dilation, padding_begin, padding_end;

  /// Positions the dilated kernel covers.
  operators::Checked window() const;

  /// Positions of the padded feature map.
  operators::Checked padded() const;

  /// Positions that the window can take; nullopt on overflow. The stride is at least 1.
  std::optional<std::int64_t> windows(std::int64_t stride) const;
};

/// Up to three axes.
class SpatialAxes {
 public:
  static constexpr std::size_t most = 3;

  void push_back(const AxisSizes& sizes) { sizes_.at(count_++) = sizes; }
  std::size_t size() const { return count_; }
  const AxisSizes& operator[](std::size_t axis) const { return sizes_[axis]; }

 private:
  std::array<AxisSizes, most> sizes_;
  std::size_t count_ = 0;
};

/// The spatial axes, where ranks and array lengths allow to pair them; otherwise none.
SpatialAxes spatial_axes(const Call& call);

}  // namespace gradproof::kernel::api::parameter_checks
