// One table of what the benchmarks of a run measured, with the ratios that matter and the goals
// they have, and the same as one JSON file: bench_table OUT.json RESULT.json...
//
// A RESULT is Google Benchmark's JSON, or has the same "benchmarks" array: "name", "real_time",
// "time_unit", and numbers of its own.

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gradproof::bench {
namespace {

using Json = nlohmann::ordered_json;

/// Numbers that Google Benchmark writes in addition to the counters.
constexpr std::string_view own_numbers[] = {"family_index",     "per_family_instance_index",
                                            "repetitions",      "repetition_index",
                                            "threads",          "iterations",
                                            "real_time",        "cpu_time",
                                            "items_per_second", "bytes_per_second"};

enum class Goal : std::uint8_t { AtLeast, AtMost };

/// A number of one benchmark over that of another (empty: the number itself), and what it should
/// be.
struct Ratio {
  std::string_view words;
  std::string_view number;  ///< of both benchmarks
  std::string_view over, under;
  Goal goal;
  double target;
};

constexpr Ratio ratios[] = {
    {"full value verdicts a second and core", "items_per_second", "value_in_process/manual_time",
     "", Goal::AtLeast, 20'000},
    {"status verdicts a second and core", "items_per_second", "status_in_process/manual_time", "",
     Goal::AtLeast, 100'000},
    {"values: isolated time over that in one process", "items_per_second",
     "value_in_process/manual_time", "value_isolated/manual_time", Goal::AtMost, 1.05},
    {"statuses: isolated time over that in one process", "items_per_second",
     "status_in_process/manual_time", "status_isolated/manual_time", Goal::AtMost, 1.05},
    {"campaign: two cores over one (idle machine)", "items_per_second",
     "campaign/jobs:2/iterations:1/manual_time", "campaign/jobs:1/iterations:1/manual_time",
     Goal::AtLeast, 1.9},
};

bool is_own(std::string_view key) {
  return std::ranges::find(own_numbers, key) != std::end(own_numbers);
}

std::string magnitude(double value) {
  if (value >= 1e9) return fmt::format("{:.4g}G", value / 1e9);
  if (value >= 1e6) return fmt::format("{:.4g}M", value / 1e6);
  if (value >= 1e4) return fmt::format("{:.4g}k", value / 1e3);
  return fmt::format("{:.4g}", value);
}

std::string rate(const Json& row) {
  const auto rate = row.find("items_per_second");
  return rate != row.end() && rate->is_number() ? magnitude(rate->get<double>()) : "";
}

std::string counters(const Json& row) {
  std::string text;
  for (const auto& [key, value] : row.items()) {
    if (!value.is_number() || is_own(key)) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", key, magnitude(value.get<double>()));
  }
  return text;
}

std::string time_of(const Json& row) {
  return fmt::format("{:.4g} {}", row.value("real_time", 0.0), row.value("time_unit", ""));
}

const Json* row_named(const Json& rows, std::string_view name) {
  const auto row =
      std::ranges::find_if(rows, [&](const Json& it) { return it.value("name", "") == name; });
  return row == rows.end() ? nullptr : &*row;
}

std::optional<double> number_of(const Json& rows, std::string_view name, std::string_view number) {
  const Json* row = row_named(rows, name);
  if (row == nullptr || !row->contains(number)) return std::nullopt;
  return row->at(std::string(number)).get<double>();
}

std::optional<double> value_of(const Json& rows, const Ratio& ratio) {
  const auto over = number_of(rows, ratio.over, ratio.number);
  if (!over || ratio.under.empty()) return over;
  const auto under = number_of(rows, ratio.under, ratio.number);
  if (!under || *under == 0) return std::nullopt;
  return *over / *under;
}

void print_rows(const Json& rows) {
  std::size_t width = 10;
  for (const Json& row : rows) width = std::max(width, row.value("name", "").size());
  fmt::print("{:<{}} | {:>12} | {:>10} | numbers\n", "benchmark", width, "time", "per second");
  for (const Json& row : rows) {
    fmt::print("{:<{}} | {:>12} | {:>10} | {}\n", row.value("name", ""), width, time_of(row),
               rate(row), counters(row));
  }
}

Json printed_ratios(const Json& rows) {
  Json found = Json::array();
  for (const Ratio& ratio : ratios) {
    const auto value = value_of(rows, ratio);
    if (!value) continue;
    const bool is_met =
        ratio.goal == Goal::AtLeast ? *value >= ratio.target : *value <= ratio.target;
    fmt::print("{:<52} {:>10}   goal {} {}: {}\n", ratio.words, magnitude(*value),
               ratio.goal == Goal::AtLeast ? ">=" : "<=", magnitude(ratio.target),
               is_met ? "met" : "missed");
    found.push_back({{"ratio", ratio.words}, {"value", *value}, {"goal", ratio.target}});
  }
  return found;
}

int fail(const std::string& problem) {
  fmt::print(stderr, "bench_table: {}\n", problem);
  return 2;
}

int run(std::span<char*> arguments) {
  if (arguments.size() < 3) return fail("usage: bench_table OUT.json RESULT.json...");
  Json all;
  all["benchmarks"] = Json::array();
  for (const char* name : arguments.subspan(2)) {
    std::ifstream file(name);
    const Json result = Json::parse(file, nullptr, false);
    if (result.is_discarded() || !result.contains("benchmarks")) {
      return fail(fmt::format("{}: no JSON with \"benchmarks\"", name));
    }
    if (!all.contains("context") && result.contains("context")) all["context"] = result["context"];
    for (const Json& row : result["benchmarks"]) all["benchmarks"].push_back(row);
  }
  print_rows(all["benchmarks"]);
  fmt::print("\n");
  all["ratios"] = printed_ratios(all["benchmarks"]);
  std::ofstream out(arguments[1]);
  out << all.dump(1) << '\n';
  out.flush();
  if (!out) return fail(fmt::format("{}: cannot be written", arguments[1]));
  fmt::print("\nwritten to {}\n", arguments[1]);
  return 0;
}

}  // namespace
}  // namespace gradproof::bench

int main(int count, char** arguments) try {
  return gradproof::bench::run({arguments, static_cast<std::size_t>(count)});
} catch (const std::exception& error) {
  std::fputs(error.what(), stderr);
  return 1;
}
