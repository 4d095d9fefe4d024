#pragma once

#include "acl/acl_rt.h"
#include "kernel/device/product.h"
#include "kernel/device/settings.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gradproof::kernel::device {

/// All that an operator may ask of the device that the calling thread's current context belongs to.
struct DeviceState {
  int device_id = 0;
  Product product = Product::Ascend910B;
  std::string soc_name;
  Profile profile = Profile::Documented;
  Hf32Rounding hf32_rounding = Hf32Rounding::NearestEven;
  FloatProducts float_products = FloatProducts::Fused;
  aclrtFloatOverflowMode overflow_mode =
      ACL_RT_OVERFLOW_MODE_INFNAN;  ///< for streams made from now on
  std::int64_t deterministic =
      0;               ///< level 0 to 3: the context's value if set there, else the process's
  int core_count = 0;  ///< cube cores that a launch spreads over
  std::optional<std::uint64_t> schedule_seed;  ///< nullopt: another schedule in every call
  OperatorPath path = OperatorPath::Device;
  int host_threads = 1;               ///< that one launch may use
  bool spreads_every_launch = false;  ///< over them, even where their start takes longer
  bool has_winograd = false;  ///< computes dw by Winograd's algorithm where that is admitted
};

/// The state of the calling thread's current device, or nullopt where it has no current context.
std::optional<DeviceState> current_device_state();

}  // namespace gradproof::kernel::device
