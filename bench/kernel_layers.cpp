#include "bench/kernel_layers.h"

namespace gradproof::bench {
namespace {

Layer square(const char* name, std::int64_t batch, std::int64_t from, std::int64_t to,
             std::int64_t edge, std::int64_t kernel, std::int64_t stride = 1,
             std::int64_t dilation = 1, std::int64_t groups = 1) {
  const std::int64_t padding = dilation * (kernel - 1) / 2;
  return {name,
          2,
          batch,
          groups,
          from,
          to,
          {1, edge, edge},
          {1, kernel, kernel},
          {1, stride, stride},
          {0, padding, padding},
          {1, dilation, dilation}};
}

Layer line(const char* name, std::int64_t channels, std::int64_t length) {
  return {name,           1,         2,         1,         channels, channels,
          {1, 1, length}, {1, 1, 3}, {1, 1, 1}, {0, 0, 1}, {1, 1, 1}};
}

Layer volume(const char* name, std::int64_t channels) {
  return {name,         3,         1,         1,         channels, channels,
          {16, 28, 28}, {3, 3, 3}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
}

const Layer layers[] = {
    square("64>64 k3 56x56", 2, 64, 64, 56, 3),
    square("128>128 k3 28x28", 2, 128, 128, 28, 3),
    square("256>256 k3 14x14", 2, 256, 256, 14, 3),
    square("512>512 k3 7x7", 2, 512, 512, 7, 3),
    square("64>256 k1 56x56", 2, 64, 256, 56, 1),
    square("256>512 k1 s2 56x56", 2, 256, 512, 56, 1, 2),
    square("3>64 k7 s2 224x224", 2, 3, 64, 224, 7, 2),
    square("depthwise 128 k3 28x28", 2, 128, 128, 28, 3, 1, 1, 128),
    volume("32>32 k3 16x28x28 N1", 32),
    line("128>128 k3 L2048", 128, 2048),
    square("128>128 k3 dil2 28x28", 2, 128, 128, 28, 3, 1, 2),
    square("tiny 2>2 k3 5x5 N1", 1, 2, 2, 5, 3),
    square("tiny 4>8 k3 s2 8x8 N1", 1, 4, 8, 8, 3, 2),
    square("tiny depthwise 4 k3 5x5", 1, 4, 4, 5, 3, 1, 1, 4),
};

}  // namespace

std::span<const Layer> kernel_layers() { return layers; }

}  // namespace gradproof::bench
