#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernel/api/convolution_rules/call.h"
#include "kernel/device/device.h"
#include "kernel/include/aclnn/acl_meta.h"
#include "kernel/operators/convolution_backward.h"

namespace gradproof::kernel::api {

/// Decisions of phase one of aclnnConvolutionBackward about a call: all of it but where data lie.
struct Decision {
  aclnnStatus status = 0;
  std::vector<std::string> error_lines;  ///< for the caller, the deciding one last
  /// The lowered problem in the arithmetic of the device; null unless the status is success.
  std::shared_ptr<const operators::ConvolutionBackward> operation;
  std::uint64_t workspace_size = 0;  ///< bytes
};

/// Checks a call and plans it. It depends on nothing else: equal calls on equal devices get equal
/// decisions, which is what lets plan_cache.h keep them.
Decision decided(const parameter_checks::Call& call, const device::DeviceState& device);

}  // namespace gradproof::kernel::api
