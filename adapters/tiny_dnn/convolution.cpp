// tiny-dnn's own kernel: 2D, one group, no dilation; it sees a map with its padding around it.
#include <tiny_dnn/util/util.h>

// These do not include what they need: the order counts.
#include <tiny_dnn/util/product.h>

#include <tiny_dnn/core/params/conv_params.h>

#include <tiny_dnn/core/kernels/conv2d_op_internal.h>

#include <algorithm>

#include "adapters/floats.h"

namespace gradproof::adapters {
namespace {

using tiny_dnn::tensor_t;
using tiny_dnn::vec_t;
using Shape = tiny_dnn::shape3d;  // width, height, channels

tiny_dnn::serial_size_t size(std::int64_t value) {
  return static_cast<tiny_dnn::serial_size_t>(value);
}

/// Length of the part of an axis that the positions see, from -pad on.
std::int64_t seen(const Axis& axis) {
  return (axis.small - 1) * axis.stride + (axis.kernel - 1) * axis.dilation + 1;
}

/// One group.
class Part {
 public:
  explicit Part(const Convolution& c) : c_(c) {
    parameters_.in_padded = Shape(size(seen(w())), size(seen(h())), size(ins()));
    parameters_.in = parameters_.in_padded;
    parameters_.out = Shape(size(w().small), size(h().small), size(outs()));
    parameters_.weight = Shape(size(w().kernel), size(h().kernel), size(ins() * outs()));
    parameters_.has_bias = false;
    parameters_.w_stride = size(w().stride);
    parameters_.h_stride = size(h().stride);
  }
  std::int64_t ins() const { return c_.big_channels / c_.groups; }
  std::int64_t outs() const { return c_.small_channels / c_.groups; }
  const tiny_dnn::core::conv_params& parameters() const { return parameters_; }

  GroupOfChannels bigs(std::int64_t group) const {
    return {c_.batch, c_.groups, group, ins(), big_positions(c_)};
  }
  GroupOfChannels smalls(std::int64_t group) const {
    return {c_.batch, c_.groups, group, outs(), small_positions(c_)};
  }

  /// A vector for each sample.
  tensor_t samples(const Floats& values) const {
    const std::size_t each = values.size() / static_cast<std::size_t>(c_.batch);
    tensor_t tensor;
    for (auto at = values.begin(); at != values.end(); at += static_cast<std::ptrdiff_t>(each)) {
      tensor.emplace_back(at, at + static_cast<std::ptrdiff_t>(each));
    }
    return tensor;
  }
  tensor_t padded(const Floats& values) const {
    tensor_t tensor = zeros(parameters_.in_padded);
    for_each_element(
        [&](std::size_t n, std::size_t at, std::size_t value) { tensor[n][at] = values[value]; });
    return tensor;
  }
  Floats without_padding(const tensor_t& tensor) const {
    Floats values(static_cast<std::size_t>(c_.batch * ins() * big_positions(c_)));
    for_each_element(
        [&](std::size_t n, std::size_t at, std::size_t value) { values[value] = tensor[n][at]; });
    return values;
  }
  tensor_t zeros(const Shape& shape) const {
    return tensor_t(static_cast<std::size_t>(c_.batch), vec_t(shape.size()));
  }

 private:
  const Axis& h() const { return c_.axes[1]; }
  const Axis& w() const { return c_.axes[2]; }

  /// Visits each map element that positions reach: sample, place in the padded map, place of all.
  template <typename Visit>
  void for_each_element(Visit&& visit) const {
    for (std::int64_t i = 0, count = c_.batch * ins() * big_positions(c_); i < count; ++i) {
      const std::int64_t x = i % w().big + w().pad, y = i / w().big % h().big + h().pad;
      const std::int64_t slice = i / w().big / h().big;
      if (x >= seen(w()) || y >= seen(h())) continue;
      const auto at = ((slice % ins()) * seen(h()) + y) * seen(w()) + x;
      visit(static_cast<std::size_t>(slice / ins()), static_cast<std::size_t>(at),
            static_cast<std::size_t>(i));
    }
  }

  const Convolution& c_;
  tiny_dnn::core::conv_params parameters_;
};

/// Both gradients of a group, as the library computes them.
struct Gradients {
  tensor_t data, weight;
};

Gradients gradients_of(const Part& part, const tensor_t& data, const vec_t& weight,
                       tensor_t small) {
  Gradients gradients{part.zeros(part.parameters().in_padded),
                      part.zeros(part.parameters().weight)};
  tensor_t bias = part.zeros(Shape(1, 1, size(part.outs())));
  tiny_dnn::kernels::conv2d_op_internal(data, weight, gradients.weight, bias, small, gradients.data,
                                        part.parameters(), false);
  return gradients;
}

}  // namespace

bool is_supported(aclDataType data_type, const Convolution& c) {
  constexpr std::int64_t most = 1 << 20;
  const auto has_axis = [](const Axis& axis) {
    return (axis.dilation == 1 || axis.kernel == 1) && seen(axis) < most;
  };
  const Axis& depth = c.axes[0];
  const bool is_flat = depth.big == 1 && depth.kernel == 1 && depth.pad == 0 && depth.stride == 1;
  return data_type == ACL_FLOAT && is_flat && has_axis(c.axes[1]) && has_axis(c.axes[2]);
}

void convolve(aclDataType, const Convolution& c, const Elements& big, const Elements& weight,
              Elements& small) {
  const Part part(c);
  const std::int64_t count = part.outs() * part.ins() * taps(c);
  for (std::int64_t group = 0; group < c.groups; ++group) {
    const float* first = floats(weight) + group * count;
    tensor_t result = part.zeros(part.parameters().out);
    tiny_dnn::kernels::conv2d_op_internal(part.padded(part.bigs(group).taken_from(floats(big))),
                                          vec_t(first, first + count), vec_t(), result,
                                          part.parameters(), false);
    Floats all;
    for (const vec_t& sample : result) all.insert(all.end(), sample.begin(), sample.end());
    part.smalls(group).put_into(floats(small), all.data());
  }
}

void data_gradient(aclDataType, const Convolution& c, const Elements& small, const Elements& weight,
                   Elements& big) {
  const Part part(c);
  const std::int64_t count = part.outs() * part.ins() * taps(c);
  for (std::int64_t group = 0; group < c.groups; ++group) {
    const float* first = floats(weight) + group * count;
    const auto gradients =
        gradients_of(part, part.zeros(part.parameters().in_padded), vec_t(first, first + count),
                     part.samples(part.smalls(group).taken_from(floats(small))));
    part.bigs(group).put_into(floats(big), part.without_padding(gradients.data).data());
  }
}

void weight_gradient(aclDataType, const Convolution& c, const Elements& big, const Elements& small,
                     Elements& weight) {
  const Part part(c);
  const std::int64_t count = part.outs() * part.ins() * taps(c);
  for (std::int64_t group = 0; group < c.groups; ++group) {
    const auto gradients = gradients_of(part, part.padded(part.bigs(group).taken_from(floats(big))),
                                        vec_t(static_cast<std::size_t>(count)),
                                        part.samples(part.smalls(group).taken_from(floats(small))));
    float* result = floats(weight) + group * count;
    for (const vec_t& sample : gradients.weight) {  // as its layers add them up
      for (std::int64_t i = 0; i < count; ++i) result[i] += sample[static_cast<std::size_t>(i)];
    }
  }
}

void channel_sums(aclDataType, std::int64_t batch, std::int64_t channels, std::int64_t positions,
                  const Elements& values, Elements& sums) {
  add_up(batch, channels, positions, floats(values), floats(sums));
}

}  // namespace gradproof::adapters
