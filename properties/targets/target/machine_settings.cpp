#include "properties/targets/target/machine_settings.h"

#include <fmt/core.h>

namespace gradproof::targets {
namespace {

constexpr const char* schedule_seed = "schedule_seed";
constexpr const char* host_threads = "host_threads";
constexpr const char* cores = "cores";
constexpr const char* path = "path";
constexpr const char* profile = "profile";

}  // namespace

MachineInForce::MachineInForce(const CannApi& api, const MachineSettings& settings) : api_(api) {
  if (settings == MachineSettings{} || api.set_for_thread == nullptr) return;
  is_any_set_ = true;
  if (settings.schedule_seed) set(schedule_seed, fmt::format("{}", *settings.schedule_seed));
  if (settings.host_threads) set(host_threads, fmt::format("{}", *settings.host_threads));
  if (settings.cores) set(cores, fmt::format("{}", *settings.cores));
  if (settings.plain_path) set(path, "plain");
  if (settings.profile) set(profile, std::string(oracle::name_of(*settings.profile)));
}

MachineInForce::~MachineInForce() {
  if (!is_any_set_) return;
  for (const char* setting : {schedule_seed, host_threads, cores, path, profile}) {
    api_.set_for_thread(setting, nullptr);
  }
}

void MachineInForce::set(const char* setting, const std::string& value) {
  const aclError status = api_.set_for_thread(setting, value.c_str());
  if (status == ACL_SUCCESS || problem_) return;
  problem_ = fmt::format("gradproofSetForThread({}, {}) failed with {}", setting, value, status);
}

}  // namespace gradproof::targets
