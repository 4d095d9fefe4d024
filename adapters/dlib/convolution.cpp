// dlib::cpu::tensor_conv: 2D, one group, no dilation, the same padding on both sides.
#include <dlib/cuda/cpu_dlib.h>
#include <dlib/cuda/tensor.h>

#include <algorithm>

#include "adapters/floats.h"

namespace gradproof::adapters {
namespace {

using Tensor = dlib::resizable_tensor;

/// Sizes of one group.
struct Part {
  explicit Part(const Convolution& c)
      : h(c.axes[1]),
        w(c.axes[2]),
        batch(c.batch),
        ins(c.big_channels / c.groups),
        outs(c.small_channels / c.groups) {}

  Tensor big(const float* values = nullptr) const {
    return tensor(batch, ins, h.big, w.big, values);
  }
  Tensor small(const float* values = nullptr) const {
    return tensor(batch, outs, h.small, w.small, values);
  }
  Tensor weight(const float* values = nullptr) const {
    return tensor(outs, ins, h.kernel, w.kernel, values);
  }
  Axis h, w;
  std::int64_t batch, ins, outs;

 private:
  static Tensor tensor(std::int64_t n, std::int64_t k, std::int64_t r, std::int64_t c,
                       const float* values) {
    Tensor made(n, k, r, c);
    if (values != nullptr) std::copy_n(values, made.size(), made.host());
    return made;
  }
};

GroupOfChannels bigs_of(const Convolution& c, std::int64_t group) {
  return {c.batch, c.groups, group, c.big_channels / c.groups, big_positions(c)};
}
GroupOfChannels smalls_of(const Convolution& c, std::int64_t group) {
  return {c.batch, c.groups, group, c.small_channels / c.groups, small_positions(c)};
}

/// Calls `compute(layer, part, group, weights of the group)` for each group, the layer set up.
template <typename Compute>
void for_each_group(const Convolution& c, const float* weight, Compute&& compute) {
  const Part part(c);
  const std::int64_t count = part.outs * part.ins * taps(c);
  for (std::int64_t group = 0; group < c.groups; ++group) {
    const Tensor filters = part.weight(weight + group * count);
    dlib::cpu::tensor_conv layer;
    layer.setup(filters, filters, static_cast<int>(part.h.stride), static_cast<int>(part.w.stride),
                static_cast<int>(part.h.pad), static_cast<int>(part.w.pad));
    compute(layer, part, group, filters);
  }
}

bool has_axis(const Axis& axis) {
  constexpr std::int64_t most = 1 << 20;
  if (axis.dilation != 1 && axis.kernel > 1) return false;
  if (axis.pad >= axis.kernel || axis.big > most || axis.kernel > axis.big + 2 * axis.pad) {
    return false;
  }
  return 1 + (axis.big + 2 * axis.pad - axis.kernel) / axis.stride == axis.small;
}

}  // namespace

bool is_supported(aclDataType data_type, const Convolution& c) {
  const Axis& depth = c.axes[0];
  const bool is_flat = depth.big == 1 && depth.kernel == 1 && depth.pad == 0 && depth.stride == 1;
  const bool is_empty = !c.batch || !c.big_channels || !c.small_channels || !big_positions(c) ||
                        !small_positions(c) || !taps(c);
  return data_type == ACL_FLOAT &&
         (is_empty || (is_flat && has_axis(c.axes[1]) && has_axis(c.axes[2])));
}

void convolve(aclDataType, const Convolution& c, const Elements& big, const Elements& weight,
              Elements& small) {
  for_each_group(c, floats(weight),
                 [&](auto& layer, const Part& part, std::int64_t group, const Tensor& filters) {
                   Tensor result = part.small();
                   layer(false, result, part.big(bigs_of(c, group).taken_from(floats(big)).data()),
                         filters);
                   smalls_of(c, group).put_into(floats(small), result.host());
                 });
}

void data_gradient(aclDataType, const Convolution& c, const Elements& small, const Elements& weight,
                   Elements& big) {
  for_each_group(c, floats(weight),
                 [&](auto& layer, const Part& part, std::int64_t group, const Tensor& filters) {
                   Tensor result = part.big();
                   const Tensor gradient =
                       part.small(smalls_of(c, group).taken_from(floats(small)).data());
                   layer.get_gradient_for_data(false, gradient, filters, result);
                   bigs_of(c, group).put_into(floats(big), result.host());
                 });
}

void weight_gradient(aclDataType, const Convolution& c, const Elements& big, const Elements& small,
                     Elements& weight) {
  for_each_group(
      c, floats(weight), [&](auto& layer, const Part& part, std::int64_t group, const Tensor&) {
        Tensor result = part.weight();
        const Tensor gradient = part.small(smalls_of(c, group).taken_from(floats(small)).data());
        const Tensor data = part.big(bigs_of(c, group).taken_from(floats(big)).data());
        layer.get_gradient_for_filters(false, gradient, data, result);
        std::copy_n(result.host(), result.size(),
                    floats(weight) + group * static_cast<std::int64_t>(result.size()));
      });
}

void channel_sums(aclDataType, std::int64_t batch, std::int64_t channels, std::int64_t positions,
                  const Elements& values, Elements& sums) {
  Tensor gradient(batch, channels, 1, positions), result(1, channels, 1, 1);
  std::copy_n(floats(values), gradient.size(), gradient.host());
  dlib::cpu::assign_conv_bias_gradient(result, gradient);
  std::copy_n(result.host(), result.size(), floats(sums));
}

}  // namespace gradproof::adapters
