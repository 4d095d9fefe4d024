#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "properties/targets/session/loaded_library.h"

namespace gradproof::bench {

/// Stages of a case, in order. The first two are of a call, the others of each of its runs.
enum class Stage : std::uint8_t {
  Generate,
  Plan,
  Fill,     ///< the bits of the inputs' elements
  Place,    ///< device memory with guards, and the elements in it
  Marshal,  ///< CANN's objects
  PhaseOne,
  Workspace,
  PhaseTwo,  ///< and the stream's synchronisation
  Observe,   ///< outputs, guards, gaps and inputs are read back
  Sums,      ///< the oracle's exact sums; measured by themselves, a part of Judge
  Judge,
  Footprint,
  Line,  ///< of the results file, and the summary
  Journal,
};
inline constexpr std::array<std::string_view, 14> stage_names{
    "generate",  "plan",    "fill", "place", "marshal",   "phase_one", "workspace",
    "phase_two", "observe", "sums", "judge", "footprint", "line",      "journal"};

/// Processor time of each stage over the same calls, as a campaign in this process goes through
/// them one after the other; in seconds, by Stage, the clock's own cost taken off.
struct StageTimes {
  std::array<double, stage_names.size()> seconds{};
  std::size_t runs = 0;
};

StageTimes stage_times(const targets::LoadedLibrary::Pointer& library,
                       const std::vector<std::uint64_t>& indices,
                       const std::filesystem::path& folder);

}  // namespace gradproof::bench
