#include "properties/cases/generators/beaten_paths/network_layer.h"

namespace gradproof::cases {
namespace {

using namespace rows;

constexpr NetworkLayer plane_table[] = {
    // kernel, stride, padding, dilation
    often(square("VGG, ResNet: 3x3 p1", {3, 1, 1}), 280),
    often(channels(square("VGG, ResNet: 3x3 p1", {3, 1, 1}), Colours, Wide), 30),
    often(channels(square("VGG, ResNet: 3x3 p1", {3, 1, 1}), Growth, Growth), 20),
    often(square("pointwise 1x1", {1}), 60),
    often(channels(square("pointwise 1x1", {1}), Wide, ClassCount), 15),
    often(square("ResNet: 3x3 s2 p1", {3, 2, 1}), 25),
    often(channels(square("ResNet: 3x3 s2 p1", {3, 2, 1}), Colours, Wide), 10),
    square("ResNet: shortcut 1x1 s2", {1, 2}),
    channels(square("ResNet: stem 7x7 s2 p3", {7, 2, 3}), Colours, Wide),
    square("AlexNet: 11x11 s4 p2", {11, 4, 2}),
    often(onto(square("LeNet, Inception: 5x5", {5}), Exact), 10),
    often(square("LeNet, Inception: 5x5", {5, 1, 2}), 12),
    onto(square("VGG: 7x7 over the whole map", {7}), OnePlace),
    onto(square("U-Net, Inception: 3x3 without padding", {3}), Exact),
    onto(square("Inception: 3x3 s2 without padding", {3, 2}), Exact),
    often(plane("Inception: 1x7, 7x1", {1}, {7, 1, 3}), 15),
    often(plane("Inception: 1x7, 7x1", {7, 1, 3}, {1}), 15),
    often(plane("Inception: 1x3, 3x1", {1}, {3, 1, 1}), 10),
    often(plane("Inception: 1x3, 3x1", {3, 1, 1}, {1}), 10),
    often(grouped(square("MobileNet: depthwise 3x3", {3, 1, 1}), Depthwise), 35),
    often(grouped(square("MobileNet: depthwise 3x3 s2", {3, 2, 1}), Depthwise), 35),
    often(grouped(square("EfficientNet: depthwise 5x5", {5, 1, 2}), Depthwise), 15),
    often(grouped(square("EfficientNet: depthwise 5x5", {5, 2, 2}), Depthwise), 10),
    often(square("same padding at stride 2, one more at the end", {3, 2, 0, 1, 1}), 15),
    often(grouped(square("same padding at stride 2, one more at the end", {5, 2, 1, 1, 2}),
                  Depthwise),
          8),
    grouped(square("ConvNeXt: depthwise 7x7", {7, 1, 3}), Depthwise),
    square("ConvNeXt, V-Net: 2x2 s2", {2, 2}),
    grouped(square("RepLKNet: depthwise 31x31", {31, 1, 15}), Depthwise),
    often(grouped(square("ResNeXt, AlexNet: 3x3, 5x5 in groups", {3, 1, 1}), Several), 18),
    often(grouped(square("ResNeXt, AlexNet: 3x3, 5x5 in groups", {5, 1, 2}), Several), 8),
    grouped(square("ShuffleNet: 1x1 in groups", {1}), Several),
    often(square("DeepLab: atrous 3x3", {3, 1, 2, 2}), 15),
    often(square("DeepLab: atrous 3x3", {3, 1, 4, 4}), 10),
    often(square("DeepLab: atrous 3x3", {3, 1, 6, 6}), 6),
    often(square("DeepLab: atrous 3x3", {3, 1, 12, 12}), 6),
    square("DCGAN: 4x4 s2 p1", {4, 2, 1}),
    channels(square("PatchGAN: 4x4 p1", {4, 1, 1}), Wide, Single),
    often(channels(square("ViT, CLIP: patches 16x16, 14x14, 8x8", {16, 16}), Colours, Wide), 15),
    often(channels(square("ViT, CLIP: patches 16x16, 14x14, 8x8", {14, 14}), Colours, Wide), 6),
    often(square("ViT, CLIP: patches 16x16, 14x14, 8x8", {8, 8}), 6),
    channels(square("Swin, ConvNeXt: patches 4x4", {4, 4}), Colours, Wide),
    often(channels(square("stems: 6x6 s2, 7x7 s4, 9x9", {6, 2, 2}), Colours, Wide), 8),
    often(channels(square("stems: 6x6 s2, 7x7 s4, 9x9", {7, 4, 3}), Colours, Wide), 8),
    often(channels(square("stems: 6x6 s2, 7x7 s4, 9x9", {9, 1, 4}), Colours, Wide), 8),
    often(plane("GCN, ERFNet, ST-GCN: long or dilated lines", {1}, {15, 1, 7}), 6),
    often(plane("GCN, ERFNet, ST-GCN: long or dilated lines", {15, 1, 7}, {1}), 6),
    often(plane("GCN, ERFNet, ST-GCN: long or dilated lines", {1}, {3, 1, 4, 4}), 6),
    often(plane("GCN, ERFNet, ST-GCN: long or dilated lines", {9, 1, 4}, {1}), 6),
    often(channels(plane("DeepSpeech: 41x11 s2", {41, 2, 20}, {11, 2, 5}), Single, Wide), 26),
    plane("sound as a map of one row: 1x3 s2", {1}, {3, 2, 1}),
    // where a library has been wrong (properties/cases/museum)
    often(square("published bugs: 5x5 s3, depthwise 24", {5, 3, 1}), 5),
    often(channels(grouped(square("published bugs: 5x5 s3, depthwise 24", {3, 2, 1}), Depthwise),
                   Growth, Growth),
          5),
    // transposed
    often(transposed(square("U-Net: T 2x2 s2", {2, 2})), 60),
    often(transposed(square("DCGAN: T 4x4 s2 p1", {4, 2, 1})), 60),
    onto(transposed(square("DCGAN: T 4x4 of one element", {4})), OnePlace),
    often(transposed(square("CycleGAN: T 3x3 s2 p1", {3, 2, 1})), 40),
    onto(transposed(square("StyleGAN: T 3x3 s2", {3, 2})), Exact),
    often(transposed(square("decoders: T 3x3 p1", {3, 1, 1})), 30),
    transposed(square("decoders: T 1x1", {1})),
    transposed(square("decoders: T 5x5 s2 p2", {5, 2, 2})),
    channels(transposed(square("FSRCNN: T 9x9 s4 p4", {9, 4, 4})), Wide, Colours),
    often(grouped(transposed(square("FCN: upsampling T k = 2 s", {4, 2, 1})), Depthwise), 15),
    often(grouped(transposed(square("FCN: upsampling T k = 2 s", {16, 8, 4})), Depthwise), 5),
    often(channels(transposed(square("FCN: upsampling T k = 2 s", {64, 32, 16})), Single, Single),
          3),
    often(transposed(square("MAE, SAM: T patches 4x4, 16x16", {4, 4})), 12),
    often(channels(transposed(square("MAE, SAM: T patches 4x4, 16x16", {16, 16})), Wide, Colours),
          10),
    grouped(transposed(square("decoders: T 3x3 s2 p1 in groups", {3, 2, 1})), Several),
    transposed(plane("sound as a map of one row: T 1x4 s2", {1}, {4, 2, 1})),
};

}  // namespace

std::span<const NetworkLayer> plane_layers() { return plane_table; }

}  // namespace gradproof::cases
