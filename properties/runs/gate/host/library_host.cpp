// host CANDIDATE [LIBRARY ...]: answers calls on its standard input (docs/pipe.md) with what the
// candidate, a library with CANN's functions, makes of them; what it lacks is taken from the other
// libraries. A program by itself: it shares no code with what judges the answers.

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cfenv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "properties/runs/gate/host/call_memory.h"

namespace {

struct Answer {
  HostAnswer head;
  std::string words;
  std::vector<std::vector<char>> results;

  void fail(std::string why) {
    head.outcome = failed;
    words = std::move(why);
  }
};

bool has_lost_subnormals() {
  volatile float least = 1e-45F;
  return least + least == 0;
}

void refuse(Answer& answer, const char* why) {
  answer.results.clear();
  answer.fail(why);
}

/// Memory of a call's own: it holds what a user's may, and others' numbers behind it.
class Workspace {
 public:
  bool prepare(std::size_t size, unsigned chance) {
    constexpr std::size_t most = 64'000'000;
    end_ = size;
    image_.assign(std::min(size, most) + guard, static_cast<char>(chance % 3 == 0 ? 0 : chance));
    const bool is_filled = chance % 4 != 0 && size <= most;
    return size == 0 ||
           (block_.reserve(size + guard) && block_.write(image_.data(), is_filled ? size : 0) &&
            block_.write(image_.data(), guard, size));
  }
  bool is_kept_behind() const {
    std::array<char, guard> now{};
    return end_ == 0 || (block_.read(now.data(), guard, end_) &&
                         std::memcmp(now.data(), image_.data(), guard) == 0);
  }
  void* address() const { return end_ == 0 ? nullptr : block_.address; }

 private:
  Block block_;
  std::size_t end_ = 0;
  std::vector<char> image_;
};

/// The first phase of a call, and what it was asked with.
struct PhaseOne {
  PhaseOne(const CallMemory& memory, bool has_views) {
    for (std::size_t i = 0; i < 6; ++i) tensors.at(i) = memory.tensor(i, has_views);
    const Head& head = memory.head();
    const auto axes = head.axes;
    const std::array<bool, 3> are_asked{memory.is_asked(3), memory.is_asked(4), memory.is_asked(5)};
    const std::int64_t bias = memory.channels();
    arrays = {api.aclCreateIntArray(&bias, 1), api.aclCreateIntArray(head.stride.data(), axes),
              api.aclCreateIntArray(head.padding.data(), axes),
              api.aclCreateIntArray(head.dilation.data(), axes),
              api.aclCreateIntArray(head.output_padding.data(), axes)};
    mask = api.aclCreateBoolArray(are_asked.data(), are_asked.size());
    status = api.aclnnConvolutionBackwardGetWorkspaceSize(
        tensors[0], tensors[1], tensors[2], arrays[0], arrays[1], arrays[2], arrays[3],
        head.transposed != 0, arrays[4], static_cast<int>(head.groups), mask,
        static_cast<std::int8_t>(head.cube_math_type), tensors[3], tensors[4], tensors[5], &size,
        &executor);
  }
  ~PhaseOne() {
    for (aclTensor* one : tensors) {
      if (one != nullptr) api.aclDestroyTensor(one);
    }
    for (aclIntArray* one : arrays) api.aclDestroyIntArray(one);
    api.aclDestroyBoolArray(mask);
  }
  PhaseOne(const PhaseOne&) = delete;
  PhaseOne& operator=(const PhaseOne&) = delete;

  /// The second phase, to its end.
  aclnnStatus run(const Workspace& workspace, aclrtStream stream) const {
    const auto ran = api.aclnnConvolutionBackward(workspace.address(), size, executor, stream);
    return ran == ACL_SUCCESS ? api.aclrtSynchronizeStream(stream) : ran;
  }

  std::array<aclTensor*, 6> tensors{};
  std::array<aclIntArray*, 5> arrays{};
  aclBoolArray* mask = nullptr;
  std::uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  aclnnStatus status = ACL_SUCCESS;
};

class LibraryHost {
 public:
  explicit LibraryHost(std::vector<aclrtStream> streams) : streams_(std::move(streams)) {}

  void answer_one() {
    Head head{};
    read_exactly(&head, sizeof head);
    std::vector<std::vector<char>> later;  // between two calls nothing is written
    const bool is_late = (!last_.empty() && (!memory_.read(later) || later != last_)) ||
                         !earlier_.are_as_they_were();
    if (!last_.empty() && chance_() % 4 == 0) memory_.hold(last_, earlier_);
    memory_.receive(head);
    Answer answer;
    answer.head.number = head.number;
    if (chance_() % 8 == 0) {  // as where a framework computes gradients in a thread of its own
      std::thread([&] { run_elsewhere(answer); }).join();
    } else {
      run(answer);
    }
    last_ = answer.results;
    if (is_late) refuse(answer, "race: results changed after the call and its stream had ended");
    answer.head.text_bytes = static_cast<std::uint32_t>(answer.words.size());
    write_exactly(&answer.head, sizeof answer.head);
    write_exactly(answer.words.data(), answer.words.size());
    for (const auto& result : answer.results) write_exactly(result.data(), result.size());
  }

 private:
  void run_elsewhere(Answer& answer) {
    if (api.aclrtSetDevice(0) != ACL_SUCCESS) return answer.fail("device 0 cannot be set again");
    run(answer);
  }

  /// What takes no views is asked without them.
  void run(Answer& answer) {
    const bool has_views = chance_() % 3 == 0;
    if (has_views && takes(answer, true)) return;
    answer = Answer{{answer.head.number}, {}, {}};
    takes(answer, false);
  }

  bool takes(Answer& answer, bool has_views) {
    if (!memory_.place(has_views))
      return answer.fail("the device's memory cannot be had or written"), false;
    PhaseOne asked(memory_, has_views);
    answer.head.status = asked.status;
    if (asked.status != ACL_SUCCESS) {
      answer.head.outcome = returned;
      return false;
    }
    auto others = others_between();
    if (chance_() % 2 == 0) run_others(others);
    const auto before = std::chrono::steady_clock::now();
    const bool is_done = compute(answer, asked);
    run_others(others);
    keep_for_between(std::chrono::steady_clock::now() - before);
    return is_done;
  }

  /// A call's first phase says nothing of another's second: at times first phases of an earlier
  /// call come between, as of a network that is prepared as a whole, and their second ones too.
  std::vector<std::unique_ptr<PhaseOne>> others_between() {
    std::vector<std::unique_ptr<PhaseOne>> others;
    if (!has_other_ || chance_() % 4 != 0 || !other_.place(false)) return others;
    const unsigned many = chance_() % 4 == 0 ? 12 : 1;
    for (unsigned left = many; left > 0; --left) {
      others.push_back(std::make_unique<PhaseOne>(other_, false));
    }
    return others;
  }

  void run_others(std::vector<std::unique_ptr<PhaseOne>>& others) {
    for (const auto& other : others) {
      const bool can_run =
          other->status == ACL_SUCCESS && workspace_of_other_.prepare(other->size, chance_());
      if (can_run) other->run(workspace_of_other_, drawn_stream());
    }
    others.clear();
  }

  /// A call that took a moment may come between others: a longer one would take their time.
  void keep_for_between(std::chrono::steady_clock::duration took) {
    constexpr std::size_t most_bytes = 1'000'000;
    constexpr std::chrono::milliseconds moment{5};
    const bool is_kept = !has_other_ || chance_() % 4 == 0;
    if (!is_kept || took > moment || memory_.bytes() > most_bytes) return;
    other_.ask_as(memory_);
    has_other_ = true;
  }

  /// False where it was not done.
  bool compute(Answer& answer, PhaseOne& asked) {
    if (!workspace_.prepare(asked.size, chance_()))
      return answer.fail("the workspace cannot be had"), false;
    memory_.protect_operands(PROT_READ);
    const auto status = asked.run(workspace_, drawn_stream());
    memory_.protect_operands(PROT_READ | PROT_WRITE);
    if (status != ACL_SUCCESS) {
      return answer.fail("phase two returned " + std::to_string(status)), false;
    }
    if (!memory_.read(answer.results)) return answer.fail("the results cannot be read"), false;
    look_again(answer);
    return true;
  }

  /// Operands are as they were, what lies around results and the machine too, and, at times,
  /// nothing writes results later.
  void look_again(Answer& answer) {
    if (copies_differ) {
      return refuse(answer, "memory: aclrtMemcpy gives other bytes than the memory holds");
    }
    if (const char* wrong = memory_.what_was_changed()) return refuse(answer, wrong);
    if (!workspace_.is_kept_behind()) {
      return refuse(answer, "memory: the call wrote beyond its workspace");
    }
    if (std::fegetround() != FE_TONEAREST || has_lost_subnormals()) {
      return refuse(answer, "memory: the call left another rounding mode, or subnormals flushed");
    }
    if (!handles_barred_calls()) return refuse(answer, "isolation: it handles SIGSYS itself");
    if (chance_() % 10 != 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(4));
    std::vector<std::vector<char>> later;
    if (!memory_.read(later) || later != answer.results) {
      refuse(answer, "race: results changed after the call and its stream had ended");
    }
  }

  aclrtStream drawn_stream() { return streams_.at(chance_() % streams_.size()); }

  std::vector<aclrtStream> streams_;
  CallMemory memory_;
  std::vector<std::vector<char>> last_;  ///< results of the call before
  HeldResults earlier_;
  CallMemory other_;
  bool has_other_ = false;
  Workspace workspace_, workspace_of_other_;
  std::random_device chance_;
};

std::string greeting_line() {
  std::string line;
  for (char letter = 0; letter != '\n' && line.size() < 64; line += letter)
    read_exactly(&letter, 1);
  return line.substr(0, line.find('\n'));
}

void take_the_channel() {
  requests = ::dup(STDIN_FILENO);
  answers = ::dup(STDOUT_FILENO);
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(nothing, STDOUT_FILENO);
}

}  // namespace

int main(int count, char** words) {
  take_the_channel();
  handle_barred_calls();
  const std::string greeting = greeting_line();
  Functions functions;
  for (int i = 2; i < count; ++i) ::dlopen(words[i], RTLD_NOW | RTLD_GLOBAL);
  void* const candidate = count < 2 ? nullptr : ::dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
  if (candidate == nullptr) leave(greeting, ::dlerror());
  functions.libraries.push_back(candidate);
  for (int i = 2; i < count; ++i) {
    if (void* library = ::dlopen(words[i], RTLD_NOW)) functions.libraries.push_back(library);
  }
  api.take(functions);
  if (!functions.missing.empty()) leave(greeting, "missing " + functions.missing);
  std::vector<aclrtStream> streams(3);
  api.aclInit(nullptr);
  bool is_set = api.aclrtSetDevice(0) == ACL_SUCCESS;
  for (auto& stream : streams) is_set = is_set && api.aclrtCreateStream(&stream) == ACL_SUCCESS;
  if (!is_set) leave(greeting, "device 0 cannot be set");
  const std::string line = greeting + " -\n";
  write_exactly(line.data(), line.size());
  LibraryHost host(std::move(streams));
  while (true) {
    std::uint32_t calls = 0;
    read_exactly(&calls, sizeof calls);
    for (; calls > 0; --calls) host.answer_one();
  }
}
