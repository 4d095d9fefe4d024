#include "properties/runs/campaign/journal.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "corpus/case_json.h"
#include "corpus/json/json_text.h"
#include "corpus/words/file_contents.h"

namespace gradproof::runs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t line_width = 128;

fs::path head_file(const fs::path& folder) { return folder / "run.json"; }
fs::path journal_file(const fs::path& folder) { return folder / "journal.jsonl"; }

std::string text_of(const fs::path& file) {
  return corpus::file_contents(file).value_or("");  // what is no file cannot be written either
}

// ---- run.json

Json json_of(const FatalCase& fatal) {
  Json json{{"item", fatal.item}, {"run", fatal.run}};
  if (fatal.signal) json["signal"] = *fatal.signal;
  if (!fatal.signal) json["exitCode"] = fatal.exit_code;
  return json;
}

FatalCase fatal_case_of(const Json& json) {
  FatalCase fatal{.item = json.at("item"), .run = json.at("run"), .signal = {}};
  if (json.contains("signal")) fatal.signal = json.at("signal").get<int>();
  if (!fatal.signal) fatal.exit_code = json.at("exitCode");
  return fatal;
}

std::string text_of(const RunHead& head) {
  Json json{{"run", head.number},       {"settings", head.settings},
            {"seed", head.seed},        {"stretches", head.stretches},
            {"begin", head.begin},      {"fatalCases", Json::array()},
            {"findings", Json::array()}};
  for (const FatalCase& fatal : head.fatal_cases) json["fatalCases"].push_back(json_of(fatal));
  for (const StoredCase& finding : head.findings) {
    json["findings"].push_back(
        {{"file", finding.file}, {"case", corpus::to_json_line(finding.test_case)}});
  }
  return corpus::json_text(json) + '\n';
}

/// The library reports a missing or mistyped member by an exception; it ends here.
std::optional<RunHead> read_head(const fs::path& folder) try {
  const Json json = Json::parse(text_of(head_file(folder)));
  RunHead head;
  head.number = json.at("run");
  head.settings = json.at("settings");
  head.seed = json.at("seed");
  head.stretches = json.at("stretches").get<decltype(head.stretches)>();
  head.begin = json.at("begin");
  for (const Json& fatal : json.at("fatalCases")) {
    head.fatal_cases.push_back(fatal_case_of(fatal));
  }
  for (const Json& finding : json.at("findings")) {
    auto problem = corpus::parse_case(finding.at("case").get<std::string>());
    if (!problem) return std::nullopt;
    head.findings.push_back({std::move(*problem), finding.at("file")});
  }
  return head;
} catch (const Json::exception&) {
  return std::nullopt;
}

// ---- journal.jsonl

std::string text_of(std::uint64_t run, const RunPosition& position) {
  return fmt::format(
      R"({{"run":{},"blocks":{},"bytes":{},"milliseconds":{},"finished":{},"settled":{}}})", run,
      position.blocks, position.bytes, position.elapsed.count(), position.finished,
      position.settled);
}

/// A line of the file, whole or not at all: one that does not fit or parse is no line.
std::optional<Json> line_at(const std::string& text, std::size_t line) {
  const std::size_t begin = line * line_width;
  if (begin + line_width > text.size()) return std::nullopt;
  Json json = Json::parse(text.substr(begin, line_width), nullptr, false);
  if (!json.is_object()) return std::nullopt;
  return json;
}

std::optional<RunPosition> read_position(const std::string& text, std::uint64_t run) try {
  const auto json = line_at(text, 0);
  if (!json || json->at("run") != run) return std::nullopt;
  RunPosition position;
  position.blocks = json->at("blocks");
  position.bytes = json->at("bytes");
  position.elapsed = std::chrono::milliseconds(json->at("milliseconds").get<std::int64_t>());
  position.finished = json->at("finished");
  position.settled = json->at("settled");
  return position;
} catch (const Json::exception&) {
  return std::nullopt;
}

std::vector<BegunRun> read_begun(const std::string& text) {
  std::vector<BegunRun> begun;
  for (std::size_t line = 1; line * line_width < text.size(); ++line) {
    const auto json = line_at(text, line);
    if (!json || !json->contains("item") || !json->contains("run")) continue;
    begun.push_back({.item = json->at("item"), .run = json->at("run")});
  }
  return begun;
}

std::string failed(const fs::path& path, std::string_view what) {
  return fmt::format("{}: {}: {}", path.string(), what, std::strerror(errno));
}

}  // namespace

std::optional<RecordedRun> recorded_run(const fs::path& folder) {
  auto head = read_head(folder);
  if (!head) return std::nullopt;
  const std::string text = text_of(journal_file(folder));
  const auto position = read_position(text, head->number);
  if (!position) return std::nullopt;
  return RecordedRun{std::move(*head), *position, read_begun(text)};
}

tl::expected<std::optional<std::string>, std::string> Journal::settle(
    findings::ResultsFile& results, const fs::path& folder) {
  const auto recorded = recorded_run(folder);
  const std::uint64_t size = results.size();
  std::uint64_t kept = results.whole_lines_end();
  const bool is_unsettled = recorded && !recorded->position.finished && !recorded->position.settled;
  if (is_unsettled) kept = std::min(kept, recorded->position.bytes);
  if (kept < size) {
    if (auto problem = results.cut(kept)) return tl::unexpected(*problem);
  }
  if (is_unsettled) {
    auto journal = attached(folder, recorded->head.number, recorded->position);
    if (!journal) return tl::unexpected(journal.error());
    journal->position_.settled = true;
    if (auto problem = journal->write_position()) return tl::unexpected(*problem);
  }
  if (kept == size) return std::nullopt;
  return fmt::format("{}: dropped the last {} bytes, which an interrupted run left unfinished",
                     results.path().string(), size - kept);
}

tl::expected<Journal, std::string> Journal::attached(const fs::path& folder, std::uint64_t run,
                                                     const RunPosition& position) {
  const fs::path path = journal_file(folder);
  constexpr mode_t for_everyone_by_umask = 0666;
  const int descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, for_everyone_by_umask);
  if (descriptor < 0) return tl::unexpected(failed(path, "cannot be opened"));
  return Journal(path, descriptor, run, position);
}

tl::expected<Journal, std::string> Journal::open(const fs::path& folder, const RunHead& head,
                                                 const RunPosition& position) {
  auto journal = attached(folder, head.number, position);
  if (!journal) return journal;
  // In this order: where the process ends in between, the numbers do not fit for a new run, and
  // for one that is resumed the old position is still true of the new head.
  const auto previous = read_head(folder);
  const bool is_resumed = previous && previous->number == head.number;
  if (!is_resumed) {
    if (auto problem = journal->write_position()) return tl::unexpected(*problem);
  }
  if (auto problem = findings::write_file(head_file(folder), text_of(head)))
    return tl::unexpected(*problem);
  if (auto problem = journal->write_position()) return tl::unexpected(*problem);
  if (::ftruncate(journal->descriptor_, line_width) != 0) {
    return tl::unexpected(failed(journal->path_, "cannot be written"));
  }
  return journal;
}

Journal::Journal(fs::path path, int descriptor, std::uint64_t run, RunPosition position)
    : path_(std::move(path)),
      descriptor_(descriptor),
      run_(run),
      position_(position),
      elapsed_before_(position.elapsed) {}

Journal::Journal(Journal&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      run_(other.run_),
      position_(other.position_),
      elapsed_before_(other.elapsed_before_),
      start_(other.start_) {}

Journal::~Journal() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Journal::Problem Journal::begin(unsigned worker, const BegunRun& run) {
  return write_line(
      worker + 1, fmt::format(R"({{"worker":{},"item":{},"run":{}}})", worker, run.item, run.run));
}

Journal::Problem Journal::rest(unsigned worker) {
  return write_line(worker + 1, fmt::format(R"({{"worker":{}}})", worker));
}

Journal::Problem Journal::commit(std::uint64_t blocks, std::uint64_t bytes) {
  position_.blocks = blocks;
  position_.bytes = bytes;
  return write_position();
}

Journal::Problem Journal::finish(std::uint64_t bytes) {
  position_.bytes = bytes;
  position_.finished = true;
  return write_position();
}

Journal::Problem Journal::write_position() {
  position_.elapsed = elapsed_before_ + std::chrono::duration_cast<std::chrono::milliseconds>(
                                            std::chrono::steady_clock::now() - start_);
  return write_line(0, text_of(run_, position_));
}

/// One write inside one page: a process that is killed has made it or has not.
Journal::Problem Journal::write_line(std::uint64_t line, std::string text) {
  text.resize(line_width - 1, ' ');
  text += '\n';
  const auto offset = static_cast<off_t>(line * line_width);
  const ssize_t written = ::pwrite(descriptor_, text.data(), text.size(), offset);
  if (written == static_cast<ssize_t>(text.size())) return std::nullopt;
  return failed(path_, "cannot be written");
}

}  // namespace gradproof::runs
