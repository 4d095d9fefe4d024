#include "properties/advice/interop/observations.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <unordered_set>

#include "corpus/case_error.h"
#include "corpus/json/json_text.h"
#include "properties/findings/provenance/provenance.h"

namespace gradproof::advice {
namespace {

namespace fs = std::filesystem;
using Line = nlohmann::ordered_json;

/// Hypothesis has three; what shows nothing of the target is given up.
std::string status_of(const Line& line) {
  const std::string verdict = line.at("verdict").get<std::string>();
  if (verdict == "agree") return "passed";
  return verdict == "disagree" ? "failed" : "gave_up";
}

/// The call itself is in a results line where it disagrees.
Line call_arguments_of(const Line& line) {
  if (line.contains("case")) return line["case"];
  Line arguments;
  for (const char* key : {"id", "soc", "dtype", "cube"}) arguments[key] = line.at(key);
  return arguments;
}

/// Those of the members that the line has.
Line picked(const Line& line, std::initializer_list<const char*> keys) {
  Line members;
  for (const char* key : keys) {
    if (line.contains(key)) members[key] = line[key];
  }
  return members;
}

/// Returns the members that group cases, and how near each gradient came to its bound.
Line features_of(const Line& line) {
  Line features =
      picked(line, {"soc", "dtype", "cube", "recipe", "verdict", "kind", "output", "status"});
  if (!line.contains("outputs")) return features;
  for (const auto& [name, evidence] : line["outputs"].items()) {
    for (const char* key : {"ulp_max", "bound_ratio", "terms"}) {
      if (evidence.contains(key)) features[name + "." + key] = evidence[key];
    }
  }
  return features;
}

Line observation(const Line& line, double run_start) {
  Line result;
  result["type"] = "test_case";
  result["status"] = status_of(line);
  result["status_reason"] = line.value("reason", "");
  result["representation"] = line.at("repro");
  result["arguments"] = call_arguments_of(line);
  result["how_generated"] =
      line.contains("recipe") ? Line("recipe " + line["recipe"].get<std::string>()) : Line();
  result["features"] = features_of(line);
  result["coverage"] = nullptr;
  result["timing"] = {{"execute:test", line.at("milliseconds").get<double>() / 1000}};
  result["metadata"] =
      picked(line, {"schema", "seed", "line", "shard", "held_to", "admitted", "rules", "outputs"});
  result["property"] =
      fmt::format("{} of {} ({})", line.at("law").get<std::string>(),
                  line.at("target").get<std::string>(), line.at("profile").get<std::string>());
  result["run_start"] = run_start;
  return result;
}

/// Seconds at which the folder's first run began; 0: it does not say.
double run_start_of(const fs::path& results) {
  const auto runs = findings::read_provenance(results.parent_path());
  if (!runs || runs->empty()) return 0;
  std::tm time{};
  const bool is_read = ::strptime(runs->front().started.c_str(), "%Y-%m-%dT%H:%M:%SZ", &time);
  return is_read ? static_cast<double>(::timegm(&time)) : 0;
}

/// The line without how long the case took and the command, which names the folder.
std::string_view what_is_said(std::string_view line) {
  return line.substr(0, line.rfind(",\"milliseconds\":"));
}

class ObservationWriter {
 public:
  explicit ObservationWriter(const fs::path& file) : name_(file.string()), out_(file) {}

  std::optional<std::string> add(const fs::path& results) {
    errno = 0;
    std::ifstream lines(results);
    if (!lines) return problem(results.string(), "can't be opened");
    const double start = run_start_of(results);
    std::string line;
    for (std::uint64_t number = 1; std::getline(lines, line); ++number) {
      if (!seen_.insert(std::hash<std::string_view>()(what_is_said(line))).second) continue;
      const auto read = observation_of(line, start);
      if (!read && lines.eof()) return std::nullopt;  // cut off
      if (!read) return fmt::format("{}:{}: {}", results.string(), number, read.error());
      out_ << *read << '\n';
    }
    return std::nullopt;
  }

  std::optional<std::string> close() {
    out_.close();
    if (out_) return std::nullopt;
    if (errno == 0) errno = EIO;  // a stream that failed earlier says no more than that
    return problem(name_, "can't be written");
  }

 private:
  static std::string problem(const std::string& file, std::string_view what) {
    return fmt::format("{}: {}: {}", file, what, std::strerror(errno));
  }

  std::string name_;
  std::ofstream out_;
  std::unordered_set<std::size_t> seen_;
};

}  // namespace

tl::expected<std::string, std::string> observation_of(std::string_view results_line,
                                                      double run_start) {
  try {
    const auto line = Line::parse(results_line);
    return corpus::json_text(observation(line, run_start));
  } catch (const Line::exception& error) {
    return tl::unexpected(
        fmt::format("not a line of results: {}", corpus::words_of_json_error(error)));
  }
}

std::optional<std::string> write_observations(const std::vector<fs::path>& results,
                                              const fs::path& file) {
  errno = 0;
  ObservationWriter writer(file);
  for (const fs::path& one : results) {
    if (auto problem = writer.add(one)) return problem;
  }
  return writer.close();
}

}  // namespace gradproof::advice
