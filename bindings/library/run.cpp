#include "bindings/library/run.h"

#include <algorithm>
#include <span>
#include <utility>

#include "corpus/case_json.h"
#include "properties/cases/check/check.h"
#include "properties/targets/pipe/pipe_library.h"
#include "properties/targets/session/asked_twice.h"
#include "properties/targets/session/tensor_memory.h"
#include "properties/targets/session/unwritten.h"
#include "properties/targets/target/library.h"
#include "properties/targets/target/target.h"

namespace gradproof::library {
namespace {

using corpus::Case;
using corpus::Observation;
using runs::StoredCase;

/// Who answers what the options leave: the caller, or a program behind a pipe.
class Answerer {
 public:
  Answerer(Exchange& exchange, std::unique_ptr<targets::Target> program)
      : exchange_(exchange), program_(std::move(program)) {}

  bool is_program() const { return program_ != nullptr; }

  std::vector<Observation> operator()(std::span<const Case> cases,
                                      const targets::RunSettings& settings) {
    if (program_) return program_->run_cases(cases, settings);
    std::vector<Observation> seen;
    for (const Case& test_case : cases) seen.push_back(exchange_.ask(test_case));
    return seen;
  }

 private:
  Exchange& exchange_;
  std::unique_ptr<targets::Target> program_;
};

class AskedTarget final : public targets::Target {
 public:
  AskedTarget(std::shared_ptr<const targets::Library> library, Answerer answerer,
              std::optional<targets::AskedTwice> asked_twice)
      : Target(std::move(library)),
        answerer_(std::move(answerer)),
        asked_twice_(std::move(asked_twice)) {}

  tl::expected<std::uint64_t, std::string> free_memory() override {
    return tl::unexpected(std::string("a function of tensors has no device"));
  }
  bool gains_by_batches() const override { return answerer_.is_program(); }
  /// True if the caller's code runs in this process.
  bool endangers_this_process() const override { return !answerer_.is_program(); }

 private:
  Observation run_one(const Case& test_case, const targets::RunSettings& settings) override {
    return std::move(run_several({&test_case, 1}, settings).front());
  }
  std::vector<Observation> run_several(std::span<const Case> cases,
                                       const targets::RunSettings& settings) override {
    std::vector<Observation> seen(cases.size());
    std::vector<Case> calls;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (const char* why = targets::why_no_call_of_tensors(cases[i], settings.status_only)) {
        seen[i] = corpus::not_run(why);
        continue;
      }
      calls.push_back(cases[i]);
      places.push_back(i);
    }
    const auto ask = [&](std::span<const Case> asked) { return answerer_(asked, settings); };
    auto answers = asked_twice_ ? (*asked_twice_)(calls, ask) : ask(calls);
    for (std::size_t i = 0; i < places.size(); ++i) seen[places[i]] = std::move(answers[i]);
    return seen;
  }
  std::vector<Observation> run_together(std::span<const Case> cases,
                                        const targets::RunSettings&) override {
    return {cases.size(), corpus::not_run("a function of tensors has no streams")};
  }

  Answerer answerer_;
  std::optional<targets::AskedTwice> asked_twice_;  ///< absent: calls are asked once
};

class AskedLibrary final : public targets::Library,
                           public std::enable_shared_from_this<AskedLibrary> {
 public:
  AskedLibrary(Exchange& exchange, std::shared_ptr<const targets::Library> program,
               const Options& options)
      : Library({.name = options.name,
                 .devices = {{0, options.soc, options.product}},
                 .remarks = {},
                 .apis = options.selection.apis}),
        exchange_(exchange),
        program_(std::move(program)) {
    if (options.repeat) asked_twice_.emplace();
  }

  std::unique_ptr<targets::Target> new_target() const override {
    return std::make_unique<AskedTarget>(
        shared_from_this(), Answerer(exchange_, program_ ? program_->new_target() : nullptr),
        asked_twice_);
  }

 private:
  Exchange& exchange_;
  std::shared_ptr<const targets::Library> program_;
  std::optional<targets::AskedTwice> asked_twice_;
};

/// A library whose calls are answered on `exchange`, which must outlive it, or, with a `program`,
/// by that. Calls that the options leave out, and questions that a function of tensors has no
/// answer to (statuses alone, streams), are not asked.
std::shared_ptr<const targets::Library> asked_library(
    Exchange& exchange, std::shared_ptr<const targets::Library> program, const Options& options) {
  cases::Selection selection = options.selection;
  // Calls that were named are asked whatever they hold.
  if (!options.files.empty()) {
    selection.of_tensors = false;
    selection.kind = cases::Kind::All;
    selection.apis = cases::every_api();
  }
  return cases::narrowed(std::make_shared<AskedLibrary>(exchange, std::move(program), options),
                         std::move(selection));
}

/// Cases of a file of lines, or the one of a finding's.
tl::expected<std::vector<corpus::Case>, corpus::CaseError> cases_of(
    const std::filesystem::path& file) {
  if (file.extension() != ".json") return corpus::read_cases(file);
  return findings::read_finding(file).map(
      [](corpus::Case test_case) { return std::vector{std::move(test_case)}; });
}

findings::TargetIdentity target_of(const Options& options) {
  if (options.target) return {.name = *options.target};
  return {.name = options.pipe ? std::string(targets::pipe_prefix) + *options.pipe : options.name};
}

/// The target's findings in the folder as far as the options admit them, or the files alone that
/// were asked for.
tl::expected<std::vector<StoredCase>, std::string> stored_cases(const Options& options) {
  const auto files = options.files.empty()
                         ? findings::finding_files(options.out, target_of(options))
                         : options.files;
  std::vector<StoredCase> stored;
  for (const auto& file : files) {
    auto cases = cases_of(file);
    if (!cases) return tl::unexpected(cases.error().text());
    for (corpus::Case& test_case : *cases) {
      const bool is_asked = !options.files.empty() || cases::admits(options.selection, test_case);
      if (is_asked) stored.push_back({std::move(test_case), file.string()});
    }
  }
  return stored;
}

runs::CampaignSettings settings_of(const Options& options) {
  runs::CampaignSettings settings;
  settings.laws = cases::law_choice({std::string(cases::exactness_law)});
  settings.budget = {options.time, options.cases, options.findings};
  settings.folder = options.out;
  settings.target = target_of(options);
  constexpr std::chrono::milliseconds most_for_a_finding{30'000};
  settings.shrink_time = most_for_a_finding;
  settings.check.judge.profile = oracle::Profile::Unruled;
  settings.check.judge.judges_specials = options.selection.specials;
  settings.check.judge.demands_repeats = options.repeat;
  return settings;
}

}  // namespace

tl::expected<std::unique_ptr<Run>, std::string> Run::open(Options options) {
  auto stored = stored_cases(options);
  if (!stored) return tl::unexpected(stored.error());
  runs::Work work;
  work.stored = std::move(*stored);
  work.seed = options.seed;
  if (options.files.empty()) {
    auto source = cases::CaseSource::of(options.selection);
    if (!source) return tl::unexpected(source.error());
    work.source = std::move(*source);
  }
  std::shared_ptr<const targets::Library> program;
  if (options.pipe) {
    auto loaded = targets::PipeLibrary::load({.command = *options.pipe,
                                              .timeout = options.timeout,
                                              .views = options.selection.views,
                                              .apis = options.selection.apis});
    if (!loaded) return tl::unexpected(loaded.error());
    program = std::move(*loaded);
  }
  auto results = findings::ResultsFile::open(options.out);
  if (!results) return tl::unexpected(results.error());
  return std::unique_ptr<Run>(
      new Run(std::move(options), std::move(program), std::move(work), std::move(*results)));
}

Run::Run(Options options, std::shared_ptr<const targets::Library> program, runs::Work work,
         findings::ResultsFile results)
    : options_(std::move(options)),
      program_(std::move(program)),
      work_(std::move(work)),
      settings_(settings_of(options_)),
      results_(std::move(results)),
      thread_([this] { this->work(); }) {}

Run::~Run() {
  stop_.store(true);
  exchange_.close();
  if (thread_.joinable()) thread_.join();
}

void Run::work() {
  working_ = runs::run_campaign(asked_library(exchange_, program_, options_), work_, settings_,
                                results_, progress_, stop_);
  exchange_.finish();
}

const corpus::Case* Run::next() {
  if (result_) return nullptr;
  asked_ = exchange_.next();
  operands_ = {};
  if (asked_ != nullptr) {
    seen_ = targets::nothing_written(*asked_);
    return asked_;
  }
  thread_.join();
  result_ = std::move(working_);
  return nullptr;
}

const std::vector<std::byte>& Run::operand(corpus::InputRole role) {
  auto& kept = operands_[role];
  using targets::OperandLayout;
  const auto layout = options_.selection.views ? OperandLayout::Storage : OperandLayout::Dense;
  if (!kept) kept = targets::operand_bytes(*asked_, role, layout);
  return *kept;
}

void Run::tell(corpus::OutputRole role, const std::byte* data, std::size_t size) {
  seen_.outputs[role].bits.assign(data, data + size);
}

std::optional<std::string> Run::answer() {
  if (asked_ == nullptr) return "no call waits for an answer";
  last_ = Answered{*asked_, seen_};
  asked_ = nullptr;
  exchange_.answer(std::move(seen_));
  return std::nullopt;
}

std::optional<corpus::Verdict> Run::verdict() const {
  if (!last_) return std::nullopt;
  const cases::CheckSettings check = settings_.check;
  return cases::judged({last_->test_case, check.judge.profile}, last_->seen, check);
}

std::vector<findings::Finding> Run::findings() const {
  return result_ ? result_->findings : std::vector<findings::Finding>{};
}

}  // namespace gradproof::library
