#include "properties/runs/gate/candidate.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "corpus/words/foreign_text.h"
#include "properties/findings/provenance/library_identity.h"
#include "properties/targets/pipe/pipe_messages.h"

namespace gradproof::runs {
namespace {

using targets::PipeProcess;

/// First line of both sides: a neutral one, but for programs that speak the pipe's protocol.
std::string greeting_of(const GateTarget& target) {
  return target.kind == GateTarget::Kind::Program ? std::string(targets::pipe_greeting) : "calls 1";
}

std::string end_in_words(int status) {
  constexpr int shells_sign = 128;
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  if (const std::string call = barred_call(code); !call.empty()) return "isolation: " + call;
  const int signal = WIFSIGNALED(status)  ? WTERMSIG(status)
                     : code > shells_sign ? code - shells_sign
                                          : 0;
  if (signal == SIGSYS) {  // blocked while it came, as where a process is begun
    return "isolation: it was ended at a system call that a kernel does not need, such as one that "
           "starts a process";
  }
  if (signal == 0) return fmt::format("the process ended with exit code {}", code);
  return fmt::format("the process died of signal {}{}", signal,
                     signal == SIGSEGV || signal == SIGBUS
                         ? " (operands can only be read while a call runs)"
                         : "");
}

std::string file_text(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Processes that this one has started, and those that they have, itself first.
std::vector<pid_t> family_of(pid_t first) {
  std::vector<pid_t> all{first};
  for (std::size_t i = 0; i < all.size() && all.size() < 100; ++i) {
    std::error_code error;
    for (const auto& task :
         std::filesystem::directory_iterator(fmt::format("/proc/{}/task", all[i]), error)) {
      std::ifstream children(task.path() / "children");
      for (pid_t child = 0; children >> child;) all.push_back(child);
    }
  }
  return all;
}

/// Libraries of the system that compilers and the interpreter bring.
constexpr std::string_view system_names[] = {
    "ld-linux",   "libc.",     "libc-",        "libm.",     "libm-",    "libdl",
    "libpthread", "librt",     "libutil",      "libstdc",   "libgcc_s", "libgomp",
    "libz.",      "libffi",    "libexpat",     "libcrypto", "libssl",   "libbz2",
    "liblzma",    "libatomic", "libnss_files", "libresolv", "libuuid",  "linux-vdso"};
/// Of NumPy.
constexpr std::string_view numpy_names[] = {"libblas",     "liblapack",   "libopenblas",
                                            "libgfortran", "libquadmath", "libcblas"};

std::string sha256(const std::string& bytes) {
  return "sha256 " + findings::sha256_of(bytes).substr(0, 12);
}

/// How a file is told from others of its name: one that lies at the same place inside, or that was
/// let in.
std::string identity(const std::string& path, const GateTarget& target) {
  const auto name = std::filesystem::path(path).filename();
  for (const std::string& file : target.allowed_libraries) {
    const bool is_file = file.find('/') != std::string::npos;
    if (is_file && std::filesystem::path(file).filename() == name) return sha256(file_text(file));
  }
  const auto found = findings::identity_of(path);
  if (!found) return "not known";
  return found->build_id.empty() ? sha256(file_text(path))
                                 : "build " + found->build_id.substr(0, 12);
}

/// True for a file that came with the candidate, or that it wrote.
bool is_the_candidates(std::string_view path, const SealedWorld& world) {
  static constexpr std::string_view folders[] = {"/opt/app/", "/tmp/", "/dev/",
                                                 "/memfd:", "/proc/"};
  const auto lies_in = [&](std::string_view folder) { return path.starts_with(folder); };
  return std::ranges::any_of(folders, lies_in) &&
         std::ranges::none_of(world.interpreter_folders, lies_in);
}

bool begins_with_one(const std::string& name, std::span<const std::string_view> names) {
  return std::ranges::any_of(names, [&](std::string_view one) { return name.starts_with(one); });
}

}  // namespace

tl::expected<std::unique_ptr<Candidate>, std::string> Candidate::start(const GateTarget& target,
                                                                       Clock::time_point until) {
  std::string problem;
  for (const bool with_names : {false, true}) {
    auto world = world_of(target, with_names);
    if (!world) return tl::unexpected(world.error());
    std::unique_ptr<Candidate> candidate(new Candidate(target, std::move(*world)));
    auto process = PipeProcess::start(candidate->world_.command);
    if (!process) return tl::unexpected(process.error());
    candidate->process_ = std::move(*process);
    if (const auto greeted = candidate->greet(until); greeted) {
      if (!target.file.empty()) {
        candidate->libraries_[target.file.filename()] = sha256(file_text(target.file.string()));
      }
      return candidate;
    } else {
      problem = greeted.error();
    }
    if (problem.find("No module named 'gradproof'") == std::string::npos) break;
  }
  return tl::unexpected(problem);
}

tl::expected<void, std::string> Candidate::greet(Clock::time_point until) {
  constexpr std::size_t longest = 512;
  const std::string greeting = greeting_of(target_), hello = greeting + '\n' + world_.first_line;
  std::span<const std::byte> out = std::as_bytes(std::span(hello));
  auto end = unread_.end();
  while ((end = std::ranges::find(unread_, std::byte{'\n'})) == unread_.end()) {
    if (unread_.size() > longest)
      return tl::unexpected(std::string("it wrote what is no greeting"));
    const auto event = process_->exchange(out, unread_, until);
    if (event == PipeProcess::Event::Late) {
      return tl::unexpected(std::string("it was not loaded in time"));
    }
    if (event == PipeProcess::Event::Over && unread_.empty()) {
      return tl::unexpected(end_in_words(process_->end()) + " while it was loaded");
    }
    if (event == PipeProcess::Event::Over) break;
  }
  std::string line;
  for (auto at = unread_.begin(); at != end; ++at) line += static_cast<char>(*at);
  if (end != unread_.end()) unread_.erase(unread_.begin(), end + 1);
  if (!line.starts_with(greeting + ' ')) {
    return tl::unexpected(std::string("it wrote what is no greeting"));
  }
  line = corpus::foreign_text(line.substr(greeting.size() + 1));
  if (line.starts_with('!')) return tl::unexpected(line.substr(1));
  if (target_.kind == GateTarget::Kind::Program) line = "-";
  const std::size_t blank = std::min(line.find(' '), line.size());
  dtypes_ = line.substr(0, blank);
  claims_ = blank < line.size() ? line.substr(blank + 1) : "";
  return {};
}

Candidate::Reply Candidate::ask(std::span<const GateCall> calls, Clock::time_point until) {
  Reply reply;
  std::vector<std::byte> sent;
  targets::append_count(sent, static_cast<std::uint32_t>(calls.size()));
  for (std::size_t i = 0; i < calls.size(); ++i) {
    targets::append_bare_call(sent, next_number_ + static_cast<std::uint32_t>(i),
                              calls[i].test_case, spans_of(calls[i].operands));
  }
  std::span<const std::byte> out = sent;
  const auto call_at = [&](std::size_t i) -> const corpus::Case& { return calls[i].test_case; };
  while (reply.seen.size() < calls.size() && !reply.fate) {
    const auto event = process_->exchange(out, unread_, until);
    if (auto wrong =
            targets::take_answers(unread_, next_number_, calls.size(), call_at, reply.seen)) {
      reply.fate = "the candidate " + *wrong;
    } else if (reply.seen.size() < calls.size() && event == PipeProcess::Event::Over) {
      reply.fate = end_in_words(process_->end());
    } else if (reply.seen.size() < calls.size() && event == PipeProcess::Event::Late) {
      reply.fate = "no answer came in time";
      reply.is_late = true;
    }
  }
  next_number_ += static_cast<std::uint32_t>(calls.size());
  answered_ += reply.seen.size();
  if (!reply.fate && !unread_.empty()) reply.fate = "the candidate answered twice";
  return reply;
}

bool Candidate::is_allowed(const std::string& path) const {
  const std::string name = std::filesystem::path(path).filename();
  const auto begins = [&](const auto& names) {
    return std::ranges::any_of(names, [&](const std::string& one) {
      return name.starts_with(std::filesystem::path(one).filename().string());
    });
  };
  if (begins(target_.allowed_libraries)) return true;
  const bool is_python = target_.kind == GateTarget::Kind::Python;
  // A name says nothing where the candidate chose it.
  if (is_the_candidates(path, world_)) return !is_python && begins(world_.own);
  if (begins_with_one(name, system_names) || begins(world_.own)) return true;
  if (!is_python) return false;
  return path.find("/lib-dynload/") != std::string::npos ||
         path.find("/numpy/") != std::string::npos ||
         path.find("/numpy.libs/") != std::string::npos || begins_with_one(name, numpy_names);
}

std::string Candidate::stranger() {
  if (target_.kind == GateTarget::Kind::Program) return {};
  constexpr std::size_t bubblewraps = 2;  // outside, and the first process inside
  const auto family = family_of(process_->process());
  if (family.size() > bubblewraps + 1) {
    return fmt::format("isolation: it started {} processes", family.size() - bubblewraps - 1);
  }
  const std::string maps = file_text(fmt::format("/proc/{}/maps", family.back()));
  for (std::size_t at = 0; at < maps.size();) {
    const std::size_t end = std::min(maps.find('\n', at), maps.size());
    const std::string line = maps.substr(at, end - at);
    at = end + 1;
    const std::size_t slash = line.find('/');
    const bool is_code = line.substr(0, slash).find('x') != std::string::npos;
    if (slash == std::string::npos || !is_code) continue;
    const std::string path = line.substr(slash), name = std::filesystem::path(path).filename();
    if (!is_allowed(path)) return "library: it loaded " + name;
    if (name.find(".cpython-") != std::string::npos) continue;  // modules of the interpreter
    const bool is_the_hosts = std::ranges::any_of(
        world_.own, [&](const std::string& own) { return name.starts_with(own); });
    if (!is_the_hosts && !libraries_.contains(name)) libraries_[name] = identity(path, target_);
  }
  return maps.empty() ? "isolation: what it has loaded cannot be read" : "";
}

}  // namespace gradproof::runs
