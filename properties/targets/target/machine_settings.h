#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "oracle/status/profile.h"
#include "properties/targets/target/cann_api.h"

namespace gradproof::targets {

/// Settings of the machine of one call, for a target that has gradproofSetForThread
/// (gradproof/machine.h); what is not set is the machine's.
struct MachineSettings {
  std::optional<std::uint64_t> schedule_seed;
  std::optional<std::int32_t> host_threads, cores;
  bool plain_path = false;                      ///< plain loops instead of the simulated cores
  std::optional<oracle::Profile> profile = {};  ///< Documented or Released

  friend bool operator==(const MachineSettings&, const MachineSettings&) = default;
};

/// The settings in force for what the calling thread plans, until the end of its life. Nothing
/// happens where none is set or the target takes none.
class MachineInForce {
 public:
  MachineInForce(const CannApi& api, const MachineSettings& settings);
  ~MachineInForce();
  MachineInForce(const MachineInForce&) = delete;
  MachineInForce& operator=(const MachineInForce&) = delete;

  /// The setting that the target refused, in words.
  const std::optional<std::string>& problem() const { return problem_; }

 private:
  void set(const char* setting, const std::string& value);

  const CannApi& api_;
  bool is_any_set_ = false;
  std::optional<std::string> problem_;
};

}  // namespace gradproof::targets
