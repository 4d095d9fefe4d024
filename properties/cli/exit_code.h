#pragma once

namespace gradproof::cli {

/// What the process returns; other programs depend on these numbers.
enum class ExitCode : int {
  NothingDisagreed = 0,
  Disagreement = 1,  ///< at least one, crash and timeout of the target included
  /// Or an input that cannot be read: nothing was run; of another tool's file, what can be read
  /// was.
  BadUsage = 2,
  TargetUnusable = 3,  ///< cannot be loaded, or lacks what the cases need
  Unhealthy = 4,       ///< the run proves too little, or nothing was judged
  OwnFailure = 5,      ///< the results file says how far it came; gate: the judge was damaged
  Ungated = 6,         ///< gate: this host cannot isolate the candidate
  Interrupted = 130,   ///< Ctrl-C (SIGINT)
  Terminated = 143,    ///< SIGTERM
};

}  // namespace gradproof::cli
