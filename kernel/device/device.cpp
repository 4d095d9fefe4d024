#include "kernel/device/device.h"

#include "kernel/device/context.h"
#include "kernel/device/devices.h"
#include "kernel/device/options.h"
#include "kernel/device/process_record.h"
#include "kernel/device/thread_settings.h"

namespace gradproof::kernel::device {

std::optional<DeviceState> current_device_state() {
  const auto context = current_context();
  if (context == nullptr) return std::nullopt;
  const auto machine = current_machine();
  const auto index = static_cast<std::size_t>(context->device);
  if (index >= machine->devices.size()) return std::nullopt;
  const ThreadSettings& own = thread_settings();
  const Profile profile = own.profile.value_or(machine->profile);
  const bool context_counts = profile == Profile::Documented;
  return DeviceState{
      .device_id = context->device,
      .product = machine->devices[index]->product,
      .soc_name = std::string(machine->devices[index]->name),
      .profile = profile,
      .hf32_rounding = machine->hf32_rounding,
      .float_products = machine->float_products,
      .overflow_mode = overflow_mode_of(context->device),
      .deterministic = deterministic_level(context_counts ? &context->options : nullptr),
      .core_count = own.cores.value_or(cores_in_force(context->device, ACL_RT_DEV_RES_CUBE_CORE)),
      .schedule_seed = own.schedule_seed ? own.schedule_seed : machine->schedule_seed,
      .path = own.path.value_or(machine->path),
      .host_threads = own.host_threads.value_or(machine->threads()),
      .spreads_every_launch = own.host_threads.has_value(),
      // The documents do not speak of it; the released library takes it since 2026-08.
      .has_winograd = machine->winograd.value_or(profile == Profile::Released)};
}

}  // namespace gradproof::kernel::device
