#include "properties/campaign/resume.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <utility>

#include "corpus/case_json.h"
#include "properties/results/results_line_reader.h"

namespace gradproof::properties {
namespace {

/// Walks along the work as its lines come: every item has at least one.
class Walk {
 public:
  explicit Walk(const Work& work) : work_(work), item_(work.item(0)) {}

  /// Steps on to the item that the line is about; false where there is none.
  bool step_to(const ResultsLine& line, std::uint64_t end) {
    // Neighbours may share an id: the same run a second time is the next item's.
    const auto run = std::pair(line.recipe, line.verdict.law);
    bool is_here = line.id == item_.problem.id && seen_.insert(run).second;
    while (!is_here && number_ + 1 < end) {
      if (!work_.holds(++number_)) continue;
      item_ = work_.item(number_);
      seen_ = {run};
      is_here = line.id == item_.problem.id;
    }
    return is_here;
  }

  /// A disagreement's line has its case; that of any other is the item's.
  RunRecord record(ResultsLine line) const {
    RunRecord record;
    auto problem = line.case_text.empty() ? tl::unexpected(corpus::CaseError{})
                                          : corpus::parse_case(line.case_text);
    if (problem) {
      record.problem = std::move(*problem);
    } else {
      record.problem = item_.problem;
      record.problem.data.reset();
      if (line.recipe) record.problem.data.emplace().distribution = *line.recipe;
    }
    record.verdict = std::move(line.verdict);
    record.repro = std::move(line.repro);
    record.profile = line.held_to;
    record.first_run = seen_.size() == 1;
    return record;
  }

 private:
  const Work& work_;
  std::uint64_t number_ = 0;
  WorkItem item_;
  std::set<std::pair<std::optional<corpus::Distribution>, std::string>> seen_;
};

}  // namespace

tl::expected<std::uint64_t, std::string> read_back(const std::filesystem::path& results,
                                                   const RecordedRun& recorded, const Work& work,
                                                   const std::function<void(RunRecord)>& visit) {
  std::uint64_t count = 0;
  if (recorded.position.blocks == 0) return count;
  const std::uint64_t end = std::min(recorded.position.blocks * work.block_size(), work.size());
  auto stretches = recorded.head.stretches;
  if (recorded.position.bytes > recorded.head.begin) {
    stretches.emplace_back(recorded.head.begin, recorded.position.bytes);
  }
  std::ifstream stream(results, std::ios::binary);
  Walk walk(work);
  for (const auto& [begin, stretch_end] : stretches) {
    stream.seekg(static_cast<std::streamoff>(begin));
    std::string text;
    std::uint64_t at = begin;
    for (; at < stretch_end && std::getline(stream, text); at += text.size() + 1, ++count) {
      auto line = parse_results_line(text);
      if (!line) return tl::unexpected(fmt::format("byte {}: {}", at, line.error()));
      if (!walk.step_to(*line, end)) {
        return tl::unexpected(fmt::format("byte {}: case \"{}\" is not this run's", at, line->id));
      }
      visit(walk.record(std::move(*line)));
    }
    if (at != stretch_end) {
      return tl::unexpected(fmt::format("its lines end at byte {}, not at {}", at, stretch_end));
    }
  }
  return count;
}

}  // namespace gradproof::properties
