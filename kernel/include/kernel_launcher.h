#ifndef GRADPROOF_KERNEL_LAUNCHER_H
#define GRADPROOF_KERNEL_LAUNCHER_H

#include <cstdint>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "acl/acl_rt.h"

// Starts Ascend C kernels on the simulated cores of the current device, where CANN's compiler has
// <<<blockCount, nullptr, stream>>>. This header is no part of CANN.

namespace gradproof {

/// Runs `block` once for each of `blockCount` blocks, on several threads, and waits. What a kernel
/// does wrong ends the launch: the code is returned, and aclGetRecentErrMsg names the call and the
/// core. Codes: 0; 107000 for 0 or more than 65535 blocks, no kernel, device memory among `uses`
/// that was freed, or a call from within a kernel; 107002 without a device; 507015 for misuse of
/// the API; 507042 and 507043 for a read or a write out of bounds; 507016 for an exception that the
/// kernel let out.
aclError run_blocks(uint32_t blockCount, const std::function<void()>& block,
                    const std::vector<const void*>& uses = {});

/// Enqueues the blocks as a task of a stream, null for the default one. Returns once it is queued;
/// its own failures come with the stream's next synchronisation. The allocations around `uses`
/// can't be freed before it has run.
aclError enqueue_blocks(uint32_t blockCount, aclrtStream stream, std::function<void()> block,
                        const std::vector<const void*>& uses = {});

/// A kernel with its arguments, which every block gets as they are now. Pointers and plain structs
/// can be arguments: what a host could hand to a device.
template <typename... Parameters, typename... Arguments>
std::function<void()> with_arguments(void (*kernel)(Parameters...), Arguments&&... arguments) {
  static_assert((std::is_trivially_copyable_v<std::decay_t<Parameters>> && ...),
                "a kernel's parameters are copied to the device as bytes");
  static_assert((!std::is_reference_v<Parameters> && ...),
                "a kernel takes its parameters by value: the device can't refer to the host's");
  if (kernel == nullptr) return {};
  return [kernel, values = std::tuple<Parameters...>(std::forward<Arguments>(arguments)...)] {
    std::apply(kernel, values);
  };
}

/// Returns the arguments that are pointers.
template <typename... Arguments>
std::vector<const void*> pointers_among(const Arguments&... arguments) {
  std::vector<const void*> pointers;
  const auto add = [&pointers](const auto& argument) {
    using Argument = std::decay_t<decltype(argument)>;
    if constexpr (std::is_convertible_v<Argument, const void*> && std::is_pointer_v<Argument>) {
      pointers.push_back(argument);
    }
  };
  (add(arguments), ...);
  return pointers;
}

/// launch(kernel, 24, x, y): as run_blocks, which uses the pointers among the arguments.
template <typename... Parameters, typename... Arguments>
aclError launch(void (*kernel)(Parameters...), uint32_t blockCount, Arguments&&... arguments) {
  const auto uses = pointers_among(arguments...);
  return run_blocks(blockCount, with_arguments(kernel, std::forward<Arguments>(arguments)...),
                    uses);
}

/// launch_on(stream, kernel, 24, x, y): as enqueue_blocks.
template <typename... Parameters, typename... Arguments>
aclError launch_on(aclrtStream stream, void (*kernel)(Parameters...), uint32_t blockCount,
                   Arguments&&... arguments) {
  const auto uses = pointers_among(arguments...);
  return enqueue_blocks(blockCount, stream,
                        with_arguments(kernel, std::forward<Arguments>(arguments)...), uses);
}

}  // namespace gradproof

#endif
