#pragma once

#include "acl/acl_rt.h"
#include "kernel/device/product.h"
#include "kernel/device/settings.h"

#include <tl/expected.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gradproof::kernel::device {

/// The simulated machine: what aclInit read from the environment and from its configuration file.
struct Machine {
  static constexpr std::size_t max_devices = 64;

  std::vector<const Soc*> devices;
  Profile profile = Profile::Documented;
  Hf32Rounding hf32_rounding = Hf32Rounding::NearestEven;
  FloatProducts float_products = FloatProducts::Fused;
  std::optional<aclrtFloatOverflowMode> overflow_mode;  ///< nullopt: each product's own default
  std::optional<int> cores;                             ///< cube cores; nullopt: the SoC's
  std::optional<std::uint64_t> schedule_seed;           ///< nullopt: another schedule in every call
  CheckLevel checks = CheckLevel::Full;
  StreamPace pace = StreamPace::Deferred;
  OperatorPath path = OperatorPath::Device;
  std::optional<bool> winograd;     ///< dw so where it is admitted; nullopt: as the profile has it
  std::optional<int> host_threads;  ///< that one launch may use; nullopt: as many as the host has

  int cube_cores(std::size_t device) const;
  /// Split architectures have two vector cores to a cube core, whatever their number.
  int vector_cores(std::size_t device) const;
  aclrtFloatOverflowMode default_overflow_mode(std::size_t device) const;
  int threads() const;  ///< of the host, for one launch
};

struct ConfigurationError {
  aclError code;  ///< ACL_ERROR_INVALID_FILE, ACL_ERROR_PARSE_FILE or ACL_ERROR_FILE_ATTR_INVALID
  std::string problem;
};

/// Value of an environment variable, or nullptr; std::getenv outside of tests.
using Environment = std::function<const char*(const char*)>;

/// The machine that the environment and the file (null: none) describe. The file is JSON; what
/// concerns this device is its object "gradproof", every other key is left to whom it belongs. A
/// variable of the environment wins over the file.
tl::expected<Machine, ConfigurationError> read_machine(const char* config_path,
                                                       const Environment& environment);

/// Changes one setting, by its key in such a file. Result: the value that is not allowed, and what
/// is, in words. The key must be one.
std::optional<std::string> set_by_key(Machine& machine, std::string_view key,
                                      std::string_view value);

}  // namespace gradproof::kernel::device
