// host CANDIDATE [LIBRARY ...]: answers calls on its standard input (docs/pipe.md) with what the
// candidate, a library with CANN's functions, makes of them; what it lacks is taken from the other
// libraries. A program by itself: it shares no code with what judges the answers.

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cfenv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "properties/runs/gate/host/memory.h"

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

class LibraryHost {
 public:
  explicit LibraryHost(aclrtStream stream) : stream_(stream) {}

  void answer_one() {
    Head head{};
    read_exactly(&head, sizeof head);
    std::vector<std::vector<char>> later;  // between two calls nothing is written
    const bool is_late = (!last_.empty() && (!read_results(later) || later != last_)) ||
                         !earlier_.are_as_they_were();
    hold_some();
    head_ = head;
    read_exactly(tensors_.data(), sizeof tensors_);
    std::vector<char> text(head_.text_bytes);
    read_exactly(text.data(), text.size());
    for (std::size_t i = 0; i < 3; ++i) {
      operands_.at(i).resize(tensors_.at(i).bytes());
      read_exactly(operands_.at(i).data(), operands_.at(i).size());
    }
    Answer answer;
    answer.head.number = head_.number;
    run(answer);
    last_ = answer.results;
    if (is_late) refuse(answer, "race: results changed after the call and its stream had ended");
    answer.head.text_bytes = static_cast<std::uint32_t>(answer.words.size());
    write_exactly(&answer.head, sizeof answer.head);
    write_exactly(answer.words.data(), answer.words.size());
    for (const auto& result : answer.results) write_exactly(result.data(), result.size());
  }

 private:
  void hold_some() {
    if (last_.empty() || chance_() % 4 != 0) return;
    for (std::size_t i = 3, at = 0; i < 6; ++i) {
      if (is_asked(i)) earlier_.hold(blocks_.at(i), last_.at(at++));
    }
  }
  bool is_asked(std::size_t i) const { return i < 3 || (head_.mask >> (i - 3) & 1U) != 0; }
  /// Operands in their memory; in that of results what a user's memory may hold: other numbers, 0,
  /// no numbers, or what is there.
  bool place() {
    for (std::size_t i = 0; i < 6; ++i) {
      const std::size_t size = tensors_.at(i).bytes();
      if (!blocks_.at(i).reserve(size + 2 * guard)) return false;
      if (i < 3 && !blocks_.at(i).write(operands_.at(i).data(), size)) return false;
      if (i < 3) continue;
      const auto kind = chance_() % 5;
      if (kind == 4) continue;
      const std::vector<char> used = used_memory(size, kind, operands_.at(kind % 2));
      if (!blocks_.at(i).write(used.data(), size, guard)) return false;
    }
    return true;
  }

  aclTensor* tensor(std::size_t i) const {
    const Tensor& it = tensors_.at(i);
    if (!it.is_there()) return nullptr;
    std::array<std::int64_t, 5> strides{};
    std::int64_t step = 1;
    for (std::size_t axis = it.rank; axis-- > 0;) {
      strides.at(axis) = step;
      step *= it.shape.at(axis);
    }
    const auto format = it.rank == 3   ? ACL_FORMAT_NCL
                        : it.rank == 4 ? ACL_FORMAT_NCHW
                        : it.rank == 5 ? ACL_FORMAT_NCDHW
                                       : ACL_FORMAT_ND;
    const Tensor copy = it;
    return api.aclCreateTensor(copy.shape.data(), copy.rank, static_cast<aclDataType>(copy.dtype),
                               strides.data(), 0, format, copy.shape.data(), copy.rank,
                               static_cast<char*>(blocks_.at(i).address) + (i < 3 ? 0 : guard));
  }

  void run(Answer& answer) {
    if (!place()) return answer.fail("the device's memory cannot be had or written");
    std::array<aclTensor*, 6> made{};
    for (std::size_t i = 0; i < 6; ++i) made.at(i) = tensor(i);
    const auto axes = head_.axes;
    const std::array<bool, 3> mask{is_asked(3), is_asked(4), is_asked(5)};
    const std::int64_t bias = tensors_[0].shape[1];
    aclIntArray* const arrays[] = {api.aclCreateIntArray(&bias, 1),
                                   api.aclCreateIntArray(head_.stride.data(), axes),
                                   api.aclCreateIntArray(head_.padding.data(), axes),
                                   api.aclCreateIntArray(head_.dilation.data(), axes),
                                   api.aclCreateIntArray(head_.output_padding.data(), axes)};
    aclBoolArray* const asked = api.aclCreateBoolArray(mask.data(), mask.size());
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    answer.head.status = api.aclnnConvolutionBackwardGetWorkspaceSize(
        made[0], made[1], made[2], arrays[0], arrays[1], arrays[2], arrays[3],
        head_.transposed != 0, arrays[4], static_cast<int>(head_.groups), asked,
        static_cast<std::int8_t>(head_.cube_math_type), made[3], made[4], made[5], &size,
        &executor);
    if (answer.head.status != ACL_SUCCESS) {
      answer.head.outcome = returned;
    } else {
      compute(answer, size, executor);
    }
    for (aclTensor* one : made) {
      if (one != nullptr) api.aclDestroyTensor(one);
    }
    for (aclIntArray* one : arrays) api.aclDestroyIntArray(one);
    api.aclDestroyBoolArray(asked);
  }

  void compute(Answer& answer, std::uint64_t size, aclOpExecutor* executor) {
    if (!workspace_.reserve(size)) return answer.fail("the workspace cannot be had");
    void* const memory = size == 0 ? nullptr : workspace_.address;
    for (std::size_t i = 0; i < 3; ++i) protect(blocks_[i], operands_[i].size(), PROT_READ);
    auto status = api.aclnnConvolutionBackward(memory, size, executor, stream_);
    if (status == ACL_SUCCESS) status = api.aclrtSynchronizeStream(stream_);
    for (std::size_t i = 0; i < 3; ++i) {
      protect(blocks_[i], operands_[i].size(), PROT_READ | PROT_WRITE);
    }
    if (status != ACL_SUCCESS) return answer.fail("phase two returned " + std::to_string(status));
    if (!read_results(answer.results)) return answer.fail("the results cannot be read");
    look_again(answer);
  }

  bool read_results(std::vector<std::vector<char>>& results) const {
    results.clear();
    for (std::size_t i = 3; i < 6; ++i) {
      if (!is_asked(i)) continue;
      results.emplace_back(tensors_.at(i).bytes());
      if (!blocks_.at(i).read(results.back().data(), results.back().size(), guard)) return false;
    }
    return true;
  }

  /// Operands are as they were, the machine too, and, at times, nothing writes results later.
  void look_again(Answer& answer) {
    for (std::size_t i = 0; i < 3; ++i) {
      std::vector<char> now(operands_.at(i).size());
      if (!blocks_.at(i).read(now.data(), now.size()) || now != operands_.at(i)) {
        return refuse(answer, "memory: the call changed an operand");
      }
    }
    if (std::fegetround() != FE_TONEAREST || has_lost_subnormals()) {
      return refuse(answer, "memory: the call left another rounding mode, or subnormals flushed");
    }
    if (!handles_barred_calls()) return refuse(answer, "isolation: it handles SIGSYS itself");
    if (chance_() % 10 != 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(4));
    std::vector<std::vector<char>> later;
    if (!read_results(later) || later != answer.results) {
      refuse(answer, "race: results changed after the call and its stream had ended");
    }
  }

  aclrtStream stream_;
  Head head_{};
  std::array<Tensor, 6> tensors_{};
  std::array<std::vector<char>, 3> operands_;
  std::vector<std::vector<char>> last_;  ///< results of the call before
  HeldResults earlier_;
  std::array<Block, 6> blocks_;
  Block workspace_;
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
  aclrtStream stream = nullptr;
  api.aclInit(nullptr);
  if (api.aclrtSetDevice(0) != ACL_SUCCESS || api.aclrtCreateStream(&stream) != ACL_SUCCESS) {
    leave(greeting, "device 0 cannot be set");
  }
  const std::string line = greeting + " -\n";
  write_exactly(line.data(), line.size());
  LibraryHost host(stream);
  while (true) {
    std::uint32_t calls = 0;
    read_exactly(&calls, sizeof calls);
    for (; calls > 0; --calls) host.answer_one();
  }
}
