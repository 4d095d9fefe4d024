#include "kernel/device/process_record.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>
#include <mutex>
#include <utility>

namespace gradproof::kernel::device {
namespace {

struct Counter {
  std::string kind;
  std::function<std::size_t()> live;
};

struct Record {
  std::atomic<std::uint64_t> acl_references = 0, aclnn_references = 0;
  std::array<std::atomic<aclrtFloatOverflowMode>, Machine::max_devices> overflow_modes{};

  std::mutex mutex;  // of what follows
  std::shared_ptr<const Machine> machine =
      std::make_shared<Machine>(*read_machine(nullptr, [](const char*) { return nullptr; }));
  std::vector<std::string> leftovers;
  std::vector<Counter> counters;
};

Record& record() {
  static Record& instance = *new Record;
  return instance;
}

}  // namespace

bool is_initialised() { return record().acl_references > 0 || record().aclnn_references > 0; }

References references() { return {record().acl_references, record().aclnn_references}; }

void set_references(References now) {
  record().acl_references = now.acl;
  record().aclnn_references = now.aclnn;
}

std::shared_ptr<const Machine> current_machine() {
  const std::lock_guard lock(record().mutex);
  return record().machine;
}

void set_machine(Machine machine) {
  for (std::size_t device = 0; device < machine.devices.size(); ++device) {
    set_overflow_mode(static_cast<int>(device), machine.default_overflow_mode(device));
  }
  const std::lock_guard lock(record().mutex);
  record().machine = std::make_shared<const Machine>(std::move(machine));
  record().leftovers.clear();
}

aclrtFloatOverflowMode overflow_mode_of(int device) { return record().overflow_modes.at(device); }

void set_overflow_mode(int device, aclrtFloatOverflowMode mode) {
  record().overflow_modes.at(device) = mode;
}

void note_leftovers(std::vector<std::string> leftovers) {
  const std::lock_guard lock(record().mutex);
  std::ranges::move(leftovers, std::back_inserter(record().leftovers));
}

void count_at_the_end(std::string_view kind, std::function<std::size_t()> live) {
  const std::lock_guard lock(record().mutex);
  record().counters.push_back({std::string(kind), std::move(live)});
}

std::vector<std::string> take_leftovers() {
  const std::lock_guard lock(record().mutex);
  std::vector<std::string> leftovers = std::exchange(record().leftovers, {});
  for (const Counter& counter : record().counters) {
    const std::size_t live = counter.live();
    if (live > 0) leftovers.push_back(fmt::format("{} {}", live, counter.kind));
  }
  return leftovers;
}

}  // namespace gradproof::kernel::device
