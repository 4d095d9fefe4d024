#include "properties/runs/campaign/shard_budget.h"

#include <algorithm>
#include <thread>
#include <vector>

#include "properties/runs/campaign/item_runs.h"

namespace gradproof::runs {
namespace {

/// Number of lines that the item adds to the results file.
std::uint64_t line_count(const Work& work, std::uint64_t number, const CampaignSettings& settings) {
  const WorkItem item = work.item(number);
  return skipped_for_size(item.test_case, settings) ? 1 : runs_of_item(work, item, settings).size();
}

/// Numbers of lines of the items from `first`, in their order.
std::vector<std::uint64_t> line_counts(const Work& work, std::uint64_t first, std::uint64_t count,
                                       const CampaignSettings& settings) {
  std::vector<std::uint64_t> counts(count);
  std::atomic<std::uint64_t> next{0};
  const auto count_some = [&] {
    for (std::uint64_t i = next++; i < count; i = next++) {
      counts[i] = line_count(work, first + i, settings);
    }
  };
  std::vector<std::thread> workers;
  for (unsigned i = 1; i < std::max(1U, settings.jobs); ++i) workers.emplace_back(count_some);
  count_some();
  for (std::thread& worker : workers) worker.join();
  return counts;
}

}  // namespace

std::uint64_t cases_of_shard(const Work& work, const CampaignSettings& settings,
                             std::uint64_t cases, const std::atomic<bool>& stop) {
  constexpr std::uint64_t most_at_once = 4'096;
  std::uint64_t all = 0, own = 0;
  for (std::uint64_t first = 0; first < work.size() && all < cases && !stop.load();) {
    // An item has a line or several, almost always: no more are drawn than can be needed.
    const std::uint64_t count = std::min({work.size() - first, most_at_once, cases - all});
    const auto counts = line_counts(work, first, count, settings);
    for (std::uint64_t i = 0; i < count && all < cases; ++i) {
      const std::uint64_t lines = std::min(counts[i], cases - all);
      all += lines;
      if (work.holds(first + i)) own += lines;
    }
    first += count;
  }
  return own;
}

}  // namespace gradproof::runs
