#include "adapters/forward.h"

#include <opencv2/dnn.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace gradproof::adapters {
namespace {

/// OpenCV tells 2D from 3D by the number of axes.
std::size_t first_axis(const Forward& forward) {
  const Forward::Axis& depth = forward.axes[0];
  const bool is_flat = depth.in == 1 && depth.kernel == 1 && depth.pad == 0 && depth.stride == 1;
  return is_flat ? 1 : 0;
}

cv::dnn::DictValue along(const Forward& forward, std::int64_t Forward::Axis::*member) {
  std::vector<int> values;
  for (std::size_t i = first_axis(forward); i < 3; ++i) {
    values.push_back(static_cast<int>(forward.axes.at(i).*member));
  }
  return cv::dnn::DictValue::arrayInt(values.data(), static_cast<int>(values.size()));
}

std::vector<int> shape_of(const Forward& forward, std::int64_t first, std::int64_t second,
                          std::int64_t Forward::Axis::*member) {
  std::vector<int> shape{static_cast<int>(first), static_cast<int>(second)};
  for (std::size_t i = first_axis(forward); i < 3; ++i) {
    shape.push_back(static_cast<int>(forward.axes.at(i).*member));
  }
  return shape;
}

/// OpenCV keeps no reference to the elements beyond the call, and changes none.
cv::Mat view_of(const std::vector<int>& shape, const float* elements) {
  return {shape, CV_32F, const_cast<float*>(elements)};
}

}  // namespace

bool can_forward(const Forward& forward) {
  return std::ranges::all_of(forward.axes, [](const Forward::Axis& axis) {
    return axis.in < std::numeric_limits<int>::max() / 2 && axis.stride < (1 << 30);
  });
}

void run_forward(const Forward& forward, const float* in, const float* weight, float* out) {
  cv::dnn::LayerParams layer;
  layer.name = "convolution";
  layer.type = "Convolution";
  layer.set("kernel_size", along(forward, &Forward::Axis::kernel));
  layer.set("stride", along(forward, &Forward::Axis::stride));
  layer.set("dilation", along(forward, &Forward::Axis::dilation));
  layer.set("pad", along(forward, &Forward::Axis::pad));
  layer.set("num_output", static_cast<int>(forward.out_channels));
  layer.set("group", static_cast<int>(forward.groups));
  layer.set("bias_term", false);
  layer.blobs.push_back(
      view_of(shape_of(forward, forward.out_channels, forward.in_channels / forward.groups,
                       &Forward::Axis::kernel),
              weight)
          .clone());
  cv::dnn::Net net;
  net.addLayerToPrev(layer.name, layer.type, layer);
  net.setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
  net.setInput(
      view_of(shape_of(forward, forward.batch, forward.in_channels, &Forward::Axis::in), in));
  const cv::Mat result = net.forward();
  std::copy_n(result.ptr<float>(), result.total(), out);
}

}  // namespace gradproof::adapters
