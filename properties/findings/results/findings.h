#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/case_error.h"
#include "corpus/verdict.h"
#include "oracle/status/profile.h"
#include "properties/findings/picture/picture.h"

namespace gradproof::findings {

/// The target that a finding belongs to: it is tried on no other.
struct TargetIdentity {
  /// Where its libraries lie, seen from the folder of the findings, so that folder and libraries
  /// can be moved together; or what the target is called. Empty: not known.
  std::string name = {};
  std::string sha256 = {};  ///< of its libraries; empty: it has none

  friend bool operator==(const TargetIdentity&, const TargetIdentity&) = default;
};

/// True of a library that was built again at its place and of one that was moved; also where either
/// is not known.
bool may_be_same(const TargetIdentity& one, const TargetIdentity& other);

/// One distinct disagreement: the smallest case known to show it, and the case that showed it
/// first.
struct Finding {
  std::string signature;
  corpus::Case test_case, original;
  corpus::Verdict verdict;  ///< of `test_case`
  TargetIdentity target = {};
  std::string options = {};         ///< what its run was narrowed to (`narrowing_of`)
  std::string replay_options = {};  ///< options that replaying it needs in addition to its file
  std::optional<oracle::Profile> profile = {};  ///< where cases alternate between profiles
  bool minimised = false;                   ///< no single simplification shows the same any more
  std::vector<std::string> diagnosis = {};  ///< what is wrong, in sentences; only what was tested
  /// Symptoms of its case, as `diagnosis::symptoms_of` says: findings of one cause show each
  /// other's.
  std::vector<std::string> symptoms = {};
  /// Calls without which `test_case` shows nothing in a new process of the target; mostly none.
  std::vector<corpus::Case> calls_before = {};
  std::optional<Picture> picture = {};  ///< where single elements of `test_case` are wrong
  double seconds_to_find = 0;           ///< from the beginning of the run
  double seconds_to_shrink = 0;
};

/// `folder/findings/<signature>.json`.
std::filesystem::path finding_file(const std::filesystem::path& folder,
                                   const std::string& signature);
/// Path of the finding, with a mark of this target where another one's finding has the name.
std::filesystem::path finding_file(const std::filesystem::path& folder,
                                   const std::string& signature, const TargetIdentity& target);

/// The options with the one that holds the target to `profile`. Documented is what a replay holds
/// the simulated backend to without it.
std::string with_profile(const std::string& options, std::optional<oracle::Profile> profile);

/// The command that runs the cases of a file again, given the options that say its target.
std::string replay_command(const std::filesystem::path& file, const std::string& options);

/// Stores a finding, in place of an older one of the same signature and target.
std::optional<std::string> save_finding(const std::filesystem::path& folder,
                                        const Finding& finding);

/// The minimised case of a finding's file.
tl::expected<corpus::Case, corpus::CaseError> read_finding(const std::filesystem::path& file);

/// The target that the finding belongs to, as its file says.
TargetIdentity target_of_finding(const std::filesystem::path& file);

/// The options that its run was narrowed to, which a replay keeps to; empty: none.
std::string options_of_finding(const std::filesystem::path& file);

/// The calls that a replay makes first; none where the file has none.
std::vector<corpus::Case> calls_before_finding(const std::filesystem::path& file);

/// The law that a finding breaks; empty where that is exactness or status.
std::string law_of_finding(const std::filesystem::path& file);

/// The profile that a finding was seen under, where its run alternated between profiles.
std::optional<oracle::Profile> profile_of_finding(const std::filesystem::path& file);

/// The command that shows a finding again, on the target that it was found in.
std::string replay_of_finding(const std::filesystem::path& file);

/// Files of all findings in a folder, by name.
std::vector<std::filesystem::path> finding_files(const std::filesystem::path& folder);
/// Files that may be the target's.
std::vector<std::filesystem::path> finding_files(const std::filesystem::path& folder,
                                                 const TargetIdentity& target);

}  // namespace gradproof::findings
