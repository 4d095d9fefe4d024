#pragma once

#include <array>
#include <cstdint>

#include "oracle/geometry/geometry.h"

namespace gradproof::bench {

/// A convolution of square images, padded so that a stride of 1 keeps the edge.
struct SquareConvolution {
  std::int64_t channels, filters;
  std::int64_t edge;  ///< of the input
  std::int64_t kernel = 1, stride = 1;

  std::int64_t padding() const { return kernel / 2; }
  std::int64_t output_edge() const { return (edge + 2 * padding() - kernel) / stride + 1; }
};

struct OracleLayer {
  const char* name;
  SquareConvolution sizes;
};

inline oracle::Geometry geometry_of(const OracleLayer& layer, std::int64_t batch) {
  oracle::Geometry geometry;
  geometry.batch = batch;
  geometry.big_channels = layer.sizes.channels;
  geometry.small_channels = layer.sizes.filters;
  for (const std::size_t axis : {1, 2}) {
    geometry.axes.at(axis) = {.big = layer.sizes.edge,
                              .small = layer.sizes.output_edge(),
                              .kernel = layer.sizes.kernel,
                              .stride = layer.sizes.stride,
                              .padding_begin = layer.sizes.padding()};
  }
  return geometry;
}

inline std::int64_t mac_count(const OracleLayer& layer, std::int64_t batch) {
  const SquareConvolution& sizes = layer.sizes;
  const std::int64_t positions = sizes.output_edge() * sizes.output_edge();
  return batch * sizes.filters * positions * sizes.channels * sizes.kernel * sizes.kernel;
}

/// The distinct convolutions of ResNet-50, strides where its authors put them.
/// Source: K. He et al., Deep residual learning for image recognition, CVPR 2016, table 1.
inline constexpr std::array<OracleLayer, 20> resnet50_layers{{
    {"conv1", {3, 64, 224, 7, 2}},       {"res2a_1", {64, 256, 56}},
    {"res2a_2a", {64, 64, 56}},          {"res2a_2b", {64, 64, 56, 3}},
    {"res2b_2a", {256, 64, 56}},         {"res3a_1", {256, 512, 56, 1, 2}},
    {"res3a_2a", {256, 128, 56, 1, 2}},  {"res3a_2b", {128, 128, 28, 3}},
    {"res3a_2c", {128, 512, 28}},        {"res3b_2a", {512, 128, 28}},
    {"res4a_1", {512, 1024, 28, 1, 2}},  {"res4a_2a", {512, 256, 28, 1, 2}},
    {"res4a_2b", {256, 256, 14, 3}},     {"res4a_2c", {256, 1024, 14}},
    {"res4b_2a", {1024, 256, 14}},       {"res5a_1", {1024, 2048, 14, 1, 2}},
    {"res5a_2a", {1024, 512, 14, 1, 2}}, {"res5a_2b", {512, 512, 7, 3}},
    {"res5a_2c", {512, 2048, 7}},        {"res5b_2a", {2048, 512, 7}},
}};

}  // namespace gradproof::bench
