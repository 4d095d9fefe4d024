#include "properties/cases/generators/beaten_paths/network_layer.h"

namespace gradproof::cases {
namespace {

using namespace rows;

constexpr NetworkLayer line_table[] = {
    // kernel, stride, padding, dilation
    often(line("1D k3 p1", {3, 1, 1}), 40),
    often(line("PointNet, attention: 1D k1", {1}), 40),
    often(line("Whisper, 1D ResNet: k3 s2 p1", {3, 2, 1}), 20),
    channels(line("wav2vec: k10 s5 of a waveform", {10, 5}), Single, Wide),
    onto(line("wav2vec: k3 s2", {3, 2}), Exact),
    line("wav2vec: k2 s2", {2, 2}),
    grouped(line("wav2vec: positions k128 in groups", {128, 1, 64}), Several),
    often(line("WaveNet: k2, dilation 1 to 512", {2, 1, 1, 1}), 8),
    often(line("WaveNet: k2, dilation 1 to 512", {2, 1, 2, 2}), 8),
    often(line("WaveNet: k2, dilation 1 to 512", {2, 1, 8, 8}), 8),
    often(line("WaveNet: k2, dilation 1 to 512", {2, 1, 0, 64}), 8),
    often(line("WaveNet: k2, dilation 1 to 512", {2, 1, 0, 128}), 5),
    often(line("WaveNet: k2, dilation 1 to 512", {2, 1, 0, 512}), 5),
    often(line("TCN: k3 causal, dilated", {3, 1, 2, 1}), 8),
    often(line("TCN: k3 causal, dilated", {3, 1, 4, 2}), 8),
    often(line("TCN: k3 causal, dilated", {3, 1, 16, 8}), 8),
    often(line("HiFi-GAN: k3, k7, k11, dilation 1, 3, 5", {7, 1, 3}), 8),
    often(line("HiFi-GAN: k3, k7, k11, dilation 1, 3, 5", {3, 1, 3, 3}), 8),
    often(line("HiFi-GAN: k3, k7, k11, dilation 1, 3, 5", {11, 1, 25, 5}), 8),
    often(grouped(line("Conv-TasNet: depthwise k3, dilated", {3, 1, 1, 1}), Depthwise), 10),
    often(grouped(line("Conv-TasNet: depthwise k3, dilated", {3, 1, 4, 4}), Depthwise), 10),
    channels(line("Conv-TasNet: encoder k16 s8", {16, 8}), Single, Wide),
    grouped(line("Conformer: depthwise k31 p15", {31, 1, 15}), Depthwise),
    grouped(line("Mamba: depthwise k4 p3", {4, 1, 3}), Depthwise),
    often(onto(line("text: k5, k7 without padding", {5}), Exact), 10),
    often(onto(line("text: k5, k7 without padding", {7}), Exact), 10),
    often(line("speech: k9 p4, k5 p2", {9, 1, 4}), 10),
    often(line("speech: k9 p4, k5 p2", {5, 1, 2}), 10),
    line("ECG: k16 s2", {16, 2, 7}),
    // transposed
    often(transposed(line("1D T k4 s2 p1", {4, 2, 1})), 30),
    often(transposed(line("1D T k2 s2", {2, 2})), 30),
    transposed(line("HiFi-GAN: T k16 s8 p4", {16, 8, 4})),
    often(transposed(line("EnCodec: T k = 2 s", {10, 5})), 10),
    often(transposed(line("EnCodec: T k = 2 s", {8, 4})), 10),
    channels(transposed(line("Conv-TasNet: decoder T k16 s8", {16, 8})), Wide, Single),
    transposed(line("WaveGAN: T k25 s4 p11", {25, 4, 11})),
    transposed(line("1D T k3 s2 p1", {3, 2, 1})),
    transposed(line("1D T k1", {1})),
};

}  // namespace

std::span<const NetworkLayer> line_layers() { return line_table; }

}  // namespace gradproof::cases
