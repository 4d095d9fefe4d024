#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "properties/findings/results/results_file.h"
#include "properties/findings/results/results_line.h"
#include "properties/findings/results/summary.h"
#include "properties/findings/results/sums_line.h"
#include "properties/runs/campaign/journal.h"
#include "properties/runs/campaign/recording.h"

namespace gradproof::runs {

/// Runs without a line of their own, counted until there are enough for a line of sums.
class UnlistedRuns {
 public:
  /// Adds a run; `number`: the run's own among all of the campaign.
  void add(const findings::RunRecord& record, std::uint64_t number);

  bool is_empty() const { return sums_.summary.cases() == 0; }

  /// True if the stretch is full. Stretches double: a campaign that is killed runs the last one
  /// again when it is resumed, at most half a million runs.
  bool is_full() const { return sums_.summary.cases() >= std::clamp(sums_.first, fewest, most); }

  /// Appends the line, if there is anything to say, and starts again from nothing.
  void move_to(std::string& lines, const findings::LineHeading& heading);

 private:
  static constexpr std::uint64_t fewest = 1U << 12U, most = 1U << 19U;
  findings::SumsLine sums_;
};

/// Takes blocks of verdicts from any thread in any order and enters them in the blocks' order:
/// file, summary and the limit of cases are the same for every number of threads.
class Ledger {
 public:
  using Heading = findings::LineHeading;

  Ledger(findings::ResultsFile& results, Heading heading, std::optional<std::uint64_t> most_cases,
         Recording recording = Recording::All, Certification certification = {})
      : results_(results),
        heading_(std::move(heading)),
        most_cases_(most_cases),
        certification_(std::move(certification)) {
    if (recording == Recording::Failures) unlisted_.emplace();
  }

  /// Continues after the blocks below `blocks`, whose lines are in the file; notes in the journal
  /// how far it comes. Before anything is entered.
  void resume(Journal& journal, std::uint64_t blocks);

  /// Counts a verdict that the file holds already. Whether its disagreement is the first of its
  /// signature.
  bool restore(const findings::RunRecord& record);
  /// Restores the sums for runs that share a line of sums.
  void restore(const findings::Summary& sums);

  /// Hands in block `number`, once each. Returns the disagreements of signatures never seen before
  /// that were entered by this call, in this block or in others that waited for it.
  std::vector<findings::RunRecord> enter(std::uint64_t number,
                                         std::vector<findings::RunRecord> records);

  /// Hands in what there is of a block that was given up: entered by `finish`, never counted as
  /// done.
  void leave(std::uint64_t number, std::vector<findings::RunRecord> records);

  /// Enters what still waits for a block that will not come (a run that was stopped).
  std::vector<findings::RunRecord> finish();

  /// True if the limit is reached, a line could not be written, or the target's environment is
  /// broken: further verdicts would be dropped.
  bool is_closed() const;

  findings::Summary summary() const;
  std::optional<std::string> write_problem() const;
  /// broken_environment() of the verdicts so far.
  std::optional<std::string> target_problem() const;

 private:
  /// A run and its line, rendered before the lock is taken.
  struct Rendered {
    findings::RunRecord record;
    std::optional<findings::ResultsText> line;  ///< nullopt: it is counted with others
    std::string certified = {};                 ///< its line in the certificate
  };
  std::string certified(const findings::RunRecord& record) const;
  std::vector<Rendered> rendered(std::vector<findings::RunRecord> records) const;
  void enter_one(Rendered run, std::string& lines, std::vector<findings::RunRecord>& fresh);
  std::vector<findings::RunRecord> enter_waiting(bool in_order_only);
  bool write(std::string lines, bool is_last);
  bool is_new_signature(const findings::RunRecord& record);
  bool is_full() const { return most_cases_ && summary_.cases() >= *most_cases_; }

  findings::ResultsFile& results_;
  Heading heading_;
  std::optional<std::uint64_t> most_cases_;
  Certification certification_;

  mutable std::mutex mutex_;
  std::map<std::uint64_t, std::vector<Rendered>> waiting_;
  std::uint64_t next_ = 0;
  std::optional<std::uint64_t> first_left_;  ///< blocks from here on are incomplete or missing
  Journal* journal_ = nullptr;
  findings::Summary summary_;
  std::optional<UnlistedRuns> unlisted_;  ///< where only failures have lines
  std::set<std::string> signatures_;
  std::optional<std::string> write_problem_, target_problem_;
};

}  // namespace gradproof::runs
