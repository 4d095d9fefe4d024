#include "properties/runs/campaign/resume.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <utility>

#include "corpus/case_json.h"
#include "properties/findings/results/results_line_reader.h"
#include "properties/findings/results/sums_line.h"

namespace gradproof::runs {
namespace {

/// Walks along the work as its lines come: every item has at least one.
class Walk {
 public:
  explicit Walk(const Work& work) : work_(work), item_(work.item(0)) {}

  /// Steps on to the item that the line is about; false where there is none.
  bool step_to(const findings::ResultsLine& line, std::uint64_t end) {
    // Neighbours may share an id: the same run a second time is the next item's.
    const auto run = std::pair(line.recipe, line.verdict.law);
    bool is_here = line.id == item_.test_case.id && seen_.insert(run).second;
    while (!is_here && number_ + 1 < end) {
      if (!work_.holds(++number_)) continue;
      item_ = work_.item(number_);
      seen_ = {run};
      is_here = line.id == item_.test_case.id;
    }
    return is_here;
  }

  /// A disagreement's line has its case; that of any other is the item's.
  findings::RunRecord record(findings::ResultsLine line) const {
    findings::RunRecord record;
    auto problem = line.case_text.empty() ? tl::unexpected(corpus::CaseError{})
                                          : corpus::parse_case(line.case_text);
    if (problem) {
      record.test_case = std::move(*problem);
    } else {
      record.test_case = item_.test_case;
      record.test_case.data.reset();
      if (line.recipe) record.test_case.data.emplace().distribution = *line.recipe;
    }
    record.verdict = std::move(line.verdict);
    record.repro = std::move(line.repro);
    record.profile = line.held_to;
    record.first_run = seen_.size() == 1;
    record.is_drawn = line.is_drawn;
    return record;
  }

 private:
  const Work& work_;
  std::uint64_t number_ = 0;
  WorkItem item_;
  std::set<std::pair<std::optional<corpus::Distribution>, std::string>> seen_;
};

/// A disagreement by its line alone.
findings::RunRecord record_of(findings::ResultsLine line) {
  findings::RunRecord record;
  if (auto problem = corpus::parse_case(line.case_text)) record.test_case = std::move(*problem);
  record.test_case.id = line.id;
  record.verdict = std::move(line.verdict);
  record.repro = std::move(line.repro);
  record.profile = line.held_to;
  record.first_run = line.footprint.has_value();
  record.is_drawn = line.is_drawn;
  record.footprint = std::move(line.footprint);
  return record;
}

using Problem = std::optional<std::string>;

/// Visits the run's lines in their order. Errors: the visit's, with the place of the line.
Problem visit_lines(const std::filesystem::path& results, const RecordedRun& recorded,
                    const std::function<Problem(const std::string&)>& visit) {
  auto stretches = recorded.head.stretches;
  if (recorded.position.bytes > recorded.head.begin) {
    stretches.emplace_back(recorded.head.begin, recorded.position.bytes);
  }
  std::ifstream stream(results, std::ios::binary);
  for (const auto& [begin, end] : stretches) {
    stream.seekg(static_cast<std::streamoff>(begin));
    std::string text;
    std::uint64_t at = begin;
    for (; at < end && std::getline(stream, text); at += text.size() + 1) {
      if (auto problem = visit(text)) return fmt::format("byte {}: {}", at, *problem);
    }
    if (at != end) return fmt::format("its lines end at byte {}, not at {}", at, end);
  }
  return std::nullopt;
}

Problem read_back_lines(const std::filesystem::path& results, const RecordedRun& recorded,
                        const Work& work, const RunVisitor& visitor) {
  if (recorded.position.blocks == 0) return std::nullopt;
  const std::uint64_t end = std::min(recorded.position.blocks * work.block_size(), work.size());
  Walk walk(work);
  return visit_lines(results, recorded, [&](const std::string& text) -> Problem {
    auto line = findings::parse_results_line(text);
    if (!line) return line.error();
    if (!walk.step_to(*line, end)) return fmt::format("case \"{}\" is not this run's", line->id);
    visitor.run(walk.record(std::move(*line)));
    return std::nullopt;
  });
}

Problem read_back_sums(const std::filesystem::path& results, const RecordedRun& recorded,
                       const RunVisitor& visitor) {
  return visit_lines(results, recorded, [&](const std::string& text) -> Problem {
    if (findings::is_sums_line(text)) {
      const auto sums = findings::parse_sums_line(text);
      if (!sums) return sums.error();
      visitor.other_runs(sums->summary);
      return std::nullopt;
    }
    auto line = findings::parse_results_line(text);
    if (!line) return line.error();
    visitor.run(record_of(std::move(*line)));
    return std::nullopt;
  });
}

}  // namespace

std::optional<std::string> read_back(const std::filesystem::path& results,
                                     const RecordedRun& recorded, const Work& work,
                                     Recording recording, const RunVisitor& visitor) {
  return recording == Recording::Failures ? read_back_sums(results, recorded, visitor)
                                          : read_back_lines(results, recorded, work, visitor);
}

}  // namespace gradproof::runs
