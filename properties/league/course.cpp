#include "properties/league/course.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <mutex>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>

#include "oracle/geometry/workload.h"
#include "properties/check/check.h"
#include "properties/generators/random_case.h"
#include "properties/league/other_orders.h"
#include "properties/target/target.h"

namespace gradproof::properties {
namespace {

using corpus::Case;
using corpus::Observation;
constexpr std::string_view the_kernel = "the kernel";

using Records = std::vector<std::vector<CleanRecord>>;

Records empty_records(const Panel& panel) {
  return Records(panel.size(), std::vector<CleanRecord>(fill_rows().size()));
}

/// Keeps the alarm with the fewest products; of equal ones one of the kernel itself, and that of
/// the first id, so that the result does not depend on the order of the workers.
void keep_smaller(std::optional<FalseAlarm>& kept, const FalseAlarm& other) {
  const auto rank = [](const FalseAlarm& alarm) {
    const bool is_other = alarm.kernel != the_kernel;
    return std::tuple(alarm.macs, is_other, std::string_view(alarm.problem.id));
  };
  if (!kept || rank(other) < rank(*kept)) kept = other;
}

void merge(Records& records, const Records& others) {
  for (std::size_t contestant = 0; contestant < records.size(); ++contestant) {
    for (std::size_t fill = 0; fill < records[contestant].size(); ++fill) {
      CleanRecord& record = records[contestant][fill];
      const CleanRecord& other = others[contestant][fill];
      record.kernel.judged += other.kernel.judged;
      record.kernel.rejected += other.kernel.rejected;
      record.other_orders.judged += other.other_orders.judged;
      record.other_orders.rejected += other.other_orders.rejected;
      if (other.alarm) keep_smaller(record.alarm, *other.alarm);
    }
  }
}

/// The runs of one case.
struct CaseRuns {
  bool is_legal = false;
  std::vector<CourseRun> runs;
};

/// What one thread does: runs cases on the kernel without a fault and has them judged.
class Runner {
 public:
  Runner(const CleanKernels& clean, const Panel& panel, std::uint64_t seed)
      : panel_(panel), seed_(seed), records_(empty_records(panel)) {
    for (const auto& library : clean) paths_.push_back(library->new_target());
  }

  CaseRuns operator()(const Case& problem, std::uint64_t number) {
    CaseRuns result;
    result.is_legal = is_legal(problem);
    if (!result.is_legal) {
      for (const Case& run : runs_of({problem, oracle::Profile::Documented}, {}, seed_)) {
        result.runs.push_back(seen_run(run, number, std::nullopt));
      }
      return result;
    }
    for (const FillRow& row : fill_rows()) {
      const auto filled = with_fill(problem, row.fill, data_seed(problem, seed_));
      if (filled) result.runs.push_back(seen_run(*filled, number, row.fill));
    }
    return result;
  }

  const Records& records() const { return records_; }

 private:
  CourseRun seen_run(const Case& problem, std::uint64_t number, std::optional<Fill> fill) {
    const Observation seen = paths_.front()->run_case(problem);
    CourseRun run{number, fill, problem, {digest_of(problem, seen)}, panel_(problem, fill, seen)};
    for (std::size_t path = 1; path < paths_.size(); ++path) {
      run.clean.push_back(digest_of(problem, paths_[path]->run_case(problem)));
    }
    if (!fill) return run;
    record(problem, *fill, run.opinions, nullptr);
    if (ran_well(seen) && row_of(*fill).is_for_all) try_other_order(problem, *fill, number, seen);
    return run;
  }

  void try_other_order(const Case& problem, Fill fill, std::uint64_t number,
                       const Observation& seen) {
    const auto orders = summation_orders();
    const SummationOrder order = orders[number % orders.size()];
    const auto other = in_other_order(problem, seen, order);
    if (other) record(problem, fill, panel_(problem, fill, *other), &order);
  }

  /// `order`: null for the kernel itself.
  void record(const Case& problem, Fill fill, const std::vector<Opinion>& opinions,
              const SummationOrder* order) {
    for (std::size_t contestant = 0; contestant < opinions.size(); ++contestant) {
      CleanRecord& record = records_[contestant][static_cast<std::size_t>(fill)];
      (order == nullptr ? record.kernel : record.other_orders).add(opinions[contestant]);
      if (opinions[contestant] != Opinion::Rejects) continue;
      keep_smaller(record.alarm,
                   {problem, order == nullptr ? "the kernel" : std::string(name_of(*order)),
                    oracle::mac_count(problem).value_or(0)});
    }
  }

  std::vector<std::unique_ptr<Target>> paths_;
  const Panel& panel_;
  std::uint64_t seed_;
  Records records_;
};

}  // namespace

tl::expected<Course, std::string> course_of(const CleanKernels& clean, const Panel& panel,
                                            const CourseSettings& settings,
                                            const std::atomic<bool>& stop) {
  Selection selection;
  selection.max_macs = static_cast<std::int64_t>(settings.max_macs);
  const auto source = CaseSource::of(selection);
  if (!source) return tl::unexpected(source.error());
  std::vector<CaseRuns> cases(settings.cases);
  std::atomic<std::uint64_t> next{0};
  Course course;
  course.records = empty_records(panel);
  std::mutex merging;
  const auto work = [&] {
    Runner runner(clean, panel, settings.seed);
    for (std::uint64_t i = next++; i < settings.cases && !stop; i = next++) {
      cases[i] = runner((*source)(settings.seed, i), i + 1);
    }
    const std::scoped_lock lock(merging);
    merge(course.records, runner.records());
  };
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < std::max(settings.jobs, 1U); ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  for (CaseRuns& one : cases) {
    course.cases += one.runs.empty() ? 0 : 1;
    course.legal_cases += one.is_legal ? 1 : 0;
    std::ranges::move(one.runs, std::back_inserter(course.runs));
  }
  return course;
}

}  // namespace gradproof::properties
