// The simulated operator, except for what GRADPROOF_MISBEHAVIOUR names, which it does in every call
// with three groups, in every legal call (refuse_*), in some of all calls, or while it is loaded.

#include <dlfcn.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "acl/acl.h"
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_convolution_backward.h"

namespace {

constexpr int trigger_groups = 3;

std::string_view misbehaviour() {
  const char* const name = std::getenv("GRADPROOF_MISBEHAVIOUR");
  return name == nullptr ? "" : name;
}

template <typename Function>
Function simulated(const char* library, const char* name) {
  void* const handle = ::dlopen(library, RTLD_NOW | RTLD_LOCAL);
  return reinterpret_cast<Function>(::dlsym(handle, name));
}

template <typename Function>
Function runtime(const char* name) {
  return simulated<Function>(GRADPROOF_RUNTIME_LIBRARY, name);
}

void crash(int signal) {
  std::signal(signal, SIG_DFL);  // sanitizers catch it
  std::raise(signal);
}

[[noreturn]] void take_all_memory() {
  constexpr std::size_t size = std::size_t{16} << 20;
  // Volatile, so that memory that is never read is still allocated.
  while (true) {
    void* volatile block = std::malloc(size);
    std::memset(block, 1, size);
  }
}

/// Over the size of the block that comes next, as a row that is a little too short does.
void corrupt_the_heap() {
  constexpr int size = 5000;
  // Volatile, so that the compiler cannot see the overflow.
  char* volatile allocated = static_cast<char*>(std::malloc(size));
  volatile char* const block = allocated;
  for (int i = size; i < size + 24; ++i) block[i] = '\xFF';
  std::free(allocated);
}

[[noreturn]] void hang() {
  while (true) ::pause();
}

[[noreturn]] void hang_busily() {
  for (volatile bool forever = true; forever;) {
  }
  std::abort();
}

/// Sleeps too long the first time: where it was here before, a file says so.
void stall_once() {
  const char* const file = std::getenv("GRADPROOF_STALLED");
  if (file == nullptr || ::access(file, F_OK) == 0) return;
  std::fclose(std::fopen(file, "w"));
  hang();
}

/// Number of the call, counted in the file that GRADPROOF_STALLED names: over all processes.
long counted_call() {
  std::FILE* const file = std::fopen(std::getenv("GRADPROOF_STALLED"), "a");
  if (file == nullptr) return 0;
  std::fputc('x', file);
  const long count = std::ftell(file);
  std::fclose(file);
  return count;
}

/// A process in a session of its own, which says in that file which one it is.
void leave_a_process() {
  if (::fork() != 0) return;
  ::setsid();
  if (::fork() != 0) ::_exit(0);
  std::FILE* const file = std::fopen(std::getenv("GRADPROOF_STALLED"), "a");
  std::fprintf(file, "%d\n", static_cast<int>(::getpid()));
  std::fclose(file);
  hang();
}

void hang_every_fifth_time() {
  static int calls = 0;
  if (++calls % 5 == 0) hang();
}

void leak() {
  void* block = nullptr;
  runtime<decltype(&aclrtMalloc)>("aclrtMalloc")(&block, 1000, ACL_MEM_MALLOC_HUGE_FIRST);
}

void misbehave() {
  if (misbehaviour() == "segfault") return crash(SIGSEGV);
  if (misbehaviour() == "abort") std::abort();
  if (misbehaviour() == "exit") std::exit(0);
  if (misbehaviour() == "hang") hang();
  if (misbehaviour() == "hang_busily") hang_busily();
  if (misbehaviour() == "stall_once") stall_once();
  if (misbehaviour() == "close_descriptors") return static_cast<void>(::close_range(0, ~0U, 0));
  if (misbehaviour() == "take_memory") take_all_memory();
  if (misbehaviour() == "corrupt_heap") return corrupt_the_heap();
  if (misbehaviour() == "leak") return leak();
  if (misbehaviour() == "kill_the_server") ::kill(::getppid(), SIGKILL);
  if (misbehaviour() == "stop_the_server") ::kill(::getppid(), SIGSTOP);
  if (misbehaviour() == "kill_itself") std::raise(SIGKILL);
  if (misbehaviour() == "killed_twice" && counted_call() <= 2) std::raise(SIGKILL);
  if (misbehaviour() == "return_twice") static_cast<void>(::fork());
  if (misbehaviour() == "leave_a_process") leave_a_process();
  if (misbehaviour() == "print") static_cast<void>(std::puts("verify: forged"));
}

/// One byte beyond the end of the output, as the copy function would be told to write it.
void write_past(const aclTensor* output) {
  void* address = nullptr;
  std::int64_t* shape = nullptr;
  std::uint64_t rank = 0;
  simulated<decltype(&aclGetRawTensorAddr)>(GRADPROOF_OBJECT_LIBRARY, "aclGetRawTensorAddr")(
      output, &address);
  simulated<decltype(&aclGetStorageShape)>(GRADPROOF_OBJECT_LIBRARY, "aclGetStorageShape")(
      output, &shape, &rank);
  std::size_t bytes = sizeof(float);
  for (std::uint64_t i = 0; i < rank; ++i) bytes *= static_cast<std::size_t>(shape[i]);
  runtime<decltype(&aclrtMemset)>("aclrtMemset")(static_cast<char*>(address) + bytes, 1, 1, 1);
}

bool is_refused(const aclTensor* grad_output) {
  if (misbehaviour() == "refuse_all") return true;
  aclDataType type = ACL_DT_UNDEFINED;
  if (misbehaviour() == "refuse_bfloat16" && grad_output != nullptr) {
    simulated<decltype(&aclGetDataType)>(GRADPROOF_OBJECT_LIBRARY, "aclGetDataType")(grad_output,
                                                                                     &type);
  }
  return type == ACL_BF16;
}

/// As a library does that does not find its toolkit: whatever it is asked, legal or not.
bool fails_throughout() { return misbehaviour() == "fail_all"; }

/// As if resources lacked: a legal call alone may be refused so, with nothing written.
aclnnStatus refuse(aclOpExecutor* executor) {
  simulated<decltype(&aclDestroyAclOpExecutor)>(GRADPROOF_OBJECT_LIBRARY,
                                                "aclDestroyAclOpExecutor")(executor);
  return ACLNN_ERR_INNER_NULLPTR;
}

/// Not by _exit: ThreadSanitizer's aborts inside dlopen.
void exit_at_once(int code) { ::syscall(SYS_exit_group, code); }

struct DoneWhileLoaded {
  DoneWhileLoaded() {
    if (misbehaviour() == "segfault_while_loading") crash(SIGSEGV);
    if (misbehaviour() == "exit_while_loading") exit_at_once(7);
  }
} const done_while_loaded;

/// The least bits of gradInput tell of the process, or of its one processor.
std::optional<int> told_in_grad_input() {
  if (misbehaviour() == "show_process") return static_cast<int>(::getpid() % 251);
  cpu_set_t mine;
  const bool is_alone = ::sched_getaffinity(0, sizeof mine, &mine) == 0 && CPU_COUNT(&mine) == 1;
  if (misbehaviour() == "show_one_core" && is_alone) return 0x5A;
  return std::nullopt;
}

thread_local void* grad_input_address = nullptr;  // of the call that was planned last

}  // namespace

extern "C" aclnnStatus aclnnConvolutionBackward(void* workspace, std::uint64_t size,
                                                aclOpExecutor* executor, aclrtStream stream) {
  const auto status = simulated<decltype(&aclnnConvolutionBackward)>(
      GRADPROOF_OPERATOR_LIBRARY, "aclnnConvolutionBackward")(workspace, size, executor, stream);
  const auto told = told_in_grad_input();
  if (told && grad_input_address != nullptr) {
    runtime<decltype(&aclrtSynchronizeStream)>("aclrtSynchronizeStream")(stream);
    runtime<decltype(&aclrtMemset)>("aclrtMemset")(grad_input_address, 1, *told, 1);
  }
  return status;
}

extern "C" aclnnStatus aclnnConvolutionBackwardGetWorkspaceSize(
    const aclTensor* grad_output, const aclTensor* input, const aclTensor* weight,
    const aclIntArray* bias_sizes, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool transposed, const aclIntArray* output_padding, int groups,
    const aclBoolArray* output_mask, std::int8_t cube_math_type, aclTensor* grad_input,
    aclTensor* grad_weight, aclTensor* grad_bias, std::uint64_t* workspace_size,
    aclOpExecutor** executor) {
  if (fails_throughout()) return ACLNN_ERR_INNER;
  if (misbehaviour() == "hang_every_fifth_time") hang_every_fifth_time();
  if (groups == trigger_groups) misbehave();
  grad_input_address = nullptr;
  if (told_in_grad_input() && grad_input != nullptr) {  // of calls that ask for it
    simulated<decltype(&aclGetRawTensorAddr)>(GRADPROOF_OBJECT_LIBRARY, "aclGetRawTensorAddr")(
        grad_input, &grad_input_address);
  }
  const std::uint64_t size_before = workspace_size == nullptr ? 0 : *workspace_size;
  aclOpExecutor* const executor_before = executor == nullptr ? nullptr : *executor;
  const auto status = simulated<decltype(&aclnnConvolutionBackwardGetWorkspaceSize)>(
      GRADPROOF_OPERATOR_LIBRARY, "aclnnConvolutionBackwardGetWorkspaceSize")(
      grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding,
      groups, output_mask, cube_math_type, grad_input, grad_weight, grad_bias, workspace_size,
      executor);
  if (status == OK && is_refused(grad_output)) {
    *workspace_size = size_before;
    aclOpExecutor* const made = std::exchange(*executor, executor_before);
    return refuse(made);
  }
  if (groups != trigger_groups) return status;
  if (misbehaviour() == "write_past_output" && grad_weight != nullptr) write_past(grad_weight);
  if (misbehaviour() == "free_tensor" && input != nullptr) {
    simulated<decltype(&aclDestroyTensor)>(GRADPROOF_OBJECT_LIBRARY, "aclDestroyTensor")(input);
  }
  return status;
}
