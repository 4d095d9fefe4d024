#include "properties/targets/session/phases.h"

#include <fmt/core.h>

#include <chrono>
#include <thread>
#include <utility>

#include "corpus/words/foreign_text.h"
#include "properties/targets/session/determinism_switch.h"

namespace gradproof::targets {
namespace {

using corpus::Status;

class Stopwatch {
 public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_)
        .count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

double gib(std::uint64_t bytes) {
  return static_cast<double>(bytes) / static_cast<double>(std::uint64_t{1} << 30);
}

Planned Phases::phase_one(const MarshalledCall& call) {
  Planned planned;
  if (const char* function = call.failed_function()) {
    seen.failure = fmt::format("{} returned a null pointer", function);
    return planned;
  }
  const Stopwatch watch;
  {
    const DeterminismSwitch option(cann_, test_case_.deterministic);
    const MachineInForce machine(api(), settings_.machine);
    note(machine.problem());
    seen.phase_one =
        static_cast<Status>(call.phase_one(&planned.workspace_size, &planned.executor));
  }
  seen.milliseconds += watch.milliseconds();
  if (seen.phase_one != Status::Success) {
    seen.out_parameters_untouched = planned.is_size_untouched() && planned.is_executor_untouched();
    take_message();
  } else if (!planned.is_complete()) {
    if (!planned.is_executor_untouched() && planned.executor) destroy(planned);
    seen.failure = planned.is_size_untouched() ? "phase one succeeded without setting workspaceSize"
                                               : "phase one succeeded without setting executor";
  } else {
    seen.workspace_size = planned.workspace_size;
  }
  return planned;
}

bool Phases::phase_two(const Planned& planned, std::byte poison) {
  if (planned.workspace_size > settings_.memory_limit_bytes) {
    destroy(planned);
    seen.unsupported = fmt::format("needs a workspace of {:.1f} GiB, the limit is {:.1f} GiB",
                                   gib(planned.workspace_size), gib(settings_.memory_limit_bytes));
    return false;
  }
  std::optional<GuardedBlock> workspace = std::exchange(used_workspace_, std::nullopt);
  const std::uint64_t size = planned.workspace_size + settings_.phases.added_workspace;
  if (workspace && workspace->payload_bytes() != size) workspace.reset();
  if (size > 0 && !workspace) {
    auto block = GuardedBlock::filled(api(), size, poison, settings_.phases.workspace_shift);
    if (!block) {
      destroy(planned);
      seen.failure = block.error();
      return false;
    }
    workspace = std::move(*block);
  }
  if (const auto queue = std::exchange(queue_before_launch, {})) note(queue(stream_));
  const Stopwatch watch;
  seen.phase_two = launched(workspace ? workspace->address() : nullptr, size, planned.executor);
  // Even after a failure: something may have been queued that still uses the memory.
  seen.synchronise = static_cast<Status>(api().synchronize_stream(stream_));
  seen.milliseconds += watch.milliseconds();
  if (seen.phase_two != Status::Success || seen.synchronise != Status::Success) take_message();
  if (!workspace) return true;
  const auto changed = workspace->changed_guard();
  if (!changed) note(changed.error());
  if (changed) seen.workspace_overwritten_byte = *changed;
  if (settings_.phases.used_memory) used_workspace_ = std::move(workspace);
  return true;
}

Status Phases::launched(void* workspace, std::uint64_t size, aclOpExecutor* executor) const {
  const auto call = [&] {
    return static_cast<Status>(
        phase_two_of(api(), test_case_.api)(workspace, size, executor, stream_));
  };
  if (!settings_.phases.phase_two_on_another_thread) return call();
  Status status = Status::RuntimeError;
  std::thread([&] {
    if (streams_.enter_on_this_thread()) status = call();
  }).join();
  return status;
}

bool has_computed(const corpus::Observation& seen) {
  return seen.phase_two == Status::Success && seen.synchronise == Status::Success;
}

void Phases::destroy(const Planned& planned) {
  if (api().destroy_executor) api().destroy_executor(planned.executor);
}

void Phases::take_message() {
  if (!api().recent_error_message) return;
  if (const char* text = api().recent_error_message()) seen.message = corpus::foreign_text(text);
}

bool Phases::note(const std::optional<std::string>& problem) {
  if (problem && !seen.failure) seen.failure = problem;
  return problem.has_value();
}

}  // namespace gradproof::targets
