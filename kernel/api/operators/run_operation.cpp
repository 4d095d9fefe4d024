#include "kernel/api/operators/run_operation.h"

#include <atomic>
#include <cstdint>
#include <new>

#include "kernel/api/convolution_rules/words.h"
#include "kernel/api/runtime/error_message.h"
#include "kernel/device/streams/stream.h"

namespace gradproof::kernel::api {

/// Launch settings. In deterministic mode each call gets another schedule: none may show.
operators::Launch launch_on(const device::DeviceState& device) {
  return {.path = device.path,
          .product = device.product,
          .cores = device.core_count,
          .host_threads = device.host_threads,
          .spreads_every_launch = device.spreads_every_launch,
          .has_winograd = device.has_winograd,
          .deterministic = device.deterministic != 0,
          .schedule_seed = device.schedule_seed.value_or(0),
          .is_replayed = device.schedule_seed && device.deterministic == 0};
}

namespace {

/// Calls of other sizes get other schedules; the same call gets the same one, whatever ran before.
std::uint64_t number_of(const operators::ConvolutionBackward& operation) {
  constexpr std::uint64_t factor = 0x100000001B3U;
  std::uint64_t number = 0xCBF29CE484222325U;
  for (const operators::TensorView* view :
       {&operation.grad_output, &operation.input, &operation.weight}) {
    for (const std::int64_t length : view->shape) {
      number = (number ^ static_cast<std::uint64_t>(length)) * factor;
    }
  }
  return number;
}

/// Completes an operation by what is known on the stream alone.
void settle(operators::ConvolutionBackward& operation) {
  static std::atomic<std::uint64_t> runs{0};
  const std::uint64_t run = runs++;
  operation.launch.run = operation.launch.is_replayed ? number_of(operation) : run;
  const aclrtFloatOverflowMode mode = device::running_overflow_mode();
  if (mode != ACL_RT_OVERFLOW_MODE_UNDEF) operation.arithmetic.overflow = overflow_of(mode);
}

template <typename Operation, typename Addresses>
aclError run_settled(std::string_view function, const Operation& operation,
                     const Addresses& memory) {
  try {
    const operators::Outcome outcome = operators::run(operation, memory);
    if (outcome) return ACL_SUCCESS;
    report_error(parameter_checks::text("EZ9999 ", function, ": ", outcome.error()));
    return ACL_ERROR_RT_AICORE_EXCEPTION;
  } catch (const std::bad_alloc&) {
    return ACL_ERROR_RT_MEMORY_ALLOCATION;
  }
}

}  // namespace

aclError run_operation(std::string_view function, operators::ConvolutionBackward operation,
                       const operators::Memory& memory) {
  settle(operation);
  return run_settled(function, operation, memory);
}

aclError run_operation(std::string_view function, operators::ForwardConvolution operation,
                       const operators::ForwardMemory& memory) {
  settle(operation.sums);
  return run_settled(function, operation, memory);
}

}  // namespace gradproof::kernel::api
