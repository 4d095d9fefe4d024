#include "fuzz/engine/finding.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "corpus/case_json.h"
#include "corpus/random_source.h"
#include "fuzz/engine/features.h"
#include "fuzz/engine/fuzzed_library.h"
#include "properties/cases/laws/law.h"
#include "properties/cases/shrink/shrink.h"

namespace gradproof::fuzz {
namespace {

using corpus::Case;
using corpus::Verdict;

/// Small calls take milliseconds, with sanitizers too.
constexpr unsigned most_seconds = 20;

/// Parts of a verdict that make its signature, and its reason: all that a shrinker needs.
struct Head {
  bool complete;
  corpus::Outcome outcome;
  corpus::DisagreementKind kind;
  bool has_culprit, has_status;
  corpus::OutputRole culprit;
  corpus::Status status;
  std::array<char, 64> law;
  std::array<char, 1024> reason;
};

template <std::size_t size>
void copy(const std::string& text, std::array<char, size>& into) {
  text.copy(into.data(), size - 1);
}

Head head_of(const Verdict& verdict) {
  Head head{};
  head.complete = true;
  head.outcome = verdict.outcome;
  head.kind = verdict.kind;
  head.has_culprit = verdict.culprit.has_value();
  head.culprit = verdict.culprit.value_or(corpus::OutputRole::GradInput);
  head.has_status = verdict.status.has_value();
  head.status = verdict.status.value_or(corpus::Status::Success);
  copy(verdict.law, head.law);
  copy(verdict.reason, head.reason);
  return head;
}

Verdict verdict_of(const Head& head) {
  Verdict verdict;
  verdict.outcome = head.outcome;
  verdict.kind = head.kind;
  if (head.has_culprit) verdict.culprit = head.culprit;
  if (head.has_status) verdict.status = head.status;
  verdict.law = head.law.data();
  verdict.reason = head.reason.data();
  return verdict;
}

[[noreturn]] void answer(const CaseTarget& target, const corpus::Case& test_case, int pipe) {
  const int nowhere = ::open("/dev/null", O_WRONLY);
  ::dup2(nowhere, STDERR_FILENO);  // each try would report the same crash again
  ::signal(SIGALRM, SIG_DFL);
  ::alarm(most_seconds);
  mark_features(test_case);  // it may be what died
  const Head head = head_of(target.check(test_case));
  const bool written = ::write(pipe, &head, sizeof head) == sizeof head;
  ::_exit(written ? 0 : 1);
}

Verdict death(int state) {
  Verdict verdict;
  verdict.outcome = corpus::Outcome::Disagree;
  verdict.kind = corpus::DisagreementKind::Crash;
  if (WIFSIGNALED(state) && WTERMSIG(state) == SIGALRM) {
    verdict.kind = corpus::DisagreementKind::Timeout;
    verdict.reason = fmt::format("no end after {} s", most_seconds);
  } else if (WIFSIGNALED(state)) {
    verdict.reason =
        fmt::format("ended by signal {} ({})", WTERMSIG(state), ::strsignal(WTERMSIG(state)));
  } else {
    verdict.reason =
        fmt::format("ended the process with exit code {}, as sanitizers do", WEXITSTATUS(state));
  }
  return verdict;
}

/// The whole head, or what came of it before the child ended.
Head read_head(int pipe) {
  Head head{};
  std::size_t got = 0;
  while (got < sizeof head) {
    const ssize_t count = ::read(pipe, reinterpret_cast<char*>(&head) + got, sizeof head - got);
    if (count <= 0) return Head{};
    got += to_size(count);
  }
  return head;
}

Verdict not_run(const char* function) {
  Verdict verdict;
  verdict.reason = fmt::format("{} failed: {}", function, std::strerror(errno));
  return verdict;
}

/// The target's check in a child process: a crash, a sanitizer's report, an exit and a hang are
/// verdicts as well. For a process that has not used the target itself.
Verdict check_in_child(const CaseTarget& target, const corpus::Case& test_case) {
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) return not_run("pipe");
  const pid_t child = ::fork();
  if (child == 0) answer(target, test_case, pipe[1]);
  ::close(pipe[1]);
  const Head head = child < 0 ? Head{} : read_head(pipe[0]);
  ::close(pipe[0]);
  if (child < 0) return not_run("fork");
  int state = 0;
  ::waitpid(child, &state, 0);
  return head.complete ? verdict_of(head) : death(state);
}

struct Flight {
  const CaseTarget* target = nullptr;
  const Case* test_case = nullptr;
};
Flight in_flight;

/// Two budgets: in the process that found it, which an engine may be timing, and without such a
/// limit.
constexpr std::chrono::milliseconds time_at_once{10'000}, time_afterwards{60'000};

/// The file that keeps the line, in the folder that GRADPROOF_FUZZ_FINDINGS names; the same line,
/// the same file.
std::filesystem::path stored(const std::string& line) {
  std::uint64_t hash = 0;
  for (const char letter : line) {
    hash = corpus::mixed(hash ^ static_cast<unsigned char>(letter));
  }
  const char* folder = std::getenv("GRADPROOF_FUZZ_FINDINGS");
  std::filesystem::path file = std::filesystem::path(folder == nullptr ? "." : folder) /
                               fmt::format("fuzzed-{:08x}.jsonl", static_cast<std::uint32_t>(hash));
  std::ofstream out(file);
  out << line << '\n';
  if (!out.flush()) fmt::print(stderr, "fuzz: {} cannot be written\n", file.string());
  return file;
}

std::string program() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

/// Prints `replay: ...`, on a separate line, for people and scripts.
void print_case(const CaseTarget& target, const Case& test_case, const std::string& law = {}) {
  const std::string line = corpus::to_json_line(replayable(test_case));
  const std::string file = stored(line).string();
  fmt::print(stderr, "case: {}\n", line);
  if (target.replays_with_gradproof) {
    const bool is_law = cases::law_named(law) != nullptr;
    fmt::print(stderr, "replay: gradproof replay{}{} {}\n", replay_options(),
               is_law ? " --law " + law : "", file);
  } else {
    fmt::print(stderr, "replay: {} {}\n", program(), file);
  }
}

void print_finding(const CaseTarget& target, const cases::Shrunk& shrunk) {
  fmt::print(stderr, "{}: {}: {} ({} cases tried{})\n", target.name, shrunk.verdict.signature(),
             shrunk.verdict.reason, shrunk.tried,
             shrunk.finished ? "" : "; not minimal: time limit reached");
  print_case(target, shrunk.test_case, shrunk.verdict.law);
}

/// AFL++ allows an input a second: it shrinks nothing here, `--shrink` does it afterwards.
bool is_under_afl() { return std::getenv("__AFL_SHM_ID") != nullptr; }

std::optional<Case> read_case(const CaseTarget& target, const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) return std::nullopt;
  if (text.starts_with('{')) {
    auto parsed = corpus::parse_case(text);
    return parsed ? std::optional(std::move(*parsed)) : std::nullopt;
  }
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  return target.case_of(bytes);
}

}  // namespace

Case replayable(Case test_case) {
  if (test_case.id.empty()) test_case.id = "fuzzed";
  if (corpus::parse_case(corpus::to_json_line(test_case))) return test_case;
  test_case.expect = corpus::Expectation{corpus::Status::ParamInvalid, std::nullopt};
  return test_case;
}

CaseInFlight::CaseInFlight(const CaseTarget& target, const Case& test_case) {
  in_flight = {&target, &test_case};
}
CaseInFlight::~CaseInFlight() { in_flight = {}; }

void blame_case_in_flight() {
  const Flight blamed = std::exchange(in_flight, {});
  if (blamed.test_case == nullptr) return;
  constexpr unsigned seconds = 5;
  ::alarm(seconds);
  print_time_of_finding(blamed.target->name);
  fmt::print(stderr, "{}: died of this case\n", blamed.target->name);
  print_case(*blamed.target, *blamed.test_case);
  fmt::print(stderr, "make it small: {} --shrink FILE, with the file above\n", program());
  ::alarm(0);
}

void print_time_of_finding(std::string_view target) {
  const double seconds = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  fmt::print(stderr, "{}: found after {:.2f} s of processor time\n", target, seconds);
}

void end_with_finding(const CaseTarget& target, const Case& test_case, const Verdict& verdict) {
  in_flight = {};  // from here on, it is known
  print_time_of_finding(target.name);
  cases::Shrunk shrunk{test_case, verdict};
  if (!is_under_afl()) shrunk = cases::shrink(test_case, target.check, {.time = time_at_once});
  if (shrunk.verdict.outcome != corpus::Outcome::Disagree) {
    shrunk = {test_case, verdict};
    fmt::print(stderr, "{}: the disagreement does not repeat\n", target.name);
  }
  print_finding(target, shrunk);
  std::abort();
}

int shrink_file(const CaseTarget& target, const std::filesystem::path& file) {
  const auto test_case = read_case(target, file);
  if (!test_case) {
    fmt::print(stderr, "{}: {} cannot be read, or is no case\n", target.name, file.string());
    return 2;
  }
  const auto check = [&](const Case& tried) { return check_in_child(target, tried); };
  const auto shrunk = cases::shrink(*test_case, check, {.time = time_afterwards});
  if (shrunk.verdict.outcome != corpus::Outcome::Disagree) {
    fmt::print(stderr, "{}: {}: nothing is wrong with it\n", target.name, file.string());
    return 0;
  }
  print_finding(target, shrunk);
  return 1;
}

}  // namespace gradproof::fuzz
