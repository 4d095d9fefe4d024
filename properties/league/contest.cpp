#include "properties/league/contest.h"

#include <algorithm>
#include <mutex>
#include <thread>

#include "properties/isolation/isolated_library.h"
#include "properties/target/target.h"

namespace gradproof::properties {
namespace {

using Clock = std::chrono::steady_clock;

FoundAt earlier(FoundAt one, FoundAt other) {
  if (!one || !other) return one ? one : other;
  return std::min(*one, *other);
}

FoundAt& found_in(Contest& contest, std::size_t contestant, const CourseRun& run) {
  if (!run.fill) return contest.found_without_data;
  return contest.found[contestant][static_cast<std::size_t>(*run.fill)];
}

/// One fault on the course.
class Trial {
 public:
  Trial(const SeededFault& fault, const Course& course, const Panel& panel)
      : course_(course), panel_(panel) {
    contest_.fault = fault;
    contest_.found.assign(panel.size(), std::vector<FoundAt>(fill_rows().size()));
  }

  Contest operator()(const ContestSettings& settings, const std::atomic<bool>& stop) {
    const Clock::time_point begin = Clock::now();
    IsolationSettings isolation;
    isolation.environment = {{"GRADPROOF_FAULT", contest_.fault.name}};
    const auto library = IsolatedLibrary::load(settings.libraries, isolation);
    if (!library) {
      contest_.problem = library.error();
      return contest_;
    }
    const auto target = (*library)->new_target();
    for (const CourseRun& run : course_.runs) {
      if (stop || Clock::now() - begin >= settings.time || is_over()) break;
      contest_.cases = run.case_number;
      if (!is_found_by_all(run.fill)) judge(*target, run);
    }
    contest_.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return contest_;
  }

 private:
  /// Opinions of all contestants that judge such runs: calls that are not legal are judged by
  /// Gradproof alone.
  bool is_found_by_all(std::optional<Fill> fill) const {
    if (!fill) return contest_.found_without_data.has_value();
    if (!row_of(*fill).is_for_all) {
      return contest_.found[Panel::gradproof][static_cast<std::size_t>(*fill)].has_value();
    }
    return std::ranges::all_of(contest_.found, [&](const std::vector<FoundAt>& by_fill) {
      return by_fill[static_cast<std::size_t>(*fill)].has_value();
    });
  }

  /// No later run can change the counts.
  bool is_over() const {
    return std::ranges::all_of(fill_rows(),
                               [&](const FillRow& row) { return is_found_by_all(row.fill); });
  }

  void judge(Target& target, const CourseRun& run) {
    const corpus::Observation seen = target.run_case(run.problem);
    const Digest digest = digest_of(run.problem, seen);
    if (std::ranges::find(run.clean, digest) != run.clean.end()) return;
    const bool has_clean_values =
        std::ranges::find(run.clean, digest.values, &Digest::values) != run.clean.end();
    contest_.reaches_values |= run.fill.has_value() && !has_clean_values;
    const auto opinions = panel_(run.problem, run.fill, seen);
    for (std::size_t contestant = 0; contestant < opinions.size(); ++contestant) {
      const bool is_new_alarm =
          opinions[contestant] == Opinion::Rejects && run.opinions[contestant] != Opinion::Rejects;
      FoundAt& found = found_in(contest_, contestant, run);
      if (is_new_alarm && !found) found = run.case_number;
    }
  }

  const Course& course_;
  const Panel& panel_;
  Contest contest_;
};

}  // namespace

FoundAt Contest::found_by(const Panel& panel, std::size_t contestant) const {
  FoundAt first = contestant == Panel::gradproof ? found_without_data : FoundAt();
  for (const FillRow& row : fill_rows()) {
    if (!panel.is_own(contestant, row.fill)) continue;
    first = earlier(first, found.at(contestant).at(static_cast<std::size_t>(row.fill)));
  }
  return first;
}

FoundAt Contest::found_on_our_data(const Panel& panel, std::size_t contestant) const {
  FoundAt first;
  for (const FillRow& row : fill_rows()) {
    if (!panel.is_own(Panel::gradproof, row.fill)) continue;
    first = earlier(first, found.at(contestant).at(static_cast<std::size_t>(row.fill)));
  }
  return first;
}

std::vector<Contest> contests_of(const std::vector<SeededFault>& faults, const Course& course,
                                 const Panel& panel, const ContestSettings& settings,
                                 const std::atomic<bool>& stop,
                                 const std::function<void(const Contest&)>& finished) {
  std::vector<Contest> contests(faults.size());
  std::atomic<std::size_t> next{0};
  std::mutex telling;
  const auto work = [&] {
    for (std::size_t i = next++; i < faults.size() && !stop; i = next++) {
      contests[i] = Trial(faults[i], course, panel)(settings, stop);
      const std::scoped_lock lock(telling);
      finished(contests[i]);
    }
  };
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < std::max(settings.jobs, 1U); ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  // After Ctrl-C: those that were never begun.
  std::erase_if(contests, [](const Contest& contest) { return contest.fault.name.empty(); });
  return contests;
}

}  // namespace gradproof::properties
