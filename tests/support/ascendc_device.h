#pragma once

// Operands of Ascend C kernels: values, device memory, convolutions to try.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

#include "acl/acl.h"
#include "kernel_operator.h"
#include "tests/support/ascendc_convolution.h"
#include "tests/support/runtime_fixture.h"

namespace gradproof::kernel::ascendc {

template <typename T>
AscendC::GlobalTensor<T> tensor_at(GM_ADDR address) {
  AscendC::GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(address));
  return tensor;
}

inline uint32_t narrow(int64_t value) { return static_cast<uint32_t>(value); }

template <typename T>
constexpr uint32_t c0_of_type = 32 / sizeof(T);

inline Dense filled(const cube::Extents& shape, const std::function<float()>& next) {
  Dense dense(shape);
  for (float& value : dense.values) value = next();
  return dense;
}

inline std::function<float()> small_integers(uint64_t seed) {
  return [random = std::mt19937_64(seed)]() mutable {
    return static_cast<float>(static_cast<int64_t>(random() % 7) - 3);
  };
}

/// Values that need rounding: converted to T once, so that both sides begin with the same.
template <typename T>
std::function<float()> rough_values(uint64_t seed) {
  return [random = std::mt19937_64(seed)]() mutable {
    const auto bits = static_cast<float>(random() % 65536);
    return static_cast<float>(T((bits - 32768.0F) / 16384.0F));
  };
}

class DeviceVector {
 public:
  template <typename T>
  explicit DeviceVector(const std::vector<T>& values) : DeviceVector(values.size() * sizeof(T)) {
    EXPECT_EQ(aclrtMemcpy(memory_, bytes_, values.data(), bytes_, ACL_MEMCPY_HOST_TO_DEVICE), 0);
  }
  /// Holds poison.
  explicit DeviceVector(std::size_t bytes) : bytes_(bytes) {
    EXPECT_EQ(aclrtMalloc(&memory_, bytes, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  }
  ~DeviceVector() { aclrtFree(memory_); }
  DeviceVector(const DeviceVector&) = delete;
  DeviceVector& operator=(const DeviceVector&) = delete;

  GM_ADDR address() const { return static_cast<GM_ADDR>(memory_); }
  template <typename T>
  std::vector<T> values() const {
    std::vector<T> read(bytes_ / sizeof(T));
    EXPECT_EQ(aclrtMemcpy(read.data(), bytes_, memory_, bytes_, ACL_MEMCPY_DEVICE_TO_HOST), 0);
    return read;
  }
  void fill(int32_t byte) { EXPECT_EQ(aclrtMemset(memory_, bytes_, byte, bytes_), 0); }

 private:
  std::size_t bytes_;
  void* memory_ = nullptr;
};

template <typename T>
std::vector<uint8_t> bytes_of(const std::vector<T>& values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// A process with a device that fuses products with sums or does not, for properties, which have
/// no fixture.
class DeviceForProperty {
 public:
  DeviceForProperty() {
    const Environment products(
        {{"GRADPROOF_FLOAT_PRODUCTS", *rc::gen::element<std::string>("fused", "rounded")}});
    RC_ASSERT(aclInit(nullptr) == 0);
    RC_ASSERT(aclrtSetDevice(0) == 0);
  }
  DeviceForProperty(const DeviceForProperty&) = delete;
  DeviceForProperty& operator=(const DeviceForProperty&) = delete;
  ~DeviceForProperty() {
    aclrtResetDevice(0);
    aclFinalize();
  }
};

inline TestAxis random_axis(bool pads_freely) {
  const auto up_to = [](int64_t most) { return *rc::gen::inRange<int64_t>(0, most + 1); };
  TestAxis axis;
  axis.kernel = 1 + up_to(3);
  axis.stride = 1 + up_to(3);
  axis.dilation = 1 + up_to(2);
  const int64_t most = pads_freely ? axis.reach() - 1 : axis.kernel - 1;
  axis.pad_before = up_to(most);
  axis.pad_after = up_to(most);
  axis.input = std::max<int64_t>(1, axis.reach() - axis.pad_before - axis.pad_after) + up_to(6);
  return axis;
}

inline Convolution random_convolution() {
  const auto channels = [] { return *rc::gen::element<int64_t>(1, 2, 8, 15, 16, 17, 33); };
  return {*rc::gen::inRange<int64_t>(1, 3),
          channels(),
          channels(),
          random_axis(true),
          random_axis(true),
          random_axis(true)};
}

}  // namespace gradproof::kernel::ascendc
