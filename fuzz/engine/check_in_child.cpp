#include "fuzz/engine/check_in_child.h"

#include "fuzz/engine/features.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <string>

namespace gradproof::fuzz {
namespace {

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
    got += static_cast<std::size_t>(count);
  }
  return head;
}

Verdict not_run(const char* function) {
  Verdict verdict;
  verdict.reason = fmt::format("{} failed: {}", function, std::strerror(errno));
  return verdict;
}

}  // namespace

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

}  // namespace gradproof::fuzz
