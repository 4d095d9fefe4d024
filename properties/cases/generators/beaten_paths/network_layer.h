#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace gradproof::cases {

/// One spatial axis of a layer: what its positions read. `padding_end` below 0: as the begin.
struct LayerWindow {
  std::int64_t kernel = 1, stride = 1, padding = 0, dilation = 1, padding_end = -1;

  constexpr std::int64_t end() const { return padding_end < 0 ? padding : padding_end; }
};

/// Ways in which a side of a layer counts its channels.
enum class LayerChannels : std::uint8_t {
  Wide,        ///< multiples of 8, 16, 24, 32, 64; at times one more or one less
  Growth,      ///< multiples of 12, as DenseNet adds them
  Colours,     ///< 1 to 4: an image, a spectrogram
  Single,      ///< 1: a waveform, a mask
  ClassCount,  ///< as many as there are classes or anchors: 10, 19, 21, 85 ...
};

/// Groups of a layer; Several: 2 to 32, of some channels each.
enum class LayerGroups : std::uint8_t { One, Depthwise, Several };

/// Change by the layer to the length of the larger map.
enum class LayerMap : std::uint8_t {
  Multiple,  ///< it is a multiple of the stride: halved or doubled exactly
  Exact,     ///< every element is reached: nothing is left over
  OnePlace,  ///< the kernel takes the whole map: one position
};

/// A layer that real networks have: attributes jointly, sizes by class.
struct NetworkLayer {
  std::string_view family;  ///< networks, and what tells the layer from their others
  bool transposed = false;
  std::size_t axes = 2;                  ///< spatial: 1, 2 or 3
  std::array<LayerWindow, 3> windows{};  ///< the first `axes` count: L, H W or D H W
  LayerGroups groups = LayerGroups::One;
  LayerChannels in = LayerChannels::Wide, out = LayerChannels::Wide;
  LayerMap map = LayerMap::Multiple;
  std::int64_t weight = 20;  ///< how often it is drawn, among layers of its axes and direction
};

/// The tables: a row is a layer, a family has one or more of them.
std::span<const NetworkLayer> line_layers();    ///< 1D: sound, text, time series, points
std::span<const NetworkLayer> plane_layers();   ///< 2D
std::span<const NetworkLayer> volume_layers();  ///< 3D: video, medicine

/// Layers with so many spatial axes.
std::span<const NetworkLayer> network_layers(std::size_t axes);

/// Parts of a row, so that it says only what is special about it.
namespace rows {

using enum LayerChannels;
using enum LayerGroups;
using enum LayerMap;

constexpr NetworkLayer layer(std::string_view family, std::size_t axes,
                             std::array<LayerWindow, 3> windows) {
  NetworkLayer made;
  made.family = family;
  made.axes = axes;
  made.windows = windows;
  return made;
}

constexpr NetworkLayer line(std::string_view family, LayerWindow along) {
  return layer(family, 1, {along});
}
constexpr NetworkLayer plane(std::string_view family, LayerWindow h, LayerWindow w) {
  return layer(family, 2, {h, w});
}
constexpr NetworkLayer square(std::string_view family, LayerWindow both) {
  return plane(family, both, both);
}
constexpr NetworkLayer volume(std::string_view family, LayerWindow d, LayerWindow h,
                              LayerWindow w) {
  return layer(family, 3, {d, h, w});
}
constexpr NetworkLayer cube(std::string_view family, LayerWindow each) {
  return volume(family, each, each, each);
}

constexpr NetworkLayer transposed(NetworkLayer row) {
  row.transposed = true;
  return row;
}
constexpr NetworkLayer grouped(NetworkLayer row, LayerGroups groups) {
  row.groups = groups;
  return row;
}
constexpr NetworkLayer channels(NetworkLayer row, LayerChannels in, LayerChannels out) {
  row.in = in;
  row.out = out;
  return row;
}
constexpr NetworkLayer onto(NetworkLayer row, LayerMap map) {
  row.map = map;
  return row;
}
constexpr NetworkLayer often(NetworkLayer row, std::int64_t weight) {
  row.weight = weight;
  return row;
}

}  // namespace rows

}  // namespace gradproof::cases
