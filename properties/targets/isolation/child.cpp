#include "properties/targets/isolation/server_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>

#include "properties/targets/isolation/wire.h"
#include "properties/targets/session/loaded_library.h"

namespace gradproof::targets {
namespace {

/// Lowest number of a descriptor of the harness that detects a target which closes all descriptors.
constexpr int sentinel_at_least = 200;

class Child {
 public:
  Child(const SharedSlots& slots, std::size_t slot, const Library& library)
      : head_(slots.head(slot)), body_(slots.body(slot)), target_(library.new_target()) {
    const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int sentinel = ::fcntl(null, F_DUPFD_CLOEXEC, sentinel_at_least);
    ::close(null);
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, sentinel}) {
      if (::fcntl(descriptor, F_GETFD) >= 0) open_.push_back({descriptor, 0, 0});
    }
  }

  [[noreturn]] void serve() {
    own_process_ = ::getpid();
    Request request;
    std::vector<corpus::Case> cases;  // here, so that each request finds the last one's memory
    while (true) {
      while (!await_other_turn(head_, Turn::Parent, std::chrono::seconds(1))) {
      }
      // What the parent wrote is only damaged where the target wrote over it after its call.
      if (!read_request(body_, request, cases)) std::abort();
      answer(request, cases);
      pass_turn(head_, Turn::Parent);
    }
  }

 private:
  /// A target may fork in its call and return twice: the one that is not asked says nothing.
  void end_in_a_second_process() const {
    if (::getpid() != own_process_) ::_exit(0);
  }

  /// Answers a request. A process that ends this one meanwhile finds what is done.
  void answer(const Request& request, const std::vector<corpus::Case>& cases) {
    if (request.kind != RequestKind::RunCases) return write(answered(request, cases));
    Response response;
    ResponseWriter writer(body_, cases.size());
    for (const corpus::Case& test_case : cases) {
      response.seen.push_back(target_->run_case(test_case, request.settings));
      end_in_a_second_process();
      writer.add(response.seen.back());
      head_.cases_done.fetch_add(1);
    }
    const bool is_changed = note_damage(response.seen);
    if (is_changed || !writer.finish(response)) write(response);
  }

  Response answered(const Request& request, const std::vector<corpus::Case>& cases) {
    Response response;
    if (request.kind == RequestKind::RunStreams) {
      response.seen = target_->run_on_streams(cases, request.settings);
      end_in_a_second_process();
      note_damage(response.seen);
      return response;
    }
    const auto free = target_->free_memory();
    if (free) response.free_memory = *free;
    if (!free) response.problem = free.error();
    return response;
  }

  void write(const Response& response) {
    if (!write_response(body_, response)) write_response(body_, too_large(response));
  }

  /// A target may damage its process and return: the call that did it is to blame, not the next
  /// one. Of several calls the parent finds out which, by running each of them alone. True if there
  /// is any.
  bool note_damage(std::span<corpus::Observation> observations) {
    touch_heap();
    // One poll for all descriptors: each system call costs a good part of a small case.
    if (::poll(open_.data(), open_.size(), 0) <= 0) return false;
    std::vector<int> closed;
    for (const pollfd& descriptor : open_) {
      if ((descriptor.revents & POLLNVAL) != 0) closed.push_back(descriptor.fd);
    }
    if (closed.empty()) return false;
    // The sentinel belongs to the harness, so messages do not list it.
    std::erase_if(closed, [](int descriptor) { return descriptor >= sentinel_at_least; });
    for (corpus::Observation& seen : observations) {
      seen.ended = closed.empty()
                       ? std::string("the target closed a descriptor that is not its own")
                       : fmt::format("the target closed the process's descriptors {}",
                                     fmt::join(closed, ", "));
    }
    return true;
  }

  /// Makes malloc check what lies around free memory. The sizes are too large for its lists of
  /// blocks of one size, and small enough not to be mapped separately.
  static void touch_heap() {
    constexpr std::array<std::size_t, 3> sizes{24, 1500, 100'000};
    std::array<void*, sizes.size()> blocks{};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      blocks.at(i) = std::malloc(sizes.at(i));  // malloc itself is under test
      // Volatile, so that the pair is not optimised away.
      if (blocks.at(i) != nullptr) *static_cast<volatile char*>(blocks.at(i)) = 0;
    }
    for (void* block : blocks) std::free(block);
  }

  static Response too_large(const Response& response) {
    Response refused;
    refused.seen.resize(response.seen.size());
    for (corpus::Observation& seen : refused.seen) {
      seen.unsupported = "its results are too large to be handed over by a child process";
    }
    return refused;
  }

  SlotHead& head_;
  std::span<std::byte> body_;
  std::unique_ptr<Target> target_;
  std::vector<pollfd> open_;
  pid_t own_process_ = 0;
};

}  // namespace

[[noreturn]] void serve_as_child(const SharedSlots& slots, std::size_t slot,
                                 const std::vector<std::filesystem::path>& libraries) {
  slots.keep_only(slot);
  SlotHead& head = slots.head(slot);
  const auto note = [&](const std::string& doing) {
    const std::size_t length = std::min(doing.size(), head.doing.size() - 1);
    std::copy_n(doing.begin(), length, head.doing.begin());
    head.doing.at(length) = '\0';
  };
  const auto library = LoadedLibrary::load(libraries, note);
  Greeting greeting;
  if (library) greeting.introduction = (*library)->introduction();
  if (!library) greeting.problem = library.error();
  write_greeting(slots.body(slot), greeting);
  if (!library) {
    pass_turn(head, Turn::Parent);
    while (true) ::pause();  // a death would be mistaken for the library's
  }
  Child child(slots, slot, **library);
  pass_turn(head, Turn::Parent);
  child.serve();
}

}  // namespace gradproof::targets
