#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "properties/findings/results/results_file.h"
#include "properties/runs/campaign/work.h"

namespace gradproof::runs {

/// A case that ended a whole process, found out by running it alone in another one.
struct FatalCase {
  std::uint64_t item = 0, run = 0;  ///< the item of the work, and which of its runs
  std::optional<int> signal;        ///< that the process died of
  int exit_code = 0;                ///< without a signal: the target ended the process with this

  friend bool operator==(const FatalCase&, const FatalCase&) = default;
};

/// Properties of a run. Kept in `run.json`, which is only ever replaced as a whole.
struct RunHead {
  std::uint64_t number = 0;  ///< drawn again for each run, to tell it from others
  std::string settings;      ///< everything but the seed that decides the verdicts
  std::uint64_t seed = 0;
  std::vector<StoredCase> findings;  ///< replayed first; as they were when the run began
  /// Stretches of results.jsonl that hold this run's lines, [begin, end) in bytes, and where the
  /// last stretch, which still grows, begins.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> stretches;
  std::uint64_t begin = 0;
  std::vector<FatalCase> fatal_cases;
};

/// Progress of a run.
struct RunPosition {
  std::uint64_t blocks = 0;  ///< all blocks below are in results.jsonl
  std::uint64_t bytes = 0;   ///< which holds them up to here; what follows is of later blocks
  std::chrono::milliseconds elapsed{0};
  bool finished = false;
  bool settled = false;  ///< nothing of the run follows `bytes` any more
};

/// A run that a worker had begun.
struct BegunRun {
  std::uint64_t item = 0, run = 0;
};

/// Records of a folder about its last run.
struct RecordedRun {
  RunHead head;
  RunPosition position;
  std::vector<BegunRun> begun;  ///< what the workers were running when the process ended
};

/// The record of the last run in the folder; nullopt where there is none, or none that can be read.
std::optional<RecordedRun> recorded_run(const std::filesystem::path& folder);

/// Notes what a run does, so that nothing is lost with the process: what it is (run.json), how far
/// it came and what each worker is at (journal.jsonl, lines of fixed width rewritten in place).
/// Survives the end of the process at any moment; not that of the machine.
///
/// Cost: one write of 128 bytes a case and one a block. Any number of threads, each with its own
/// worker number.
class Journal {
 public:
  /// Begins or resumes a run: from now on the folder's record is this one.
  static tl::expected<Journal, std::string> open(const std::filesystem::path& folder,
                                                 const RunHead& head, const RunPosition& position);

  /// Takes from results.jsonl what a killed run left unfinished: lines beyond its last whole block
  /// (their cases run again when it resumes) and a line without its end. Returns a sentence about
  /// what was dropped, or nullopt if nothing was.
  static tl::expected<std::optional<std::string>, std::string> settle(
      findings::ResultsFile& results, const std::filesystem::path& folder);

  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&&) = delete;
  ~Journal();

  /// Errors of all: why it could not be written.
  using Problem = std::optional<std::string>;

  /// Notes a run before it begins.
  Problem begin(unsigned worker, const BegunRun& run);
  /// The worker has no case any more.
  Problem rest(unsigned worker);

  /// All blocks below are in the results file, which ends at `bytes`.
  Problem commit(std::uint64_t blocks, std::uint64_t bytes);

  /// The run is complete, and its lines end at `bytes`: there is nothing to resume.
  Problem finish(std::uint64_t bytes);

 private:
  Journal(std::filesystem::path path, int descriptor, std::uint64_t run, RunPosition position);
  static tl::expected<Journal, std::string> attached(const std::filesystem::path& folder,
                                                     std::uint64_t run,
                                                     const RunPosition& position);
  Problem write_position();
  Problem write_line(std::uint64_t line, std::string text);

  std::filesystem::path path_;
  int descriptor_;
  std::uint64_t run_;
  RunPosition position_;
  std::chrono::milliseconds elapsed_before_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace gradproof::runs
