#include "properties/cli/continuation.h"

#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "corpus/machine/machine_json.h"
#include "properties/cli/input/configuration_input.h"
#include "properties/cli/input/drawn_number.h"

namespace gradproof::cli {
namespace {

/// FNV-1a, to tell one text or set of stored cases from another.
std::uint64_t digest_of(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char letter : text) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3U;
  }
  return hash;
}

std::uint64_t digest_of(const std::vector<runs::StoredCase>& stored) {
  std::string ids;
  for (const runs::StoredCase& kept : stored) ids += kept.test_case.id + '\n';
  return digest_of(ids);
}

/// How the child ended; nullopt where it reported that the run came back.
std::optional<runs::FatalCase> end_of(pid_t child, int reading_end, const runs::BegunRun& begun) {
  std::array<char, 1> report{};
  ssize_t count = 0;
  do {
    count = ::read(reading_end, report.data(), report.size());
  } while (count < 0 && errno == EINTR);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (count == 1) return std::nullopt;
  runs::FatalCase fatal{.item = begun.item, .run = begun.run, .signal = {}};
  if (WIFSIGNALED(status)) fatal.signal = WTERMSIG(status);
  if (WIFEXITED(status)) fatal.exit_code = WEXITSTATUS(status);
  return fatal;
}

/// The child's part. It must not outlive its parent, nor keep the lock on the results file through
/// inherited descriptors.
[[noreturn]] void report_return_of(const std::function<void()>& run, int writing_end) {
  constexpr int kept = STDERR_FILENO + 1;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::dup2(writing_end, kept);
  ::close_range(kept + 1, ~0U, 0);
  run();
  const char came_back = '+';
  ::_exit(::write(kept, &came_back, 1) == 1 ? 0 : 1);
}

std::string target_in_words(const Configuration& configuration) {
  std::string text;
  for (const auto& library : configuration.libraries) {
    text += fmt::format(" --target {}", library.string());
  }
  if (!configuration.pipe) return text;
  text += fmt::format(" --target pipe:{}", *configuration.pipe);
  if (configuration.selection.views) text += " --set views=yes";
  if (configuration.repeats) text += " --set repeat=yes";
  return text;
}

}  // namespace

std::string settings_in_words(const Configuration& configuration,
                              const std::vector<runs::StoredCase>& stored) {
  std::string text =
      fmt::format("gradproof {}{}", GRADPROOF_VERSION, cases::options_of(configuration.selection));
  const runs::Budget& budget = configuration.budget;
  if (budget.time) text += fmt::format(" --time {}ms", budget.time->count());
  if (budget.cases) text += fmt::format(" --cases {}", *budget.cases);
  if (budget.findings) text += fmt::format(" --findings {}", *budget.findings);
  if (configuration.max_bytes != runs::default_max_bytes) {
    text += fmt::format(" --set max-bytes={}", configuration.max_bytes);
  }
  if (configuration.recording == runs::Recording::Failures) text += " --set results=failures";
  const runs::Shard& shard = configuration.shard;
  if (shard != runs::Shard{}) text += fmt::format(" --shard {}/{}", shard.index, shard.count);
  text += target_in_words(configuration);
  text += fmt::format(" --profile {}; {} stored cases {:016x}",
                      configuration.alternates_profiles ? "both" : name_of(configuration.profile),
                      stored.size(), digest_of(stored));
  if (!configuration.isolate) text += "; not isolated";
  if (configuration.isolate &&
      configuration.isolation.timeout != targets::IsolationSettings{}.timeout) {
    text += fmt::format(" --timeout {}ms", configuration.isolation.timeout.count());
  }
  const char* rounding = std::getenv("GRADPROOF_HF32_ROUNDING");
  if (rounding != nullptr) text += fmt::format("; HF32 {}", rounding);
  const oracle::JudgeSettings judge = judge_settings(configuration);
  text += fmt::format("; adder {}, HF32 {}", static_cast<int>(judge.adder),
                      static_cast<int>(judge.hf32_rounding));
  if (judge.machine) {
    text += fmt::format("; machine {:016x}", digest_of(corpus::to_json(*judge.machine)));
  }
  if (!judge.judges_specials) text += "; special values ignored";
  return text;
}

std::string dealt_work_in_words(const Configuration& configuration,
                                const std::vector<runs::StoredCase>& stored) {
  Configuration dealt = configuration;
  const oracle::JudgeSettings judge = judge_settings(configuration);
  dealt.adder = judge.adder;
  dealt.hf32_rounding = judge.hf32_rounding;
  dealt.libraries.clear();
  dealt.pipe.reset();
  dealt.shard = {};
  dealt.recording = runs::Recording::All;
  dealt.isolate = true;
  dealt.isolation = {};
  dealt.budget.time.reset();
  dealt.budget.findings.reset();
  std::string text = settings_in_words(dealt, stored);
  if (configuration.sample) text += fmt::format("; a sample of {}", *configuration.sample);
  if (configuration.status_only) text += "; statuses only";
  return text;
}

Continuation continuation_of(const Configuration& configuration, const std::string& settings,
                             std::vector<runs::StoredCase> findings) {
  Continuation result;
  auto recorded = runs::recorded_run(configuration.folder);
  const bool has_same_settings = recorded && recorded->head.settings == settings;
  const bool goes_on = has_same_settings && !recorded->position.finished &&
                       configuration.seed.value_or(recorded->head.seed) == recorded->head.seed;
  const bool is_same = has_same_settings && configuration.seed == recorded->head.seed;
  if (!goes_on) {
    result.head.number = drawn_number<std::uint64_t>();
    result.head.settings = settings;
    result.head.seed = configuration.seed.value_or(drawn_seed());
    result.head.findings = std::move(findings);
    if (recorded && recorded->position.finished && is_same) {
      result.replaced = recorded->head.stretches;
      result.replaced.emplace_back(recorded->head.begin, recorded->position.bytes);
    }
    return result;
  }
  result.head = recorded->head;
  result.position = recorded->position;
  if (result.position.bytes > result.head.begin) {
    result.head.stretches.emplace_back(result.head.begin, result.position.bytes);
  }
  result.continued = std::move(recorded);
  return result;
}

std::optional<runs::FatalCase> tried_alone(const runs::BegunRun& begun,
                                           const std::function<void()>& run) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return std::nullopt;
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) report_return_of(run, ends[1]);
  ::close(ends[1]);
  std::optional<runs::FatalCase> fatal;
  if (child > 0) fatal = end_of(child, ends[0], begun);
  ::close(ends[0]);
  return fatal;
}

}  // namespace gradproof::cli
