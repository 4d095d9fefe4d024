// What a campaign costs: verdicts a second by class, the share of each stage, what isolation and a
// second core do, and memory. Times are processor time of all threads, where not said otherwise:
// others may use the machine too. Where the target is in a child process, its time is counted.

#include <benchmark/benchmark.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>

#include "bench/campaign_cases.h"
#include "bench/campaign_stages.h"
#include "bench/process_usage.h"
#include "properties/cases/check/check.h"
#include "properties/cases/generators/random_case.h"
#include "properties/cases/laws/law.h"
#include "properties/runs/campaign/campaign.h"
#include "properties/targets/isolation/child_target.h"
#include "properties/targets/isolation/isolated_library.h"
#include "properties/targets/session/loaded_library.h"
#include "properties/targets/target/library.h"
#include "properties/targets/target/target.h"

namespace gradproof::bench {
namespace {

namespace fs = std::filesystem;
using corpus::Case;
using LibraryPointer = std::shared_ptr<const targets::Library>;

/// Isolated first: a child must not inherit a library that this process has loaded.
const LibraryPointer& isolated() {
  static const LibraryPointer library = *targets::IsolatedLibrary::load({});
  return library;
}
const targets::LoadedLibrary::Pointer& inside() {
  static const targets::LoadedLibrary::Pointer library =
      (isolated(), *targets::LoadedLibrary::load({}));
  return library;
}

/// A folder for one campaign, removed with its content.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / fmt::format("campaign-bench-{}", ::getpid())) {
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::int32_t child_of(const targets::Target& target) {
  const auto* child = dynamic_cast<const targets::ChildTarget*>(&target);
  return child != nullptr ? child->process() : 0;
}

/// Measures one round of `work`, which tells how many verdicts it reached, by processor time.
void measure(benchmark::State& state, const targets::Target& target,
             const std::function<std::size_t()>& work) {
  work();  // what is made once: child, contexts, streams, free lists
  std::size_t verdicts = 0;
  for (auto _ : state) {
    const double begin = processor_seconds(child_of(target));
    verdicts += work();
    state.SetIterationTime(processor_seconds(child_of(target)) - begin);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(verdicts));
  state.counters["peak_MB"] = peak_megabytes();
  if (child_of(target) != 0) state.counters["child_peak_MB"] = peak_megabytes(child_of(target));
}

/// The calls, so many at a time, and a verdict on each.
std::size_t judge_all(targets::Target& target, std::span<const Case> cases, std::size_t together) {
  for (std::size_t begin = 0; begin < cases.size(); begin += together) {
    const auto some = cases.subspan(begin, std::min(together, cases.size() - begin));
    const auto seen = target.run_cases(some);
    for (std::size_t i = 0; i < some.size(); ++i) {
      benchmark::DoNotOptimize(cases::judged({some[i], oracle::Profile::Documented}, seen[i], {}));
    }
  }
  return cases.size();
}

/// Number of cases that a campaign hands to a child at once.
constexpr std::size_t together_in_campaign = 32;

void value_verdicts(benchmark::State& state, const LibraryPointer& library) {
  static const std::vector<Case> runs = value_runs(500);
  const auto target = library->new_target();
  state.counters["mean_MACs"] = mean_macs(runs);
  measure(state, *target, [&] { return judge_all(*target, runs, together_in_campaign); });
}

void status_verdicts(benchmark::State& state, const LibraryPointer& library) {
  static const std::vector<Case> calls = refused_calls(1000);
  const auto target = library->new_target();
  measure(state, *target, [&] { return judge_all(*target, calls, together_in_campaign); });
}

void law_verdicts(benchmark::State& state, const LibraryPointer& library) {
  static const std::vector<LawRun> runs = law_runs(300);
  const auto target = library->new_target();
  measure(state, *target, [&] {
    for (const LawRun& run : runs) {
      benchmark::DoNotOptimize(cases::check_law(*run.law, *target, run.test_case, {}));
    }
    return runs.size();
  });
}

void stages(benchmark::State& state) {
  static const auto indices = value_case_indices(300);
  const Folder folder;
  StageTimes sum;
  stage_times(inside(), indices, folder.path());
  for (auto _ : state) {
    const StageTimes times = stage_times(inside(), indices, folder.path());
    double all = 0;
    for (std::size_t i = 0; i < times.seconds.size(); ++i) {
      all += times.seconds[i];
      sum.seconds[i] += times.seconds[i];
    }
    sum.runs += times.runs;
    state.SetIterationTime(all);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(sum.runs));
  for (std::size_t i = 0; i < sum.seconds.size(); ++i) {
    state.counters[fmt::format("{}_us", stage_names.at(i))] =
        sum.seconds[i] / static_cast<double>(sum.runs) * 1e6;
  }
}

struct CampaignRun {
  std::size_t verdicts = 0;
  double seconds = 0;
};

/// Runs what `gradproof verify` does, stored cases left out; wall time.
CampaignRun run_of_campaign(const LibraryPointer& library, unsigned jobs, std::uint64_t cases) {
  const Folder folder;
  runs::Work work;
  cases::Selection selection;
  selection.apis = {cases::generated_apis.begin(), cases::generated_apis.end()};
  work.source = *cases::CaseSource::of(selection);
  work.seed = campaign_seed;
  runs::CampaignSettings settings;
  settings.budget.cases = cases;
  settings.jobs = jobs;
  settings.folder = folder.path();
  auto results = *findings::ResultsFile::open(folder.path());
  auto journal = *runs::Journal::open(folder.path(), runs::RunHead{}, runs::RunPosition{});
  settings.journal = &journal;
  runs::Progress progress;
  const std::atomic<bool> stop{false};
  const auto done = runs::run_campaign(library, work, settings, results, progress, stop);
  return {done.summary.cases(), done.seconds};
}

/// Measures wall time: only an idle machine shows what a second core gains.
void campaign(benchmark::State& state) {
  const auto jobs = static_cast<unsigned>(state.range(0));
  constexpr std::uint64_t cases = 10'000;
  std::size_t verdicts = 0;
  for (auto _ : state) {
    const CampaignRun run = run_of_campaign(isolated(), jobs, cases);
    verdicts += run.verdicts;
    state.SetIterationTime(run.seconds);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(verdicts));
  state.counters["peak_MB"] = peak_megabytes();
}

void value_in_process(benchmark::State& state) { value_verdicts(state, inside()); }
void value_isolated(benchmark::State& state) { value_verdicts(state, isolated()); }
void status_in_process(benchmark::State& state) { status_verdicts(state, inside()); }
void status_isolated(benchmark::State& state) { status_verdicts(state, isolated()); }
void laws_in_process(benchmark::State& state) { law_verdicts(state, inside()); }
void laws_isolated(benchmark::State& state) { law_verdicts(state, isolated()); }

BENCHMARK(value_in_process)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(value_isolated)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(status_in_process)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(status_isolated)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(laws_in_process)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(laws_isolated)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(stages)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(campaign)->ArgName("jobs")->Arg(1)->Arg(2)->UseManualTime()->Iterations(1)->Unit(
    benchmark::kMillisecond);

}  // namespace
}  // namespace gradproof::bench
