#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "properties/findings/provenance/library_identity.h"

namespace gradproof::findings {

/// The machine that a run was made on, as it describes itself. A part that it does not tell is
/// empty.
struct Host {
  std::string name;       ///< of the machine in its network
  std::string system;     ///< distribution and kernel, e.g. "Debian GNU/Linux 12, Linux 6.1.0"
  std::string processor;  ///< architecture and model, e.g. "x86_64, Intel(R) Xeon(R) @ 2.00GHz"
  unsigned cores = 0;     ///< threads that run at once; 0: not known

  friend bool operator==(const Host&, const Host&) = default;
};

Host this_host();

/// Where results come from: enough to say what was judged, by which program, where and when.
struct Provenance {
  std::string program;       ///< version and commit of gradproof
  std::string command_line;  ///< quoted for a shell
  Host host;
  std::vector<LibraryIdentity>
      libraries;        ///< of the target, in the order in which they are searched
  std::string toolkit;  ///< version of CANN; empty: the installation does not tell
  std::string profile;
  std::uint64_t seed = 0;
  std::vector<std::string> algorithms = {};  ///< what a probe showed of them, a sentence each
  std::string started, ended;  ///< UTC, e.g. "2026-11-22T10:00:00Z"; ended is empty: it was killed

  friend bool operator==(const Provenance&, const Provenance&) = default;
};

/// The current time as Provenance holds it.
std::string utc_now();

/// CANN's version by the files that its installation has next to or above a library; empty: none.
std::string toolkit_version(const std::vector<std::filesystem::path>& libraries);

/// Adds the run to `folder/provenance.jsonl`, or replaces it if it differs in its end alone: a run
/// is noted when it begins and when it ends. Errors: why the file cannot be read or written.
std::optional<std::string> note_provenance(const std::filesystem::path& folder,
                                           const Provenance& provenance);

/// Reads the provenance of a folder's runs, in the order in which the runs began; a folder without
/// the file has none. Errors: a line that is none, as FILE:LINE: problem.
tl::expected<std::vector<Provenance>, std::string> read_provenance(
    const std::filesystem::path& folder);

/// A sentence for each library of which the runs used more than one build: their results say
/// nothing together.
std::vector<std::string> mixed_builds(const std::vector<Provenance>& runs);

}  // namespace gradproof::findings
