#pragma once

namespace gradproof::cli {

namespace modes {

/// What a command does; some do two things, each with options of its own.
enum CommandMode : unsigned {
  Verify = 1U << 0U,
  Prove = 1U << 1U,
  Replay = 1U << 2U,
  Shrink = 1U << 3U,  ///< replay --shrink
  Explain = 1U << 4U,
  Tolerance = 1U << 5U,  ///< explain --tolerance
  Judge = 1U << 6U,
  Fingerprint = 1U << 7U,
  Report = 1U << 8U,
  List = 1U << 9U,
  Generate = 1U << 10U,  ///< list cases
  Faults = 1U << 11U,
  Demo = 1U << 12U,
  Gate = 1U << 13U,
};

}  // namespace modes

using modes::CommandMode;

}  // namespace gradproof::cli
