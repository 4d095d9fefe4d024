#include "properties/targets/session/rebound_executor.h"

#include <fmt/core.h>

namespace gradproof::targets {
namespace {

/// aclSetInputTensorAddr and aclSetOutputTensorAddr have one signature.
using SetAddress = decltype(&::aclSetInputTensorAddr);

struct Side {
  std::string_view function;
  SetAddress set;
};

std::optional<std::string> set_address(const Side& side, aclOpExecutor* executor, std::size_t index,
                                       aclTensor* tensor, void* address) {
  if (tensor == nullptr) return std::nullopt;
  const aclnnStatus status = side.set(executor, index, tensor, address);
  if (status == ACL_SUCCESS) return std::nullopt;
  return fmt::format("{} of tensor {} returned {}", side.function, index, status);
}

}  // namespace

std::string_view missing_to_bind_anew(const CannApi& api) {
  if (!api.set_executor_repeatable) return "aclSetAclOpExecutorRepeatable";
  if (!api.destroy_executor) return "aclDestroyAclOpExecutor";
  if (!api.set_input_address) return "aclSetInputTensorAddr";
  return api.set_output_address ? "" : "aclSetOutputTensorAddr";
}

std::optional<std::string> bind_anew(const CannApi& api, aclOpExecutor* executor,
                                     const MarshalledCall& call, const TensorAddresses& addresses) {
  const Side inputs{"aclSetInputTensorAddr", api.set_input_address};
  const Side outputs{"aclSetOutputTensorAddr", api.set_output_address};
  for (const auto role : corpus::input_roles) {
    const auto index = to_size(role);
    if (auto problem =
            set_address(inputs, executor, index, call.tensor(role), addresses.at(index))) {
      return problem;
    }
  }
  for (const auto role : corpus::output_roles) {
    const auto index = to_size(role);
    void* const address = addresses.at(corpus::input_roles.size() + index);
    if (auto problem = set_address(outputs, executor, index, call.tensor(role), address)) {
      return problem;
    }
  }
  return std::nullopt;
}

}  // namespace gradproof::targets
