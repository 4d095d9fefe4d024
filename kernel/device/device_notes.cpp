#include "kernel/device/device_notes.h"

#include "kernel/device/machine.h"

namespace gradproof::kernel::device {
namespace {

using AllNotes = std::array<DeviceNotes, Machine::max_devices>;

AllNotes& all_notes() {
  static auto& instance = *new AllNotes;
  return instance;
}

}  // namespace

DeviceNotes& device_notes(int device) { return all_notes().at(static_cast<std::size_t>(device)); }

void clear_device_notes() {
  for (DeviceNotes& notes : all_notes()) {
    notes.has_failed = false;
    notes.settings.change([](DeviceSettings& settings) { settings = {}; });
  }
}

}  // namespace gradproof::kernel::device
