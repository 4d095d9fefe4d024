#include "kernel/api/operators/operator_entry.h"

#include <utility>

#include "kernel/api/convolution_rules/words.h"
#include "kernel/api/runtime/error_message.h"
#include "kernel/device/process_record.h"

namespace gradproof::kernel::api {
namespace {

using parameter_checks::Argument;
using parameter_checks::text;

}  // namespace

void read(Argument<Tensor>& argument, const aclTensor* tensor) {
  argument.given = tensor != nullptr;
  argument.value = tensor_of(tensor);
}

void read(Argument<parameter_checks::Ints>& argument, const aclIntArray* array) {
  argument.given = array != nullptr;
  argument.value = ints_of(array);
}

void read(Argument<std::vector<bool>>& argument, const aclBoolArray* array) {
  argument.given = array != nullptr;
  argument.value = bools_of(array);
}

std::optional<device::DeviceState> device_of_call(std::string_view function) {
  const auto report = [&](std::string_view what) {
    report_error(text("EZ9999 [PH-18] ", what, " first (", function, ", two-phase contract)"));
  };
  if (!device::is_initialised()) {
    report("the runtime is not initialised; call aclInit or aclnnInit");
    return std::nullopt;
  }
  auto state = device::current_device_state();
  if (!state) report("this thread has no current device; call aclrtSetDevice");
  return state;
}

aclnnStatus hand_out(std::string_view function, std::unique_ptr<Executor> planned,
                     const PhaseOneResults& results) {
  const std::uint64_t bytes = planned->workspace_size;
  aclOpExecutor* const handle = register_executor(std::move(planned));
  if (handle == nullptr) {
    report_error(text("EZ9999 no executor could be created (", function, ")"));
    return ACLNN_ERR_INNER_CREATE_EXECUTOR;
  }
  *results.workspace_size = bytes;
  *results.executor = handle;
  return ACLNN_SUCCESS;
}

aclnnStatus refuse_unplanned(std::string_view function) {
  report_error(
      text("EZ9999 [HW-01] the device has no kernel for this call, or cannot count its "
           "workspace in 64 bits (",
           function, ", limits of the device)"));
  return ACLNN_ERR_INNER_NULLPTR;
}

}  // namespace gradproof::kernel::api
