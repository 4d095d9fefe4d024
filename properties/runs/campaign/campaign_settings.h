#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "properties/cases/check/check.h"
#include "properties/cases/laws/law_choice.h"
#include "properties/findings/results/findings.h"
#include "properties/runs/campaign/journal.h"
#include "properties/runs/campaign/recording.h"

namespace gradproof::runs {

/// When a campaign ends by itself, whichever comes first. None of them: when the work does.
struct CampaignBudget {
  std::optional<std::chrono::milliseconds> time;
  std::optional<std::uint64_t> cases;
  std::optional<std::uint64_t> findings;  ///< new signatures, minimised
};

/// Memory of a generated case that is computed: its tensors and their copies, on device and host
/// together (`memory_bytes`).
constexpr std::uint64_t default_max_bytes = std::uint64_t{64} << 20U;

/// Work of a campaign, its budget, and its standards for the target.
struct CampaignSettings {
  cases::CheckSettings check;
  std::vector<corpus::Distribution> recipes;      ///< instead of the cases' own or the default ones
  cases::LawChoice laws = cases::law_choice({});  ///< what cases are held to
  std::optional<std::uint64_t> max_macs;          ///< larger cases are skipped, and counted
  /// Largest memory of generated cases. For those that need more memory, phase one alone is run:
  /// one of them would take the time of thousands. Stored cases are run whatever they need.
  std::uint64_t max_bytes = default_max_bytes;
  CampaignBudget budget;
  unsigned jobs = 1;
  Recording recording = Recording::All;
  std::chrono::milliseconds shrink_time{60'000};  ///< for each finding
  std::filesystem::path folder;                   ///< findings go to folder/findings
  findings::TargetIdentity target;                ///< that they belong to
  std::string options;                            ///< that a replay of them keeps to

  Journal* journal = nullptr;              ///< where the run notes what it does
  const RecordedRun* continued = nullptr;  ///< the run that this one resumes
  std::vector<FatalCase> fatal_cases;      ///< reported, and not run
  Certification certification;
};

/// Settings to run and judge a case of one profile; nullopt: the campaign's own.
inline cases::CheckSettings check_under(std::optional<oracle::Profile> profile,
                                        const CampaignSettings& settings) {
  cases::CheckSettings check = settings.check;
  if (profile) check.judge.profile = *profile;
  if (profile) check.run.machine.profile = profile;
  return check;
}

/// Largest batch that is sent to a child: the deadline and signals are checked between batches, and
/// a batch's observations stay in memory until it is judged.
inline constexpr double most_load_together = 2e7;

/// Longest time that a call may take which is under way when no more cases begin may take.
inline constexpr std::chrono::milliseconds most_beyond_the_time{500};

}  // namespace gradproof::runs
