#include "properties/findings/results/merge.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "properties/findings/results/results_line_reader.h"
#include "properties/findings/results/shard_roll.h"
#include "properties/findings/results/sums_line.h"

namespace gradproof::findings {
namespace {

namespace fs = std::filesystem;

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// The lines of a file, and whether each had its end.
class Lines {
 public:
  explicit Lines(const fs::path& path) : file_(std::fopen(path.c_str(), "rb")) {}

  bool is_open() const { return file_ != nullptr; }
  bool has_failed() const { return std::ferror(file_.get()) != 0; }
  bool was_cut() const { return was_cut_; }

  /// Valid until the next call; nullopt at the end of the file.
  std::optional<std::string_view> next() {
    for (;;) {
      const std::size_t end = buffer_.find('\n', scanned_);
      if (end != std::string::npos) return taken(end, end + 1);
      scanned_ = buffer_.size();
      if (!refill()) break;
    }
    if (begin_ == buffer_.size()) return std::nullopt;
    was_cut_ = true;
    return taken(buffer_.size(), buffer_.size());
  }

 private:
  std::string_view taken(std::size_t end, std::size_t next) {
    const std::string_view line(buffer_.data() + begin_, end - begin_);
    begin_ = scanned_ = next;
    return line;
  }

  bool refill() {
    constexpr std::size_t piece = std::size_t{1} << 20U;
    buffer_.erase(0, begin_);
    scanned_ -= begin_;
    begin_ = 0;
    const std::size_t before = buffer_.size();
    buffer_.resize(before + piece);
    const std::size_t got = std::fread(buffer_.data() + before, 1, piece, file_.get());
    buffer_.resize(before + got);
    return got > 0;
  }

  std::unique_ptr<std::FILE, Close> file_;
  std::string buffer_;
  std::size_t begin_ = 0, scanned_ = 0;
  bool was_cut_ = false;
};

/// The line without its last members, the time that the case took and the command that runs it
/// again (which names the folder): what says the same of the same case.
std::string_view what_it_says(std::string_view line) {
  return line.substr(0, line.rfind(",\"milliseconds\":"));
}

class Merge {
 public:
  /// Errors: a sentence.
  std::optional<std::string> add(const fs::path& path) {
    Lines lines(path);
    if (!lines.is_open()) return problem(path, std::strerror(errno));
    std::uint64_t number = 0;
    while (const auto text = lines.next()) {
      ++number;
      auto failed = add_line(*text);
      if (failed && lines.was_cut()) {
        merged_.cuts.push_back(
            fmt::format("{}: is cut off within line {}; the {} lines before it are counted",
                        path.string(), number, number - 1));
      } else if (failed) {
        return fmt::format("{}:{}: {}", path.string(), number, *failed);
      }
    }
    if (lines.has_failed()) return problem(path, std::strerror(errno));
    return std::nullopt;
  }

  /// Errors: a sentence.
  std::optional<std::string> add_records(const fs::path& folder) {
    const auto records = read_shard_records(folder);
    if (!records) return records.error();
    for (const ShardRecord& record : *records) shards_.add(record);
    return std::nullopt;
  }

  /// Errors: a sentence.
  tl::expected<MergedResults, std::string> finished() && {
    for (const auto& [place, sums] : sums_) {
      if (line_by_line_.contains(place.first)) return tl::unexpected(counted_twice(sums.heading));
      merged_.summary.merge(sums.summary);
      shards_.add(sums.heading, sums.summary.cases());
      for (const auto& [mode, times] : sums.times) merged_.times[mode].merge(times);
    }
    merged_.missing_shards = shards_.complaints();
    merged_.verified_in_shards = shards_.has_verified();
    return std::move(merged_);
  }

 private:
  /// Origin of a line: target, profile, seed, shard, N.
  using Origin = std::tuple<std::string, std::string, std::uint64_t, std::uint64_t, std::uint64_t>;

  static std::string counted_twice(const LineHeading& heading) {
    return fmt::format(
        "the run of seed {} on {} (profile {}) is there twice, with `--set results=all` and with "
        "`--set results=failures`; give one of the two",
        heading.seed, heading.target, heading.profile);
  }

  static std::string problem(const fs::path& path, const char* why) {
    return fmt::format("{}: cannot be read: {}", path.string(), why);
  }

  std::optional<std::string> add_line(std::string_view text) {
    if (text.empty()) return std::nullopt;
    if (is_sums_line(text)) return add_sums(text);
    const auto line = parse_results_line(text);
    if (!line) return line.error();
    const bool is_new = seen_.insert(std::hash<std::string_view>{}(what_it_says(text))).second;
    if (!is_new) return std::nullopt;
    merged_.summary.add(*line);
    shards_.add(*line);
    note_line(*line);
    note_time(merged_.times, line->mode, line->verdict);
    return std::nullopt;
  }

  std::optional<std::string> add_sums(std::string_view text) {
    auto sums = parse_sums_line(text);
    if (!sums) return sums.error();
    const LineHeading& heading = sums->heading;
    note_origin(heading.target, heading.profile, heading.seed);
    const Origin origin{heading.target, heading.profile, heading.seed, heading.shard_index,
                        heading.shard_count};
    const auto [kept, is_new] = sums_.try_emplace({origin, sums->first}, *sums);
    if (!is_new && kept->second.summary.cases() < sums->summary.cases()) {
      kept->second = std::move(*sums);
    }
    return std::nullopt;
  }

  /// Neighbours are mostly of one run.
  void note_line(const ResultsLine& line) {
    const bool disagrees = line.verdict.outcome == corpus::Outcome::Disagree;
    const auto origin =
        std::tie(line.target, line.profile, line.seed, line.shard_index, line.shard_count);
    if (origin == last_origin_ && (disagrees || line_by_line_.contains(last_origin_))) return;
    last_origin_ = origin;
    note_origin(line.target, line.profile, line.seed);
    // A disagreement has a line of its own in either case.
    if (!disagrees) line_by_line_.insert(last_origin_);
  }

  void note_origin(const std::string& target, const std::string& profile, std::uint64_t seed) {
    merged_.targets.insert(target);
    merged_.profiles.insert(profile);
    merged_.seeds.insert(seed);
  }

  MergedResults merged_;
  std::unordered_set<std::uint64_t> seen_;
  ShardRoll shards_;
  std::map<std::pair<Origin, std::uint64_t>, SumsLine> sums_;  ///< and the number of its first run
  std::set<Origin> line_by_line_;
  Origin last_origin_;
};

}  // namespace

tl::expected<MergedResults, std::string> merge_results(const std::vector<fs::path>& files,
                                                       const std::vector<fs::path>& folders) {
  Merge merge;
  std::set<fs::path> with_records(folders.begin(), folders.end());
  for (const fs::path& file : files) {
    if (auto problem = merge.add(file)) return tl::unexpected(std::move(*problem));
    with_records.insert(file.parent_path());
  }
  for (const fs::path& folder : with_records) {
    if (auto problem = merge.add_records(folder)) return tl::unexpected(std::move(*problem));
  }
  return std::move(merge).finished();
}

}  // namespace gradproof::findings
