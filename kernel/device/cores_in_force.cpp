#include "kernel/device/devices.h"

#include "kernel/device/device_notes.h"
#include "kernel/device/process_record.h"
#include "kernel/device/streams/stream.h"

#include <algorithm>

namespace gradproof::kernel::device {
namespace {

thread_local aclrtStream stream_in_use = nullptr;

}  // namespace

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
