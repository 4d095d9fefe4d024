#include "properties/runs/gate/gate.h"

#include <exception>

#include "properties/runs/gate/gate_run.h"

namespace gradproof::runs {

GateVerdict gate(const GateSettings& settings) {
  GateVerdict verdict;
  try {
    GateRun run(settings, verdict);
    run();
  } catch (const std::exception& error) {  // whatever the candidate has caused is no verdict on it
    verdict.outcome = GateOutcome::Incomplete;
    verdict.why_class = "judge";
    verdict.why_sentence = error.what();
  }
  return verdict;
}

}  // namespace gradproof::runs
