#include "kernel/device/process.h"

#include "kernel/device/device.h"
#include "kernel/device/devices.h"
#include "kernel/device/error_text.h"
#include "kernel/device/host_memory.h"
#include "kernel/device/memory.h"
#include "kernel/device/stream.h"

#include <fmt/core.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <utility>

namespace gradproof::kernel::device {
namespace {

/// Leftovers that the report names one by one.
constexpr std::size_t listed_leftovers = 20;

struct Counter {
  std::string kind;
  std::function<std::size_t()> live;
};

struct Process {
  std::mutex lifetime;  // held from the first to the last step of beginning and ending
  bool was_finalised = false;

  std::atomic<std::uint64_t> acl_references = 0, aclnn_references = 0;

  std::mutex mutex;  // of what follows
  std::shared_ptr<const Machine> machine =
      std::make_shared<Machine>(*read_machine(nullptr, [](const char*) { return nullptr; }));
  std::vector<std::string> leftovers;
  std::vector<Counter> counters;
};

Process& process() {
  static Process& instance = *new Process;
  return instance;
}

aclError open(const char* function, const char* config_path) {
  auto machine =
      read_machine(config_path, [](const char* name) -> const char* { return std::getenv(name); });
  if (!machine.has_value()) {
    return refuse(machine.error().code,
                  fmt::format("EE1001: {}: {}", function, machine.error().problem));
  }
  set_memory_checks(machine->checks);
  open_devices(*machine);
  const std::lock_guard lock(process().mutex);
  process().machine = std::make_shared<const Machine>(*std::move(machine));
  process().leftovers.clear();
  return 0;
}

/// What is still there at the end and belongs to the program: one text each.
std::vector<std::string> take_leftovers() {
  const std::lock_guard lock(process().mutex);
  std::vector<std::string> leftovers = std::exchange(process().leftovers, {});
  for (const Counter& counter : process().counters) {
    const std::size_t live = counter.live();
    if (live > 0) leftovers.push_back(fmt::format("{} {}", live, counter.kind));
  }
  if (const std::size_t blocks = live_host_blocks(); blocks > 0) {
    leftovers.push_back(fmt::format("{} blocks of pinned host memory", blocks));
  }
  return leftovers;
}

void print_report(const std::vector<std::string>& leftovers, CheckLevel checks) {
  if (leftovers.empty() || checks == CheckLevel::Off) return;
  std::string report = fmt::format(
      "gradproof: at aclFinalize the program had not released {} things", leftovers.size());
  if (checks == CheckLevel::Full) {
    report += ":";
    for (std::size_t index = 0; index < leftovers.size() && index < listed_leftovers; ++index) {
      report += "\n  " + leftovers[index];
    }
    if (leftovers.size() > listed_leftovers) report += "\n  ...";
  }
  report += "\n";
  std::fputs(report.c_str(), stderr);
}

void close() {
  note_leftovers(close_devices());
  print_report(take_leftovers(), current_machine()->checks);
}

aclError refuse_to_finalise(const char* function) {
  if (process().was_finalised) {
    return refuse(ACL_ERROR_REPEAT_FINALIZE,
                  fmt::format("EE1001: {}: finalised already", function));
  }
  return refuse(ACL_ERROR_UNINITIALIZE,
                fmt::format("EE1001: {}: aclInit has not been called", function));
}

/// Ends the use by one of the two libraries; the devices close with the last.
void end_use(std::atomic<std::uint64_t>& references) {
  references = 0;
  if (!is_initialised()) close();
}

}  // namespace

bool is_initialised() { return process().acl_references > 0 || process().aclnn_references > 0; }

aclError initialise(const char* config_path) {
  // The end of the process's use waits for tasks, so they must not wait for it.
  if (const aclError code = refuse_inside_task("aclInit")) return code;
  const std::lock_guard lock(process().lifetime);
  if (process().acl_references > 0) {
    ++process().acl_references;
    return refuse(ACL_ERROR_REPEAT_INITIALIZE,
                  "EE1001: aclInit: initialised already; the call counts as one more reference");
  }
  if (!is_initialised()) {
    if (const aclError code = open("aclInit", config_path)) return code;
  }
  process().acl_references = 1;
  return 0;
}

aclError finalise() {
  if (const aclError code = refuse_inside_task("aclFinalize")) return code;
  const std::lock_guard lock(process().lifetime);
  if (process().acl_references == 0) return refuse_to_finalise("aclFinalize");
  process().was_finalised = true;
  end_use(process().acl_references);
  return 0;
}

aclError finalise_reference(std::uint64_t* remaining) {
  if (const aclError code = refuse_inside_task("aclFinalizeReference")) return code;
  const std::lock_guard lock(process().lifetime);
  if (process().acl_references == 0) return refuse_to_finalise("aclFinalizeReference");
  if (process().acl_references > 1) {
    --process().acl_references;
  } else {
    process().was_finalised = true;
    end_use(process().acl_references);
  }
  if (remaining != nullptr) *remaining = process().acl_references;
  return 0;
}

aclError aclnn_initialise(const char* config_path) {
  if (const aclError code = refuse_inside_task("aclnnInit")) return code;
  const std::lock_guard lock(process().lifetime);
  if (!is_initialised()) {
    if (const aclError code = open("aclnnInit", config_path)) return code;
  }
  ++process().aclnn_references;
  return 0;
}

aclError aclnn_finalise() {
  if (const aclError code = refuse_inside_task("aclnnFinalize")) return code;
  const std::lock_guard lock(process().lifetime);
  if (process().aclnn_references == 0) {
    return refuse(ACL_ERROR_UNINITIALIZE, "EE1001: aclnnFinalize: aclnnInit has not been called");
  }
  end_use(process().aclnn_references);
  return 0;
}

std::shared_ptr<const Machine> current_machine() {
  const std::lock_guard lock(process().mutex);
  return process().machine;
}

void note_leftovers(std::vector<std::string> leftovers) {
  const std::lock_guard lock(process().mutex);
  std::ranges::move(leftovers, std::back_inserter(process().leftovers));
}

void count_at_the_end(std::string_view kind, std::function<std::size_t()> live) {
  const std::lock_guard lock(process().mutex);
  process().counters.push_back({std::string(kind), std::move(live)});
}

}  // namespace gradproof::kernel::device
