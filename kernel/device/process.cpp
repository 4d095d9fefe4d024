#include "kernel/device/process.h"

#include "kernel/device/devices.h"
#include "kernel/device/error_text.h"
#include "kernel/device/machine.h"
#include "kernel/device/memory/host_memory.h"
#include "kernel/device/memory/memory.h"
#include "kernel/device/process_record.h"
#include "kernel/device/streams/stream.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace gradproof::kernel::device {
namespace {

/// Leftovers that the report names one by one.
constexpr std::size_t listed_leftovers = 20;

struct Process {
  std::mutex lifetime;  // held from the first to the last step of beginning and ending
  bool was_finalised = false;
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
  open_devices(machine->devices.size());
  set_machine(*std::move(machine));
  return 0;
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
  std::vector<std::string> leftovers = take_leftovers();
  if (const std::size_t blocks = live_host_blocks(); blocks > 0) {
    leftovers.push_back(fmt::format("{} blocks of pinned host memory", blocks));
  }
  print_report(leftovers, current_machine()->checks);
}

aclError refuse_to_finalise(const char* function) {
  if (process().was_finalised) {
    return refuse(ACL_ERROR_REPEAT_FINALIZE,
                  fmt::format("EE1001: {}: finalised already", function));
  }
  return refuse(ACL_ERROR_UNINITIALIZE,
                fmt::format("EE1001: {}: aclInit has not been called", function));
}

/// Drops the references of one of the two libraries; the devices close with the last.
void end_use(std::uint64_t References::*library) {
  References left = references();
  left.*library = 0;
  set_references(left);
  if (!is_initialised()) close();
}

}  // namespace

aclError initialise(const char* config_path) {
  // The end of the process's use waits for tasks, so they must not wait for it.
  if (const aclError code = refuse_inside_task("aclInit")) return code;
  const std::lock_guard lock(process().lifetime);
  const References before = references();
  if (before.acl > 0) {
    set_references({before.acl + 1, before.aclnn});
    return refuse(ACL_ERROR_REPEAT_INITIALIZE,
                  "EE1001: aclInit: initialised already; the call counts as one more reference");
  }
  if (!is_initialised()) {
    if (const aclError code = open("aclInit", config_path)) return code;
  }
  set_references({1, before.aclnn});
  const aclError code = call_at_initialisation(config_path);
  if (code != 0) end_use(&References::acl);
  return code;
}

aclError finalise() {
  if (const aclError code = refuse_inside_task("aclFinalize")) return code;
  const std::lock_guard lock(process().lifetime);
  if (references().acl == 0) return refuse_to_finalise("aclFinalize");
  process().was_finalised = true;
  const aclError code = call_at_finalisation();
  end_use(&References::acl);
  return code;
}

aclError finalise_reference(std::uint64_t* remaining) {
  if (const aclError code = refuse_inside_task("aclFinalizeReference")) return code;
  const std::lock_guard lock(process().lifetime);
  const References before = references();
  if (before.acl == 0) return refuse_to_finalise("aclFinalizeReference");
  aclError code = 0;
  if (before.acl > 1) {
    set_references({before.acl - 1, before.aclnn});
  } else {
    process().was_finalised = true;
    code = call_at_finalisation();
    end_use(&References::acl);
  }
  if (remaining != nullptr) *remaining = references().acl;
  return code;
}

aclError aclnn_initialise(const char* config_path) {
  if (const aclError code = refuse_inside_task("aclnnInit")) return code;
  const std::lock_guard lock(process().lifetime);
  if (!is_initialised()) {
    if (const aclError code = open("aclnnInit", config_path)) return code;
  }
  const References before = references();
  set_references({before.acl, before.aclnn + 1});
  return 0;
}

aclError aclnn_finalise() {
  if (const aclError code = refuse_inside_task("aclnnFinalize")) return code;
  const std::lock_guard lock(process().lifetime);
  if (references().aclnn == 0) {
    return refuse(ACL_ERROR_UNINITIALIZE, "EE1001: aclnnFinalize: aclnnInit has not been called");
  }
  end_use(&References::aclnn);
  return 0;
}

}  // namespace gradproof::kernel::device
