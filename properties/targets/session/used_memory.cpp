#include "properties/targets/session/used_memory.h"

namespace gradproof::targets {

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

}  // namespace gradproof::targets
