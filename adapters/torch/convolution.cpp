// ATen's convolution_backward on the CPU, and its convolution for the transposed direction.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <vector>

#include "adapters/convolution.h"

namespace gradproof::adapters {
namespace {

/// Tensors and attributes of a convolution in ATen's terms; axes that a call does not use are left
/// out, so that the same kernels run as in a network.
struct Description {
  Description(aclDataType data_type, const Convolution& c)
      : options(at::TensorOptions().dtype(data_type == ACL_BF16 ? at::kBFloat16 : at::kFloat)),
        groups(c.groups),
        big{c.batch, c.big_channels},
        small{c.batch, c.small_channels},
        weight{c.small_channels, c.big_channels / c.groups} {
    for (std::size_t i = first_axis(c); i < 3; ++i) add(c.axes.at(i));
  }
  at::Tensor tensor(const std::vector<std::int64_t>& shape, const Elements& elements) const {
    return at::from_blob(const_cast<std::byte*>(elements.data()), shape, options);
  }

  at::TensorOptions options;
  std::int64_t groups;
  std::vector<std::int64_t> big, small, weight, stride, padding, dilation;

 private:
  static bool is_idle(const Axis& axis) {
    return axis.big == 1 && axis.kernel == 1 && axis.small == 1 && axis.pad == 0;
  }
  static std::size_t first_axis(const Convolution& c) {
    if (!is_idle(c.axes[0])) return 0;
    return is_idle(c.axes[1]) ? 2 : 1;
  }
  void add(const Axis& axis) {
    big.push_back(axis.big);
    small.push_back(axis.small);
    weight.push_back(axis.kernel);
    stride.push_back(axis.stride);
    padding.push_back(axis.pad);
    dilation.push_back(axis.dilation);
  }
};

void put(const at::Tensor& result, Elements& elements) {
  const at::Tensor dense = result.contiguous();
  const auto* first = static_cast<const std::byte*>(dense.data_ptr());
  std::copy_n(first, elements.size(), elements.data());
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> gradients(const Description& d,
                                                         const at::Tensor& small,
                                                         const at::Tensor& big,
                                                         const at::Tensor& weight,
                                                         std::array<bool, 3> mask) {
  return at::convolution_backward(small, big, weight, c10::nullopt, d.stride, d.padding, d.dilation,
                                  false, std::vector<std::int64_t>(d.stride.size(), 0), d.groups,
                                  mask);
}

/// Paddings are the same on both sides.
bool has_axis(const Axis& axis) {
  const std::int64_t room = axis.big + 2 * axis.pad - axis.dilation * (axis.kernel - 1) - 1;
  return room >= 0 && room / axis.stride + 1 == axis.small;
}

}  // namespace

bool is_supported(aclDataType data_type, const Convolution& c) {
  if (data_type != ACL_FLOAT && data_type != ACL_BF16) return false;
  at::set_num_threads(1);
  const bool is_empty = !c.batch || !c.big_channels || !c.small_channels || !big_positions(c) ||
                        !small_positions(c) || !taps(c);
  return is_empty || std::ranges::all_of(c.axes, has_axis);
}

void convolve(aclDataType data_type, const Convolution& c, const Elements& big,
              const Elements& weight, Elements& small) {
  const Description d(data_type, c);
  put(at::convolution(d.tensor(d.big, big), d.tensor(d.weight, weight), {}, d.stride, d.padding,
                      d.dilation, false, std::vector<std::int64_t>(d.stride.size(), 0), d.groups),
      small);
}

void data_gradient(aclDataType data_type, const Convolution& c, const Elements& small,
                   const Elements& weight, Elements& big) {
  const Description d(data_type, c);
  const auto computed = gradients(d, d.tensor(d.small, small), at::zeros(d.big, d.options),
                                  d.tensor(d.weight, weight), {true, false, false});
  put(std::get<0>(computed), big);
}

void weight_gradient(aclDataType data_type, const Convolution& c, const Elements& big,
                     const Elements& small, Elements& weight) {
  const Description d(data_type, c);
  const auto computed = gradients(d, d.tensor(d.small, small), d.tensor(d.big, big),
                                  at::zeros(d.weight, d.options), {false, true, false});
  put(std::get<1>(computed), weight);
}

void channel_sums(aclDataType data_type, std::int64_t batch, std::int64_t channels,
                  std::int64_t positions, const Elements& values, Elements& sums) {
  const auto options =
      at::TensorOptions().dtype(data_type == ACL_BF16 ? at::kBFloat16 : at::kFloat);
  const at::Tensor all =
      at::from_blob(const_cast<std::byte*>(values.data()), {batch, channels, positions}, options);
  put(all.sum(std::vector<std::int64_t>{0, 2}), sums);
}

}  // namespace gradproof::adapters
