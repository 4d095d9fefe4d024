// gradInput of a 3D convolution by a kernel written in Ascend C, on the simulated cores: once
// straight into the tensor, once through a scratch tile of the block, on three shapes.
//   g++ -std=c++17 conv3d_backprop_input.cpp -lascendc_runtime -ltiling_api -lascendcl
#include <acl/acl.h>
#include <kernel_launcher.h>
#include <kernel_operator.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "lib/conv_backprop/conv3d_bp_input_api.h"
#include "lib/conv_backprop/conv3d_bp_input_tiling.h"

using Tiling = AscendC::tiling::TConv3DBackpropInputTiling;
using ConvCommonApi::ConvFormat;

// ---- the kernel

constexpr uint64_t up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit; }

// One core's share of gradInput. Whole rows of one D slice, and some blocks of channels, at a time.
template <ConvFormat gradInputFormat>
class GradInputKernel {
 public:
  __aicore__ inline void Init(GM_ADDR gradOutput, GM_ADDR weight, GM_ADDR gradInput,
                              GM_ADDR scratch, const Tiling* tiling) {
    tiling_ = tiling;
    const Tiling& t = *tiling;
    gradOutputGm_.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(gradOutput),
                                  uint64_t{t.batch} * t.dout * t.cout1 * t.ho * t.wo * t.c0);
    weightGm_.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(weight),
                              uint64_t{t.dk} * t.cin1 * WeightBlock());
    gradInputGm_.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(gradInput),
                                 uint64_t{t.batch} * t.di * t.cin1 * Plane());
    scratchGm_.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(scratch),
                               AscendC::GetBlockNum() * TileSize());
    gradInput_.Init(tiling);
  }

  __aicore__ inline void Process() {
    const Tiling& t = *tiling_;
    const uint64_t rowParts = up(uint64_t{t.hi} * t.wi, t.singleCoreM);
    const uint64_t channelParts = up(t.cin, t.singleCoreCin);
    const uint64_t tasks = uint64_t{t.batch} * t.di * rowParts * channelParts;
    for (uint64_t task = AscendC::GetBlockIdx(); task < tasks; task += AscendC::GetBlockNum()) {
      const uint64_t slice = task / channelParts / rowParts;
      Compute(static_cast<uint32_t>(slice / t.di), static_cast<uint32_t>(slice % t.di),
              task / channelParts % rowParts * t.singleCoreM,
              task % channelParts * t.singleCoreCin);
    }
    gradInput_.End();
  }

 private:
  // Elements of one plane of gradInput, of one block of channels of the weight, of a tile.
  uint64_t Plane() const { return uint64_t{tiling_->hi} * tiling_->wi * tiling_->c0; }
  uint64_t WeightBlock() const {
    return uint64_t{tiling_->hk} * tiling_->wk * up(tiling_->cout1 * tiling_->c0, 16) * 16 *
           tiling_->c0;
  }
  uint64_t TileSize() const { return uint64_t{tiling_->baseM} * tiling_->baseN; }

  __aicore__ inline void Compute(uint32_t batch, uint32_t dinStartIdx, uint64_t mStart,
                                 uint64_t nStart) {
    const Tiling& t = *tiling_;
    const uint64_t m = std::min(t.singleCoreM, uint64_t{t.hi} * t.wi - mStart);
    const uint64_t k = uint64_t{t.cout1} * t.dk * t.hk * t.wk * t.c0;
    const auto n = static_cast<uint32_t>(std::min(t.singleCoreCin, t.cin - nStart));
    const int64_t hoStart = static_cast<int64_t>(mStart / t.wi) - t.backpropPadUp;
    const uint64_t alignedHo = hoStart < 0 ? 0 : up(static_cast<uint64_t>(hoStart), t.strideH);

    const uint64_t offsetA = (uint64_t{batch} * t.dout * t.cout1 * t.ho + alignedHo) * t.wo * t.c0;
    const uint64_t offsetB = nStart / t.c0 * WeightBlock();
    const uint64_t offsetC =
        (uint64_t{batch} * t.di * t.cin1 + nStart / t.c0) * Plane() + mStart * t.c0;

    gradInput_.SetSingleShape(m, k, n);
    gradInput_.SetStartPosition(dinStartIdx, static_cast<int32_t>(hoStart));
    gradInput_.SetGradOutput(gradOutputGm_[offsetA]);
    gradInput_.SetWeight(weightGm_[offsetB]);
    if constexpr (gradInputFormat == ConvFormat::NDC1HWC0) {
      while (gradInput_.Iterate()) {
        gradInput_.GetTensorC(gradInputGm_[offsetC]);
      }
    } else {
      ComputeThroughScratch(offsetC + dinStartIdx * t.cin1 * Plane(), m, up(n, t.c0));
    }
    gradInput_.ctx.isFirstIter_ = true;
  }

  // Tiles arrive in the block's own tile: a block of channels after the other, baseM positions
  // each. From there they go to their place, element by element.
  __aicore__ inline void ComputeThroughScratch(uint64_t offset, uint64_t m,
                                               uint64_t channelBlocks) {
    const Tiling& t = *tiling_;
    AscendC::GlobalTensor<half> tile = scratchGm_[AscendC::GetBlockIdx() * TileSize()];
    const uint64_t mTiles = up(m, t.baseM);
    for (uint64_t i = 0; gradInput_.Iterate(); ++i) {
      // A tile that nothing contributes to is not written.
      for (uint64_t e = 0; e < TileSize(); ++e) tile.SetValue(e, half(0.0F));
      gradInput_.GetTensorC(scratchGm_);
      const uint64_t mFirst = i % mTiles * t.baseM;  // ORDER_N: M runs fastest
      const uint64_t firstBlock = i / mTiles * (t.baseN / t.c0);
      const uint64_t blocks = std::min<uint64_t>(t.baseN / t.c0, channelBlocks - firstBlock);
      const uint64_t count = std::min<uint64_t>(t.baseM, m - mFirst) * t.c0;
      for (uint64_t block = 0; block < blocks; ++block) {
        const uint64_t to = offset + (firstBlock + block) * Plane() + mFirst * t.c0;
        for (uint64_t e = 0; e < count; ++e) {
          gradInputGm_.SetValue(to + e, tile.GetValue(block * t.baseM * t.c0 + e));
        }
      }
    }
  }

  using weightDxType =
      ConvBackpropApi::ConvType<ConvCommonApi::TPosition::GM, ConvFormat::FRACTAL_Z_3D, half>;
  using inputSizeDxType =
      ConvBackpropApi::ConvType<ConvCommonApi::TPosition::GM, ConvFormat::ND, int32_t>;
  using gradOutputDxType =
      ConvBackpropApi::ConvType<ConvCommonApi::TPosition::GM, ConvFormat::NDC1HWC0, half>;
  using gradInputDxType =
      ConvBackpropApi::ConvType<ConvCommonApi::TPosition::GM, gradInputFormat, half>;
  ConvBackpropApi::Conv3DBackpropInput<weightDxType, inputSizeDxType, gradOutputDxType,
                                       gradInputDxType>
      gradInput_;

  const Tiling* tiling_ = nullptr;
  AscendC::GlobalTensor<half> gradOutputGm_, weightGm_, gradInputGm_, scratchGm_;
};

template <ConvFormat gradInputFormat>
__global__ __aicore__ void grad_input_kernel(GM_ADDR gradOutput, GM_ADDR weight, GM_ADDR gradInput,
                                             GM_ADDR scratch, Tiling tiling) {
  GradInputKernel<gradInputFormat> kernel;
  kernel.Init(gradOutput, weight, gradInput, scratch, &tiling);
  kernel.Process();
}

// ---- the host

constexpr uint32_t blockCount = 24;

void require(bool holds, const char* what) {
  if (holds) return;
  const char* words = aclGetRecentErrMsg();
  std::fprintf(stderr, "%s failed\n%s\n", what, words == nullptr ? "" : words);
  std::exit(1);
}

struct Axis {
  int64_t input, kernel, stride, padding, dilation;
  int64_t output() const {
    return (input + 2 * padding - (kernel - 1) * dilation - 1) / stride + 1;
  }
  // The output that reads `position` with `tap`, or -1.
  int64_t reading(int64_t position, int64_t tap) const {
    const int64_t spread = position + padding - tap * dilation;
    return spread >= 0 && spread % stride == 0 && spread / stride < output() ? spread / stride : -1;
  }
};

struct Convolution {
  const char* name;
  int64_t batch, cout, cin;
  Axis d, h, w;
};

const Convolution shapes[] = {
    {"tails of M and N", 1, 35, 20, {3, 3, 1, 1, 1}, {17, 3, 1, 1, 1}, {19, 3, 1, 1, 1}},
    {"holes of the stride", 1, 16, 16, {3, 1, 1, 0, 1}, {9, 1, 3, 0, 1}, {11, 1, 2, 0, 1}},
    {"a batch of 3", 3, 20, 40, {5, 2, 2, 0, 1}, {8, 3, 2, 1, 1}, {10, 3, 1, 2, 2}},
};

// The tensors by logical index (n, c, d, h, w), and where their elements lie in private layouts.
struct Tensor {
  int64_t n, c, d, h, w;
  std::vector<float> values;

  Tensor(int64_t n_, int64_t c_, int64_t d_, int64_t h_, int64_t w_)
      : n(n_), c(c_), d(d_), h(h_), w(w_), values(static_cast<size_t>(n * c * d * h * w)) {}
  size_t at(int64_t in, int64_t ic, int64_t id, int64_t ih, int64_t iw) const {
    return static_cast<size_t>((((in * c + ic) * d + id) * h + ih) * w + iw);
  }
};

constexpr int64_t c0 = 16;

size_t ndc1hwc0(const Tensor& x, int64_t n, int64_t c, int64_t d, int64_t h, int64_t w) {
  const int64_t c1 = (x.c + c0 - 1) / c0;
  return static_cast<size_t>(((((n * x.d + d) * c1 + c / c0) * x.h + h) * x.w + w) * c0 + c % c0);
}

size_t fractal_z_3d(const Tensor& x, int64_t n, int64_t c, int64_t d, int64_t h, int64_t w) {
  const int64_t c1 = (x.c + c0 - 1) / c0, n1 = (x.n + 15) / 16;
  return static_cast<size_t>(((((d * c1 + c / c0) * x.h + h) * x.w + w) * n1 * 16 + n) * c0 +
                             c % c0);
}

template <typename Visit>
void for_each(const Tensor& x, const Visit& visit) {
  for (int64_t n = 0; n < x.n; ++n)
    for (int64_t c = 0; c < x.c; ++c)
      for (int64_t d = 0; d < x.d; ++d)
        for (int64_t h = 0; h < x.h; ++h)
          for (int64_t w = 0; w < x.w; ++w) visit(n, c, d, h, w);
}

// Device memory, for as long as it is needed.
class DeviceMemory {
 public:
  explicit DeviceMemory(size_t elements) : bytes_(elements * sizeof(half)) {
    require(aclrtMalloc(&memory_, bytes_, ACL_MEM_MALLOC_HUGE_FIRST) == 0, "aclrtMalloc");
  }
  explicit DeviceMemory(const std::vector<half>& values) : DeviceMemory(values.size()) {
    require(aclrtMemcpy(memory_, bytes_, values.data(), bytes_, ACL_MEMCPY_HOST_TO_DEVICE) == 0,
            "aclrtMemcpy");
  }
  ~DeviceMemory() { aclrtFree(memory_); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  GM_ADDR address() const { return static_cast<GM_ADDR>(memory_); }
  void clear() { require(aclrtMemset(memory_, bytes_, 0, bytes_) == 0, "aclrtMemset"); }
  std::vector<half> values() const {
    std::vector<half> host(bytes_ / sizeof(half));
    require(aclrtMemcpy(host.data(), bytes_, memory_, bytes_, ACL_MEMCPY_DEVICE_TO_HOST) == 0,
            "aclrtMemcpy");
    return host;
  }

 private:
  size_t bytes_;
  void* memory_ = nullptr;
};

Tiling tiling_for(const Convolution& x) {
  const auto gm = ConvCommonApi::TPosition::GM;
  const auto type = ConvCommonApi::ConvDtype::FLOAT16;
  ConvBackpropApi::Conv3DBpInputTiling host;
  host.SetWeightType(gm, ConvFormat::FRACTAL_Z_3D, type);
  host.SetInputType(gm, ConvFormat::NDC1HWC0, type);
  host.SetGradOutputType(gm, ConvFormat::NDC1HWC0, type);
  host.SetWeightShape(x.cout, x.cin, x.d.kernel, x.h.kernel, x.w.kernel);
  host.SetInputShape(x.batch, x.cin, x.d.input, x.h.input, x.w.input);
  host.SetGradOutputShape(x.batch, x.cout, x.d.output(), x.h.output(), x.w.output());
  host.SetPadding(x.d.padding, x.d.padding, x.h.padding, x.h.padding, x.w.padding, x.w.padding);
  host.SetStride(x.d.stride, x.h.stride, x.w.stride);
  host.SetDilation(x.d.dilation, x.h.dilation, x.w.dilation);
  AscendC::tiling::Conv3DBackpropInputTilingData data;
  require(host.GetTiling(data) == 0, "GetTiling");
  return data.conv3DDxTiling;
}

struct Problem {
  Convolution shape;
  Tensor gradOutput, weight;
};

// One element in double precision: the sum, the sum of magnitudes, how many products.
struct Sum {
  double value = 0, magnitude = 0;
  int64_t terms = 0;
};

Sum reference(const Problem& problem, int64_t n, int64_t c, int64_t d, int64_t h, int64_t w) {
  const Convolution& x = problem.shape;
  Sum sum;
  for (int64_t kd = 0; kd < x.d.kernel; ++kd)
    for (int64_t kh = 0; kh < x.h.kernel; ++kh)
      for (int64_t kw = 0; kw < x.w.kernel; ++kw) {
        const int64_t od = x.d.reading(d, kd), oh = x.h.reading(h, kh), ow = x.w.reading(w, kw);
        if (od < 0 || oh < 0 || ow < 0) continue;
        for (int64_t o = 0; o < x.cout; ++o) {
          const double product =
              static_cast<double>(
                  problem.gradOutput.values[problem.gradOutput.at(n, o, od, oh, ow)]) *
              problem.weight.values[problem.weight.at(o, c, kd, kh, kw)];
          sum.value += product;
          sum.magnitude += std::fabs(product);
          ++sum.terms;
        }
      }
  return sum;
}

// FLOAT additions, in any order, then one rounding to half.
double bound(const Sum& sum) {
  const double accumulated = static_cast<double>(sum.terms) * 0x1p-23 * sum.magnitude;
  return accumulated + (std::fabs(sum.value) + accumulated) * 0x1p-11 + 0x1p-25;
}

template <ConvFormat format>
std::vector<half> compute(const Problem& problem, const std::vector<half>& gradOutput,
                          const std::vector<half>& weight, size_t elements) {
  const Tiling tiling = tiling_for(problem.shape);
  const DeviceMemory dy(gradOutput), w(weight);
  DeviceMemory dx(elements), scratch(size_t{blockCount} * tiling.baseM * tiling.baseN);
  if (tiling.initOutputFlag == 1) dx.clear();
  aclrtStream stream = nullptr;
  require(aclrtCreateStream(&stream) == 0, "aclrtCreateStream");
  require(gradproof::launch_on(stream, grad_input_kernel<format>, blockCount, dy.address(),
                               w.address(), dx.address(), scratch.address(), tiling) == 0,
          "launch_on");
  require(aclrtSynchronizeStream(stream) == 0, "the kernel");
  aclrtDestroyStream(stream);
  return dx.values();
}

// Whether every element is right, and how many are not where it isn't.
template <ConvFormat format>
bool check(const Problem& problem, bool isExact) {
  const Convolution& x = problem.shape;
  const Tensor& dy = problem.gradOutput;
  const Tensor& w = problem.weight;
  const Tensor dx(x.batch, x.cin, x.d.input, x.h.input, x.w.input);
  std::vector<half> arrangedDy(ndc1hwc0(dy, dy.n, 0, 0, 0, 0), half(0.0F));
  for_each(dy, [&](auto... i) { arrangedDy[ndc1hwc0(dy, i...)] = half(dy.values[dy.at(i...)]); });
  std::vector<half> arrangedW(fractal_z_3d(w, 0, 0, w.d, 0, 0), half(0.0F));
  for_each(w, [&](auto... i) { arrangedW[fractal_z_3d(w, i...)] = half(w.values[w.at(i...)]); });

  const auto found =
      compute<format>(problem, arrangedDy, arrangedW, ndc1hwc0(dx, dx.n, 0, 0, 0, 0));
  int64_t wrong = 0;
  for_each(dx, [&](auto... i) {
    const Sum sum = reference(problem, i...);
    const half value = found[ndc1hwc0(dx, i...)];
    const bool isRight = isExact ? value.bits == half(static_cast<float>(sum.value)).bits
                                 : std::fabs(value - sum.value) <= bound(sum);
    wrong += isRight ? 0 : 1;
  });
  std::printf("%s, gradInput in %s, %s: %lld of %zu elements wrong\n", x.name,
              format == ConvFormat::NDC1HWC0 ? "NDC1HWC0" : "NCDHW (scratch)",
              isExact ? "integers" : "fractions", static_cast<long long>(wrong), dx.values.size());
  return wrong == 0;
}

Problem filled(const Convolution& x, bool isExact) {
  Problem problem{x,
                  {x.batch, x.cout, x.d.output(), x.h.output(), x.w.output()},
                  {x.cout, x.cin, x.d.kernel, x.h.kernel, x.w.kernel}};
  uint32_t state = 1;
  for (Tensor* tensor : {&problem.gradOutput, &problem.weight}) {
    for (float& value : tensor->values) {
      state = state * 1664525 + 1013904223;
      const auto digit = static_cast<int32_t>(state >> 16) % 2001 - 1000;
      value = isExact ? static_cast<float>(digit % 3)
                      : static_cast<float>(half(static_cast<float>(digit) / 1000.0F));
    }
  }
  return problem;
}

int main() {
  require(aclInit(nullptr) == 0, "aclInit");
  require(aclrtSetDevice(0) == 0, "aclrtSetDevice");
  bool isRight = true;
  for (const Convolution& shape : shapes) {
    for (const bool isExact : {true, false}) {
      const Problem problem = filled(shape, isExact);
      isRight = check<ConvFormat::NDC1HWC0>(problem, isExact) && isRight;
      isRight = check<ConvFormat::NCDHW>(problem, isExact) && isRight;
    }
  }
  aclrtResetDevice(0);
  aclFinalize();
  return isRight ? 0 : 1;
}
