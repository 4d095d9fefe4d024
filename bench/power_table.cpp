#include "bench/power_table.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>

namespace gradproof::bench {
namespace {

constexpr double forever = std::numeric_limits<double>::infinity();
constexpr double median = 0.5;

double seconds_to_find(const HuntRow& row) {
  if (!row.hunt.found) return forever;
  return row.hunt.seconds;
}
double cases_to_find(const HuntRow& row) {
  return row.hunt.found ? static_cast<double>(row.hunt.cases) : forever;
}

/// The smallest figure that so many of all do not exceed; `values` in ascending order.
double quantile(const std::vector<double>& values, double share) {
  const double rank = std::ceil(share * static_cast<double>(values.size()));
  return values[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

std::string cell(double value, int digits) {
  return value == forever ? "missed" : fmt::format("{:.{}f}", value, digits);
}

/// Three cells of a row.
std::string distribution(const std::vector<HuntRow>& rows, double (*figure)(const HuntRow&),
                         int digits) {
  std::vector<double> values;
  values.reserve(rows.size());
  for (const HuntRow& row : rows) values.push_back(figure(row));
  std::ranges::sort(values);
  constexpr double most = 0.95;
  return fmt::format(" {:>9} {:>9} {:>9}", cell(quantile(values, median), digits),
                     cell(quantile(values, most), digits), cell(values.back(), digits));
}

std::string table_row(std::string_view half, std::string_view group,
                      const std::vector<HuntRow>& rows) {
  if (rows.empty()) return {};
  const auto found = std::ranges::count_if(rows, [](const HuntRow& row) { return row.hunt.found; });
  return fmt::format("{:<9} {:<8} {:>5} {:>5}{}{}\n", half, group, rows.size(), found,
                     distribution(rows, seconds_to_find, 3), distribution(rows, cases_to_find, 0));
}

std::vector<HuntRow> those(const std::vector<HuntRow>& rows,
                           const std::function<bool(const PlantedFault&)>& wanted) {
  std::vector<HuntRow> chosen;
  std::ranges::copy_if(rows, std::back_inserter(chosen),
                       [&](const HuntRow& row) { return wanted(row.fault); });
  return chosen;
}

}  // namespace

std::string power_table(const std::vector<HuntRow>& rows) {
  std::string text =
      fmt::format("{:<9} {:<8} {:>5} {:>5} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "half", "faults",
                  "hunts", "found", "s median", "s 95 %", "s worst", "cases", "95 %", "worst");
  for (const FaultHalf half : {FaultHalf::Choosing, FaultHalf::Showing}) {
    for (const FaultGroup group : {FaultGroup::Seeded, FaultGroup::Museum, FaultGroup::Mutant}) {
      text += table_row(name_of(half), name_of(group), those(rows, [&](const PlantedFault& fault) {
                          return fault.half == half && fault.group == group;
                        }));
    }
    text += table_row(name_of(half), "all",
                      those(rows, [&](const PlantedFault& fault) { return fault.half == half; }));
  }
  std::vector<double> starts;
  starts.reserve(rows.size());
  for (const HuntRow& row : rows) starts.push_back(row.hunt.start);
  std::ranges::sort(starts);
  return text + table_row("both", "all", rows) +
         fmt::format("before the first case: {:.3f} s\n", quantile(starts, median));
}

std::string slowest_table(const std::vector<HuntRow>& rows, std::size_t most) {
  std::vector<const HuntRow*> slowest;
  slowest.reserve(rows.size());
  for (const HuntRow& row : rows) slowest.push_back(&row);
  std::ranges::stable_sort(slowest, std::greater<>(),
                           [](const HuntRow* row) { return seconds_to_find(*row); });
  std::string text =
      fmt::format("{:>9} {:>9} {:>5}  {:<8} slowest\n", "seconds", "cases", "seed", "half");
  for (std::size_t i = 0; i < std::min(most, slowest.size()); ++i) {
    const HuntRow& row = *slowest[i];
    text += fmt::format("{:>9} {:>9} {:>5}  {:<8} {}{}\n", cell(seconds_to_find(row), 3),
                        row.hunt.cases, row.seed, name_of(row.fault.half), row.fault.name,
                        row.hunt.found ? fmt::format(" ({})", row.hunt.by) : "");
  }
  return text;
}

std::string spending_table(const std::vector<HuntRow>& rows) {
  std::array<Spent, most_sorts> sums{};
  std::array<std::uint64_t, most_sorts> found{};
  double all = 0;
  for (const HuntRow& row : rows) {
    for (std::size_t sort = 0; sort < most_sorts; ++sort) {
      sums.at(sort).runs += row.hunt.spent.at(sort).runs;
      sums.at(sort).seconds += row.hunt.spent.at(sort).seconds;
      all += row.hunt.spent.at(sort).seconds;
    }
    found.at(row.hunt.sort) += row.hunt.found ? 1 : 0;
  }
  std::string text = fmt::format("{:>9} {:>6} {:>9} {:>6}  what runs show\n", "runs", "% time",
                                 "us a run", "found");
  for (std::size_t sort = 0; sort < most_sorts; ++sort) {
    const Spent& sum = sums.at(sort);
    if (sum.runs == 0) continue;
    text += fmt::format("{:>9} {:>6.1f} {:>9.0f} {:>6}  {}\n", sum.runs, 100 * sum.seconds / all,
                        1e6 * sum.seconds / static_cast<double>(sum.runs), found.at(sort),
                        name_of_sort(sort));
  }
  return text;
}

std::string hunts_as_json(const std::vector<HuntRow>& rows) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const HuntRow& row : rows) {
    json.push_back({{"fault", row.fault.name},
                    {"group", name_of(row.fault.group)},
                    {"half", name_of(row.fault.half)},
                    {"seed", row.seed},
                    {"found", row.hunt.found},
                    {"seconds", row.hunt.seconds},
                    {"cases", row.hunt.cases},
                    {"shown", name_of_sort(row.hunt.sort)},
                    {"by", row.hunt.by}});
  }
  return json.dump(1) + "\n";
}

}  // namespace gradproof::bench
