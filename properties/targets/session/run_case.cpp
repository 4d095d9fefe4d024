#include "properties/targets/session/loaded_target.h"

#include <fmt/core.h>

#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "properties/targets/session/case_memory.h"
#include "properties/targets/session/host_shortage.h"
#include "properties/targets/session/marshal.h"
#include "properties/targets/session/phases.h"
#include "properties/targets/session/rebound_executor.h"
#include "properties/targets/session/run_tiling.h"
#include "properties/targets/session/status_memory.h"

namespace gradproof::targets {
namespace {

using corpus::Case;
using corpus::Observation;
using corpus::Status;

/// Makes the call with other numbers in the inputs, which are put back; outputs and workspace keep
/// what it leaves. Of what is seen, a failure of the harness alone is noted.
void make_call_before(Phases& phases, const RunSettings& settings, const MarshalledCall& call,
                      CaseMemory& memory) {
  if (phases.note(memory.hide_inputs())) return;
  const Planned planned = phases.phase_one(call);
  const bool is_planned = !phases.seen.failure && phases.seen.phase_one == corpus::Status::Success;
  if (is_planned) phases.phase_two(planned, settings.workspace_poison);
  if (phases.seen.failure) return;
  phases.seen = corpus::Observation{};
  phases.note(memory.show_inputs());
}

/// Fills the workspace of a repeat: ordinary numbers in every format, where the first filling is
/// NaN. Results that depend on it differ.
constexpr std::byte second_poison{0x3C};

/// Tensors below this size are placed even where phase one alone runs, to see that it writes
/// nothing; of larger ones it is given addresses of a few bytes each.
constexpr std::uint64_t cheap_bytes = std::uint64_t{1} << 18;

std::string words(std::optional<Status> status) {
  return status ? corpus::words(*status) : "nothing";
}

class CaseRun {
 public:
  CaseRun(Streams& streams, const Case& test_case, const RunSettings& settings, aclrtStream stream)
      : api_(streams.api()),
        test_case_(test_case),
        settings_(settings),
        phases_(streams, test_case, settings, stream) {}

  Observation observe() {
    const auto bytes = memory_bytes(test_case_);
    const bool affordable = bytes && *bytes <= settings_.memory_limit_bytes;
    const bool status_only =
        settings_.status_only || !test_case_.shape_consistent || !test_case_.data || !affordable;
    if (!status_only) {
      auto memory = CaseMemory::placed(api(), test_case_, settings_.address_shift,
                                       settings_.outputs_hold_ones);
      if (!memory) return failed(memory.error());
      settings_.phases.rebound_executor ? execute_elsewhere(*memory) : execute(*memory);
      return std::move(seen_);
    }
    const bool is_cheap = affordable && *bytes <= cheap_bytes;
    auto memory = is_cheap ? StatusMemory::of_tensors(api(), test_case_, settings_.address_shift)
                           : StatusMemory::of_stand_ins(api(), settings_.address_shift);
    if (!memory) return failed(memory.error());
    plan_only(*memory);
    note_limit(bytes);
    return std::move(seen_);
  }

 private:
  const CannApi& api() const { return api_; }

  Observation failed(std::string problem) {
    seen_.failure = std::move(problem);
    return std::move(seen_);
  }

  /// Runs phase one alone: it reads none of the tensors' elements.
  void plan_only(const StatusMemory& memory) {
    MarshalledCall call(api(), test_case_, memory.addresses());
    const Planned planned = phases_.phase_one(call);
    if (!seen_.failure) {
      if (seen_.phase_one == Status::Success) phases_.destroy(planned);
      phases_.note(memory.observe(seen_));
    }
    phases_.note(call.release());
  }

  /// Tensors that cannot exist still have a status, and nothing else to see.
  void note_limit(std::optional<std::uint64_t> bytes) {
    if (seen_.failure || seen_.phase_one != Status::Success) return;
    if (settings_.status_only || !test_case_.shape_consistent) return;  // no more was asked
    if (!bytes || *bytes <= settings_.memory_limit_bytes) return;
    seen_.unsupported = fmt::format("needs {:.1f} GiB for its tensors, the limit is {:.1f} GiB",
                                    gib(*bytes), gib(settings_.memory_limit_bytes));
  }

  void execute(CaseMemory& memory) {
    MarshalledCall call(api(), test_case_, memory.addresses());
    run(call, memory);
    phases_.note(call.release());
  }

  /// Executes a call whose phase one gets other memory and numbers than the executor runs on.
  void execute_elsewhere(const CaseMemory& memory) {
    if (const auto missing = missing_to_bind_anew(api()); !missing.empty()) {
      seen_.unsupported = fmt::format("the target has no {}", missing);
      return;
    }
    auto elsewhere = CaseMemory::placed(api(), test_case_, settings_.address_shift);
    if (!elsewhere) {
      phases_.note(elsewhere.error());
      return;
    }
    if (phases_.note(elsewhere->hide_inputs())) return;
    MarshalledCall call(api(), test_case_, elsewhere->addresses());
    const Planned planned = phases_.phase_one(call);
    if (!seen_.failure && seen_.phase_one == Status::Success)
      run_rebound_executor(planned, call, memory);
    if (!seen_.failure && !seen_.unsupported) phases_.note(memory.observe(seen_));
    phases_.note(call.release());
  }

  void run_rebound_executor(const Planned& planned, const MarshalledCall& call,
                            const CaseMemory& memory) {
    if (!made_repeatable(planned)) return;
    const auto problem = bind_anew(api(), planned.executor, call, memory.addresses());
    const bool is_alive =
        phases_.note(problem) || phases_.phase_two(planned, settings_.workspace_poison);
    if (is_alive) phases_.destroy(planned);
  }

  void run(const MarshalledCall& call, CaseMemory& memory) {
    if (settings_.phases.used_memory) make_call_before(phases_, settings_, call, memory);
    if (seen_.failure) return;
    const bool hides = settings_.phases.data_between_phases;
    if (hides && phases_.note(memory.hide_inputs())) return;
    const Planned planned = phases_.phase_one(call);
    if (hides) phases_.queue_before_launch = [&](auto in) { return memory.show_inputs_in(in); };
    if (seen_.failure) return;
    if (seen_.phase_one != Status::Success) {
      if (hides) phases_.note(memory.show_inputs());
      phases_.note(memory.observe(seen_));
      return;
    }
    if (settings_.reuse_executor) return execute_twice(planned, memory);
    phases_.phase_two(planned, settings_.workspace_poison);
    if (seen_.failure || seen_.unsupported) return;
    phases_.note(memory.observe(seen_));
    if (test_case_.deterministic && !seen_.failure && has_computed(seen_)) repeat(call, memory);
  }

  /// Executes both runs from one executor; what is seen of the outputs is the second.
  void execute_twice(const Planned& planned, CaseMemory& memory) {
    if (!api().set_executor_repeatable) {
      phases_.destroy(planned);
      seen_.unsupported = "the target has no aclSetAclOpExecutorRepeatable";
      return;
    }
    if (!made_repeatable(planned)) return;
    bool is_alive = phases_.phase_two(planned, settings_.workspace_poison);
    if (is_alive && has_computed(seen_) && !phases_.note(memory.renew_outputs())) {
      is_alive = phases_.phase_two(planned, second_poison);
    }
    if (is_alive) phases_.destroy(planned);
    if (!seen_.failure && !seen_.unsupported) phases_.note(memory.observe(seen_));
  }

  /// Makes the executor repeatable; else destroys it and returns false.
  bool made_repeatable(const Planned& planned) {
    const aclnnStatus status = api().set_executor_repeatable(planned.executor);
    if (status == ACL_SUCCESS) return true;
    phases_.destroy(planned);
    phases_.note(fmt::format("aclSetAclOpExecutorRepeatable returned {}", status));
    return false;
  }

  void repeat(const MarshalledCall& call, CaseMemory& memory) {
    if (phases_.note(memory.renew_outputs())) return;
    Observation first = std::move(seen_);
    seen_ = Observation{};
    const Planned planned = phases_.phase_one(call);
    if (!seen_.failure && seen_.phase_one == Status::Success) {
      phases_.phase_two(planned, second_poison);
      if (!seen_.failure) phases_.note(memory.observe(seen_));
    }
    Observation second = std::move(seen_);
    seen_ = std::move(first);
    merge(second);
  }

  /// The first run is what is judged; of the second only what the first cannot have shown is kept.
  void merge(const Observation& second) {
    if (second.failure) {
      phases_.note("in the repeat: " + *second.failure);
      return;
    }
    if (second.phase_one != Status::Success || !has_computed(second)) {
      phases_.note(
          fmt::format("in the repeat: phase one returned {}, phase two {}, synchronisation {}",
                      words(second.phase_one), words(second.phase_two), words(second.synchronise)));
      return;
    }
    seen_.repeated = true;
    for (std::size_t i = 0; i < seen_.outputs.size(); ++i) {
      seen_.repeat_differs[i] = seen_.outputs[i].bits != second.outputs[i].bits;
      if (!seen_.outputs[i].overwritten_byte) {
        seen_.outputs[i].overwritten_byte = second.outputs[i].overwritten_byte;
      }
      if (!seen_.input_changed_byte[i]) seen_.input_changed_byte[i] = second.input_changed_byte[i];
    }
    if (!seen_.workspace_overwritten_byte) {
      seen_.workspace_overwritten_byte = second.workspace_overwritten_byte;
    }
  }

  const CannApi& api_;
  const Case& test_case_;
  const RunSettings& settings_;
  Phases phases_;
  Observation& seen_ = phases_.seen;
};

}  // namespace

namespace {

Observation run_on_its_stream(Streams& streams, const Case& test_case,
                              const RunSettings& settings) {
  if (corpus::is_tiling_class(test_case.api)) return run_tiling(streams, test_case, settings);
  const auto product = corpus::product_of(test_case);
  if (!product) return corpus::not_run(fmt::format("no product is named {}", test_case.soc));
  const auto stream = streams.stream_on(*product);
  if (!stream) return corpus::not_run(stream.error());
  return CaseRun(streams, test_case, settings, *stream).observe();
}

}  // namespace

Observation LoadedTarget::run_one(const Case& test_case, const RunSettings& settings) {
  if (const auto missing = missing_for(streams_.api(), test_case.api); !missing.empty()) {
    return corpus::not_run(fmt::format("the target has no {}", missing));
  }
  try {
    Observation seen = run_on_its_stream(streams_, test_case, settings);
    if (!may_lack_resources(seen)) return seen;
    const auto shortage = host_shortage(memory_bytes(test_case).value_or(0));
    return shortage ? corpus::not_run(*shortage) : std::move(seen);
  } catch (const std::bad_alloc&) {
    return corpus::not_run("the host lacks memory for its tensors");
  } catch (const std::system_error&) {
    return corpus::not_run("the host lacks threads for its call");
  }
}

std::vector<Observation> LoadedTarget::run_several(std::span<const Case> cases,
                                                   const RunSettings& settings) {
  std::vector<Observation> seen;
  seen.reserve(cases.size());
  for (const Case& test_case : cases) seen.push_back(run_one(test_case, settings));
  return seen;
}

}  // namespace gradproof::targets
