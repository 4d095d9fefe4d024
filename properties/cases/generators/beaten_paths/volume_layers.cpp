#include "properties/cases/generators/beaten_paths/network_layer.h"

namespace gradproof::cases {
namespace {

using namespace rows;

constexpr NetworkLayer volume_table[] = {
    // kernel, stride, padding, dilation
    often(cube("C3D, 3D U-Net: 3x3x3 p1", {3, 1, 1}), 100),
    channels(cube("C3D, 3D U-Net: 3x3x3 p1", {3, 1, 1}), Colours, Wide),
    often(cube("pointwise 1x1x1", {1}), 40),
    cube("3D ResNet: 1x1x1 s2", {1, 2}),
    often(cube("3D ResNet: 3x3x3 s2 p1", {3, 2, 1}), 25),
    channels(cube("I3D: stem 7x7x7 s2 p3", {7, 2, 3}), Colours, Wide),
    channels(volume("C3D: stem 3x7x7", {3, 1, 1}, {7, 2, 3}, {7, 2, 3}), Colours, Wide),
    often(volume("R(2+1)D: 1x3x3", {1}, {3, 1, 1}, {3, 1, 1}), 40),
    often(volume("R(2+1)D: 3x1x1", {3, 1, 1}, {1}, {1}), 40),
    often(volume("R(2+1)D: 1x3x3 s1x2x2", {1}, {3, 2, 1}, {3, 2, 1}), 28),
    channels(volume("R(2+1)D: stem 1x7x7", {1}, {7, 2, 3}, {7, 2, 3}), Colours, Wide),
    volume("SlowFast: lateral 5x1x1 s4", {5, 4, 2}, {1}, {1}),
    channels(volume("SlowFast: stem 5x7x7", {5, 1, 2}, {7, 2, 3}, {7, 2, 3}), Colours, Wide),
    often(grouped(cube("X3D: depthwise 3x3x3", {3, 1, 1}), Depthwise), 25),
    grouped(volume("X3D: depthwise 5x1x1", {5, 1, 2}, {1}, {1}), Depthwise),
    grouped(cube("3D ResNeXt: 3x3x3 in groups", {3, 1, 1}), Several),
    onto(cube("3D U-Net: 3x3x3 without padding", {3}), Exact),
    cube("V-Net: 5x5x5 p2", {5, 1, 2}),
    cube("V-Net: 2x2x2 s2", {2, 2}),
    cube("3D GAN: 4x4x4 s2 p1", {4, 2, 1}),
    cube("atrous 3x3x3", {3, 1, 2, 2}),
    channels(volume("ViViT: tubelets 2x16x16", {2, 2}, {16, 16}, {16, 16}), Colours, Wide),
    channels(volume("video Swin: patches 2x4x4", {2, 2}, {4, 4}, {4, 4}), Colours, Wide),
    onto(volume("video VAE: causal 3x3x3", {3}, {3, 1, 1}, {3, 1, 1}), Exact),
    often(volume("2D in a volume: 1x1x7, 1x7x1", {1}, {1}, {7, 1, 3}), 10),
    often(volume("2D in a volume: 1x1x7, 1x7x1", {1}, {7, 1, 3}, {1}), 10),
    // transposed
    often(transposed(cube("3D U-Net: T 2x2x2 s2", {2, 2})), 60),
    often(transposed(cube("3D GAN: T 4x4x4 s2 p1", {4, 2, 1})), 40),
    often(onto(transposed(cube("3D GAN: T 4x4x4 of one element", {4})), OnePlace), 20),
    often(transposed(cube("3D U-Net: T 3x3x3 s2 p1", {3, 2, 1})), 30),
    often(transposed(volume("nnU-Net: T 1x2x2", {1}, {2, 2}, {2, 2})), 25),
    transposed(cube("decoders: T 3x3x3 p1", {3, 1, 1})),
    transposed(cube("decoders: T 1x1x1", {1})),
    transposed(volume("video: T 4x1x1 s2 p1", {4, 2, 1}, {1}, {1})),
};

}  // namespace

std::span<const NetworkLayer> volume_layers() { return volume_table; }

std::span<const NetworkLayer> network_layers(std::size_t axes) {
  if (axes == 1) return line_layers();
  return axes == 2 ? plane_layers() : volume_layers();
}

}  // namespace gradproof::cases
