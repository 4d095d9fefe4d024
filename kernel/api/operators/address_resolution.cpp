#include "kernel/api/operators/address_resolution.h"

#include "kernel/api/convolution_rules/words.h"
#include "kernel/api/runtime/error_message.h"
#include "kernel/device/memory/memory.h"

namespace gradproof::kernel::api {
namespace {

using operators::TensorView;

/// The host address of a view's first element in device memory, or nullptr unless all it touches
/// lies in one allocation.
std::byte* host_address(const TensorView& view, void* data) {
  const auto range = operators::touched_bytes(view);
  if (!range) return nullptr;
  const auto device_address =
      reinterpret_cast<std::uintptr_t>(data) + static_cast<std::uintptr_t>(range->begin);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a device address
  std::byte* const begin = device::host_view(reinterpret_cast<const void*>(device_address),
                                             static_cast<std::size_t>(range->size));
  const auto element_size = static_cast<std::int64_t>(numeric::size_of(view.format));
  return begin == nullptr ? nullptr : begin + (view.offset * element_size - range->begin);
}

}  // namespace

std::byte* AddressResolution::input(std::string_view name, const TensorView& view, void* data,
                                    bool used) {
  return resolved(name, view, data, used, ACL_ERROR_RT_AICORE_TRAP_READ_OVERFLOW);
}

std::byte* AddressResolution::output(std::string_view name, const std::optional<TensorView>& view,
                                     void* data, bool used) {
  if (!view) return nullptr;
  return resolved(name, *view, data, used, ACL_ERROR_RT_AICORE_TRAP_WRITE_OVERFLOW);
}

std::byte* AddressResolution::workspace(void* data, std::uint64_t bytes) {
  if (bytes == 0) return nullptr;
  std::byte* const address = device::host_view(data, bytes);
  if (address == nullptr) {
    fail(ACL_ERROR_RT_AICORE_TRAP_WRITE_OVERFLOW, "workspace", static_cast<std::int64_t>(bytes),
         data);
  }
  return address;
}

std::byte* AddressResolution::resolved(std::string_view name, const TensorView& view, void* data,
                                       bool used, aclError code) {
  if (!used || view.is_empty()) return nullptr;
  std::byte* const address = host_address(view, data);
  if (address == nullptr) fail(code, name, operators::touched_bytes(view)->size, data);
  return address;
}

void AddressResolution::fail(aclError code, std::string_view name, std::int64_t bytes, void* data) {
  report_error(parameter_checks::text("EZ9999 ", function_, ": ", name, " at ", data, " spans ",
                                      bytes,
                                      " bytes that do not lie in one live allocation; nothing "
                                      "was computed"));
  if (error_ == 0) error_ = code;
}

}  // namespace gradproof::kernel::api
