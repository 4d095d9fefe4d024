#include "kernel/device/device_notes.h"

#include "kernel/device/machine.h"
#include "kernel/device/process_record.h"
#include "kernel/device/streams/stream.h"

#include <algorithm>

namespace gradproof::kernel::device {
namespace {

using AllNotes = std::array<DeviceNotes, Machine::max_devices>;

AllNotes& all_notes() {
  static auto& instance = *new AllNotes;
  return instance;
}

thread_local aclrtStream stream_in_use = nullptr;

}  // namespace

DeviceNotes& device_notes(int device) { return all_notes().at(static_cast<std::size_t>(device)); }

void clear_device_notes() {
  for (DeviceNotes& notes : all_notes()) {
    notes.has_failed = false;
    notes.settings.change([](DeviceSettings& settings) { settings = {}; });
  }
}

void use_limits_of_stream(aclrtStream stream) { stream_in_use = stream; }

int cores_in_force(int device, aclrtDevResLimitType kind) {
  const auto machine = current_machine();
  const int all = kind == ACL_RT_DEV_RES_CUBE_CORE ? machine->cube_cores(device)
                                                   : machine->vector_cores(device);
  std::optional<std::uint32_t> limit;
  if (stream_in_use != nullptr) {
    const auto stream = streams().find(stream_in_use);
    if (stream != nullptr && stream->device == device)
      limit = stream->properties.get().core_limits.at(kind);
  }
  if (!limit.has_value()) limit = device_notes(device).settings.get().core_limits.at(kind);
  return limit.has_value() ? std::min(static_cast<int>(*limit), all) : all;
}

}  // namespace gradproof::kernel::device
