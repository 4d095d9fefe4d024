
#include "acl/acl_rt.h"
#include "kernel_launcher.h"
#include "properties/targets/tiling/gradient_kernels.h"
#include "properties/targets/tiling/private_layout.h"
#include "properties/targets/tiling/tiling_classes.h"
#include "properties/targets/tiling/tiling_question.h"

// The kernels on the device that is current, with operands from the host.

namespace gradproof::targets {
namespace {

using ConvCommonApi::ConvDtype;
using Bytes = std::vector<std::byte>;

/// A block of device memory with these contents.
class DeviceBytes {
 public:
  explicit DeviceBytes(const Bytes& contents) : size_(contents.size()) {
    status_ = aclrtMalloc(&memory_, size_, ACL_MEM_MALLOC_HUGE_FIRST);
    if (status_ != ACL_SUCCESS) return;
    status_ = aclrtMemcpy(memory_, size_, contents.data(), size_, ACL_MEMCPY_HOST_TO_DEVICE);
  }
  ~DeviceBytes() {
    if (memory_ != nullptr) aclrtFree(memory_);
  }
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;

  aclError status() const { return status_; }
  GM_ADDR address() const { return static_cast<GM_ADDR>(memory_); }
  aclError read(Bytes& contents) const {
    contents.resize(size_);
    return aclrtMemcpy(contents.data(), size_, memory_, size_, ACL_MEMCPY_DEVICE_TO_HOST);
  }

 private:
  std::size_t size_;
  void* memory_ = nullptr;
  aclError status_ = ACL_SUCCESS;
};

/// The three tensors as they lie in device memory.
struct Layouts {
  PrivateLayout grad_output, other, result;
  std::size_t operand_size, result_size;  ///< bytes of an element
};

/// More than one, so that work is shared, and few enough for a host's threads.
constexpr std::uint32_t block_count = 3;

template <typename Tiling>
using Kernel = void (*)(KernelOperands, Tiling);

template <typename Tiling>
int run(Kernel<Tiling> kernel, const Tiling& tiling, const Layouts& layouts,
        const HostOperands& host, std::byte first_contents) {
  const DeviceBytes grad_output(
      packed(layouts.grad_output, host.grad_output, layouts.operand_size));
  const DeviceBytes other(packed(layouts.other, host.other, layouts.operand_size));
  const std::size_t bytes = static_cast<std::size_t>(layouts.result.count) * layouts.result_size;
  const DeviceBytes result(Bytes(bytes, first_contents));
  for (const DeviceBytes* memory : {&grad_output, &other, &result}) {
    if (memory->status() != ACL_SUCCESS) return memory->status();
  }
  const KernelOperands operands{grad_output.address(), other.address(), result.address()};
  if (const aclError status = launch(kernel, block_count, operands, tiling)) return status;
  Bytes elements;
  if (const aclError status = result.read(elements)) return status;
  unpack(layouts.result, elements, layouts.result_size, host.result);
  return ACL_SUCCESS;
}

std::size_t size_of(const TilingOperand& operand) {
  return operand.dtype == static_cast<std::int32_t>(ConvDtype::FLOAT32) ? 4 : 2;
}

/// The kernel for the elements of an operand.
template <typename Tiling>
Kernel<Tiling> kernel_for(const TilingOperand& operand, Kernel<Tiling> of_half,
                          Kernel<Tiling> of_bfloat16, Kernel<Tiling> of_float) {
  if (operand.dtype == static_cast<std::int32_t>(ConvDtype::FLOAT16)) return of_half;
  return operand.dtype == static_cast<std::int32_t>(ConvDtype::BF16) ? of_bfloat16 : of_float;
}

}  // namespace

int gradproofConv3DBpInputTilingRun(const TilingQuestion* question, const HostOperands* host) {
  AscendC::tiling::Conv3DBackpropInputTilingData data{};
  if (const auto status = get_tiling(*question, data)) return static_cast<int>(status);
  const auto& tiling = data.conv3DDxTiling;
  const std::size_t size = size_of(question->weight);
  const auto c0 = static_cast<std::int64_t>(32 / size);
  const Layouts layouts{feature_map_layout(question->grad_output.shape, c0),
                        filter_layout(question->weight.shape, c0),
                        feature_map_layout(question->input.shape, c0), size, size};
  const auto kernel = kernel_for<AscendC::tiling::TConv3DBackpropInputTiling>(
      question->weight, dx_kernel<half>, dx_kernel<bfloat16_t>, dx_kernel<float>);
  // Only a tiling that says so may leave elements to the caller; else one left out shows as NaN.
  const bool must_zero = tiling.initOutputFlag == 1;
  return run(kernel, tiling, layouts, *host, must_zero ? std::byte{0} : std::byte{0xFF});
}

int gradproofConv3dBpFilterTilingRun(const TilingQuestion* question, const HostOperands* host) {
  AscendC::tiling::Conv3DBackpropFilterTilingData data{};
  if (const auto status = get_tiling(*question, data)) return static_cast<int>(status);
  const std::size_t size = size_of(question->grad_output);
  const auto c0 = static_cast<std::int64_t>(32 / size);
  const Layouts layouts{feature_map_layout(question->grad_output.shape, c0),
                        feature_map_layout(question->input.shape, c0),
                        filter_layout(question->weight.shape, c0), size, sizeof(float)};
  const auto kernel = kernel_for<AscendC::tiling::TConv3DBpFilterTiling>(
      question->grad_output, dw_kernel<half>, dw_kernel<bfloat16_t>, dw_kernel<float>);
  return run(kernel, data.dwTiling, layouts, *host, std::byte{0});
}

}  // namespace gradproof::targets
