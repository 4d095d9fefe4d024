#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iterator>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "properties/cli/commands.h"
#include "properties/cli/grammar/options.h"
#include "properties/cli/run_command.h"
#include "properties/targets/isolation/strays.h"

namespace gradproof::cli {
namespace {

struct RunnableMode {
  CommandMode mode;
  ExitCode (*run)(const Arguments&);
};
constexpr RunnableMode runnable_modes[] = {
    {modes::Verify, verify},     {modes::Prove, prove},
    {modes::Replay, replay},     {modes::Shrink, shrink},
    {modes::Generate, generate}, {modes::List, list},
    {modes::Explain, explain},   {modes::Tolerance, tolerance},
    {modes::Judge, judge},       {modes::Faults, faults},
    {modes::Demo, demo},         {modes::Fingerprint, fingerprint},
    {modes::Report, report},     {modes::Gate, gate}};

ExitCode run(const std::vector<std::string>& words) {
  const auto parsed = parse_command_line(words);
  if (const auto* code = std::get_if<ExitCode>(&parsed)) return *code;
  const auto& arguments = std::get<Arguments>(parsed);
  const auto* row = std::ranges::find(runnable_modes, arguments.mode, &RunnableMode::mode);
  if (row == std::end(runnable_modes))
    return fail(ExitCode::OwnFailure, "a command without a function");
  return row->run(arguments);
}

/// Files that are opened get the lowest free numbers: where a standard stream was closed, a results
/// file would be it, and be given what is printed.
void open_the_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    const int null = ::open("/dev/null", O_RDWR);  // the lowest free number, which is this one
    if (null > STDERR_FILENO) ::close(null);
  }
}

bool wrote_everything() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

ExitCode lost_output() {
  return fail(ExitCode::OwnFailure,
              "the standard output could not be written whole; is its disk full?");
}

ExitCode run_and_explain(const std::vector<std::string>& words) {
  try {
    const ExitCode code = run(words);
    return wrote_everything() ? code : lost_output();
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(ExitCode::BadUsage, error.path1().string() + ": " + error.code().message());
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::OwnFailure, "the host has no more memory");
  } catch (const std::exception& error) {
    return fail(ExitCode::OwnFailure, error.what());
  }
}

/// Runs it on a thread with a whole stack, where `ulimit -s` leaves this one a small one; those of
/// other threads are whole too.
ExitCode run_on_a_whole_stack(const std::vector<std::string>& words) {
  constexpr rlim_t whole = rlim_t{8} << 20U;
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= whole) {
    return run_and_explain(words);
  }
  pthread_attr_t attributes{};
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, whole);
  ::pthread_setattr_default_np(&attributes);
  ::pthread_attr_destroy(&attributes);
  ExitCode code = ExitCode::OwnFailure;
  try {
    std::jthread([&] { code = run_and_explain(words); }).join();
    return code;
  } catch (const std::system_error&) {
    return run_and_explain(words);  // no thread is there: this one's stack must do
  }
}

}  // namespace
}  // namespace gradproof::cli

int main(int argument_count, char** words) {
  using namespace gradproof::cli;
  open_the_standard_streams();
  // Exceeding a limit on file sizes must be a write error, not a signal that ends the process.
  std::signal(SIGXFSZ, SIG_IGN);
  const auto own_children = gradproof::targets::adopt_strays();
  const ExitCode code = run_on_a_whole_stack({words, words + argument_count});
  gradproof::targets::end_strays(own_children);
  return static_cast<int>(code);
}
