#pragma once

#include "properties/targets/session/case_memory.h"
#include "properties/targets/session/marshal.h"
#include "properties/targets/session/phases.h"
#include "properties/targets/target/run_settings.h"

namespace gradproof::targets {

/// Makes the call with other numbers in the inputs, which are put back; outputs and workspace keep
/// what it leaves. Of what is seen, a failure of the harness alone is noted.
void make_call_before(Phases& phases, const RunSettings& settings, const MarshalledCall& call,
                      CaseMemory& memory);

}  // namespace gradproof::targets
