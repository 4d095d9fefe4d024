// Random use of the whole API by several threads at once, valid and invalid calls mixed: nothing
// may crash, hang, race or be forgotten. GRADPROOF_RANDOM_USE_SECONDS says for how long.

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "kernel/api/objects/executor.h"
#include "kernel/device/memory/memory.h"
#include "tests/support/runtime_fixture.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cstdint>
#include <random>
#include <set>
#include <thread>

namespace gradproof::kernel {
namespace {

constexpr int thread_count = 4;
constexpr std::size_t kept_handles = 12;

/// Copies its input to its output.
class CopyExecutor : public api::Executor {
 public:
  device::Task make_task(void*) override {
    return [from = inputs[0]->data, to = outputs[0]->data, count = bytes] {
      const std::byte* source = device::host_view(from, count);
      std::byte* target = device::host_view(to, count);
      if (source == nullptr || target == nullptr)
        return aclError{ACL_ERROR_RT_AICORE_TRAP_READ_OVERFLOW};
      if (from != to) std::copy_n(source, count, target);
      return aclError{0};
    };
  }

  std::size_t bytes = 0;
};

/// One thread's program. Handles are its own, but stale and foreign ones are kept and used again on
/// purpose.
class User {
 public:
  explicit User(std::uint64_t seed) : random_(seed) {}

  void run(std::chrono::steady_clock::time_point end) {
    aclrtSetDevice(0);
    aclrtCreateStream(&data_stream_);
    while (std::chrono::steady_clock::now() < end) {
      for (int call = 0; call < 100; ++call) note(one_call());
    }
    clean_up();
  }

  const std::set<int>& codes() const { return codes_; }
  std::uint64_t calls() const { return calls_; }

 private:
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

  void note(int code) {
    codes_.insert(code);
    ++calls_;
  }

  void* pick(const std::vector<void*>& handles) {
    const std::uint64_t choice = below(20);
    if (choice == 0) return nullptr;
    if (choice == 1)
      return reinterpret_cast<void*>(random_() | std::uint64_t{1} << 63U);  // no host memory
    return handles.empty() ? nullptr : handles[below(handles.size())];
  }

  /// Where this user's memory is written: one stream, because two without an event between them
  /// would be a race of the program's own. Sometimes no stream at all.
  void* pick_data_stream() {
    return below(10) == 0 ? reinterpret_cast<void*>(random_() | std::uint64_t{1} << 63U)
                          : data_stream_;
  }

  static void keep(std::vector<void*>& handles, void* handle) {
    if (handle != nullptr) handles.push_back(handle);
  }

  /// Makes room where a kind has many; what is dropped was destroyed first.
  template <class Destroy>
  int destroy_one(std::vector<void*>& handles, Destroy destroy) {
    if (handles.size() < kept_handles && below(3) != 0) return destroy(pick(handles));
    if (handles.empty()) return destroy(nullptr);
    const std::size_t index = below(handles.size());
    const int code = destroy(handles[index]);
    // What is in use stays; a stale handle is kept sometimes, to be used again.
    if (code == 0 && below(4) != 0)
      handles.erase(handles.begin() + static_cast<std::ptrdiff_t>(index));
    if (handles.size() > 4 * kept_handles) handles.erase(handles.begin());
    return code;
  }

  int one_call() {
    switch (below(24)) {
      case 0:
      case 1:
        return allocate();
      case 2:
      case 3:
        return free_memory();
      case 4:
      case 5:
        return copy();
      case 6:
        return aclrtMemsetAsync(pick(memory_), below(3000), 7, below(3000), pick_data_stream());
      case 7:
        return create_stream();
      case 8:
        return destroy_one(streams_, [this](void* stream) {
          return below(2) == 0 ? aclrtDestroyStream(stream) : aclrtDestroyStreamForce(stream);
        });
      case 9:
      case 10:
        return aclrtSynchronizeStreamWithTimeout(pick(streams_),
                                                 static_cast<std::int32_t>(below(100)) - 2);
      case 11:
        return create_event();
      case 12:
        return destroy_one(events_, [](void* event) { return aclrtDestroyEvent(event); });
      case 13:
        return aclrtRecordEvent(pick(events_), pick(streams_));
      case 14:
        return wait_for_event();
      case 15:
        return query();
      case 16:
      case 17:
        return create_tensor();
      case 18:
        return destroy_one(tensors_, [](void* tensor) {
          return aclDestroyTensor(static_cast<aclTensor*>(tensor));
        });
      case 19:
      case 20:
        return run_executor();
      case 21:
        // Outside of saturation mode no device has it: 207000.
        if (below(4) == 0)
          return aclrtSetStreamOverflowSwitch(pick(streams_), static_cast<std::uint32_t>(below(3)));
        return options();
      case 22:
        return use_device();
      default:
        return ask();
    }
  }

  int allocate() {
    void* memory = nullptr;
    const std::size_t sizes[] = {0, 1, 64, 1000, 5000, 100000, 3 << 20, SIZE_MAX};
    const int code = aclrtMalloc(&memory, sizes[below(std::size(sizes))],
                                 static_cast<aclrtMemMallocPolicy>(below(9)));
    keep(memory_, memory);
    return code;
  }

  /// Freed memory is used again at once, while it is in quarantine, and forgotten then: later it
  /// may be another user's, and two users in one block would be a race of the program's own.
  int free_memory() {
    if (memory_.empty() || (memory_.size() < kept_handles && below(3) == 0))
      return aclrtFree(pick({}));
    const std::size_t index = below(memory_.size());
    void* const memory = memory_[index];
    const int code = aclrtFree(memory);
    if (code != 0) return code;
    note(aclrtFree(memory));
    note(aclrtMemset(memory, 64, 7, 1));
    memory_.erase(memory_.begin() + static_cast<std::ptrdiff_t>(index));
    forget_tensors_in(memory);
    return code;
  }

  void forget_tensors_in(void* memory) {
    std::erase_if(tensors_, [&](void* handle) {
      auto* tensor = static_cast<aclTensor*>(handle);
      const auto known = api::tensor_of(tensor);
      const bool dangles = known.has_value() && known->data == memory;
      if (dangles) aclDestroyTensor(tensor);
      return dangles;
    });
  }

  int copy() {
    const std::size_t count = below(3000);
    const auto kind = static_cast<aclrtMemcpyKind>(below(9));
    if (below(2) == 0) {
      aclrtSynchronizeStream(data_stream_);
      return aclrtMemcpy(buffer_, sizeof buffer_, pick(memory_), count, ACL_MEMCPY_DEVICE_TO_HOST);
    }
    void* memory = memory_.empty() ? nullptr : memory_[below(memory_.size())];
    return aclrtMemcpyAsync(memory, below(4000), buffer_, count,
                            kind == ACL_MEMCPY_HOST_TO_HOST ? ACL_MEMCPY_DEFAULT : kind,
                            pick_data_stream());
  }

  int create_stream() {
    if (streams_.size() > kept_handles) return 0;
    void* stream = nullptr;
    const int code = aclrtCreateStreamWithConfig(&stream, static_cast<std::uint32_t>(below(9)),
                                                 below(8) == 0 ? ACL_STREAM_PERSISTENT : 0);
    if (code == 0 && below(3) == 0) aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE);
    keep(streams_, stream);
    return code;
  }

  int create_event() {
    void* event = nullptr;
    const int code =
        below(2) == 0 ? aclrtCreateEvent(&event)
                      : aclrtCreateEventExWithFlag(&event, static_cast<std::uint32_t>(below(128)));
    keep(events_, event);
    return code;
  }

  /// Only for complete or recorded events: a wait for one that is never recorded never ends.
  int wait_for_event() {
    void* event = pick(events_);
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    const int code = aclrtQueryEventStatus(event, &status);
    if (code != 0 || status == ACL_EVENT_RECORDED_STATUS_NOT_READY) return code;
    return aclrtStreamWaitEvent(pick(streams_), event);
  }

  int query() {
    aclrtStreamStatus status{};
    aclrtEventStatus event_status{};
    float milliseconds = 0;
    switch (below(4)) {
      case 0:
        return aclrtStreamQuery(pick(streams_), &status);
      case 1:
        return aclrtQueryEvent(pick(events_), &event_status);
      case 2:
        return aclrtEventElapsedTime(&milliseconds, pick(events_), pick(events_));
      default:
        return aclrtSynchronizeEventWithTimeout(pick(events_),
                                                static_cast<std::int32_t>(below(50)));
    }
  }

  int create_tensor() {
    const std::int64_t shape[] = {static_cast<std::int64_t>(below(2000))};
    keep(tensors_, aclCreateTensor(below(10) == 0 ? nullptr : shape, 1, ACL_UINT8, nullptr, 0,
                                   ACL_FORMAT_ND, shape, 1, pick(memory_)));
    return 0;
  }

  int run_executor() {
    auto made = std::make_unique<CopyExecutor>();
    const auto from = api::tensor_of(static_cast<aclTensor*>(pick(tensors_)));
    const auto to = api::tensor_of(static_cast<aclTensor*>(pick(tensors_)));
    if (!from.has_value() || !to.has_value()) return 161002;
    made->bytes = static_cast<std::size_t>(from->view_shape[0]);
    made->inputs = {api::operand_of(from)};
    made->outputs = {api::operand_of(to)};
    aclOpExecutor* executor = api::register_executor(std::move(made));
    if (below(3) == 0) aclSetAclOpExecutorRepeatable(executor);
    if (below(3) == 0) {
      aclSetTensorAddr(executor, below(3), static_cast<aclTensor*>(pick(tensors_)), pick(memory_));
    }
    const int code =
        api::run_executor(nullptr, below(5) == 0 ? 1 : 0, executor, pick_data_stream());
    aclDestroyAclOpExecutor(executor);
    return code;
  }

  int options() {
    std::int64_t value = 0;
    const auto option = static_cast<aclSysParamOpt>(below(5));
    switch (below(4)) {
      case 0:
        return aclrtCtxSetSysParamOpt(option, static_cast<std::int64_t>(below(5)));
      case 1:
        return aclrtCtxGetSysParamOpt(option, &value);
      case 2:
        return aclrtSetSysParamOpt(option, static_cast<std::int64_t>(below(5)));
      default:
        return aclrtGetSysParamOpt(option, &value);
    }
  }

  /// The number of references that this thread holds stays at least one, or others would lose their
  /// device.
  int use_device() {
    if (below(2) == 0) {
      const int code = aclrtSetDevice(static_cast<std::int32_t>(below(3)) - 1);
      references_ += code == 0 ? 1 : 0;
      return code;
    }
    if (references_ == 0) return aclrtResetDevice(9);
    --references_;
    return aclrtResetDevice(0);
  }

  int ask() {
    std::size_t free = 0, total = 0;
    aclrtPtrAttributes attributes{};
    std::int32_t current = 0;
    switch (below(5)) {
      case 0:
        return aclrtGetMemInfo(static_cast<aclrtMemAttr>(below(20)), &free, &total);
      case 1:
        return aclrtPointerGetAttributes(pick(memory_), &attributes);
      case 2:
        return aclrtGetDevice(&current);
      case 3:
        aclGetRecentErrMsg();
        return aclrtGetLastError(ACL_RT_THREAD_LEVEL);
      default:
        return aclrtSynchronizeDeviceWithTimeout(static_cast<std::int32_t>(below(200)));
    }
  }

  void clean_up() {
    aclrtDestroyStream(data_stream_);
    for (void* stream : streams_) aclrtDestroyStream(stream);
    for (void* event : events_) aclrtDestroyEvent(event);
    for (void* memory : memory_) aclrtFree(memory);
    for (void* tensor : tensors_) aclDestroyTensor(static_cast<aclTensor*>(tensor));
    for (; references_ >= 0; --references_) aclrtResetDevice(0);
    aclGetRecentErrMsg();
  }

  std::mt19937_64 random_;
  void* data_stream_ = nullptr;
  std::vector<void*> memory_, streams_, events_, tensors_;
  int references_ = 0;
  std::set<int> codes_;
  std::uint64_t calls_ = 0;
  char buffer_[4096] = {};
};

std::chrono::seconds duration() {
  const char* seconds = std::getenv("GRADPROOF_RANDOM_USE_SECONDS");
  return std::chrono::seconds(seconds == nullptr ? 2 : std::atoi(seconds));
}

TEST(RandomUse, ByManyThreadsEndsCleanly) {
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  const auto end = std::chrono::steady_clock::now() + duration();
  std::vector<User> users;
  for (int user = 0; user < thread_count; ++user) users.emplace_back(17 + user);
  std::vector<std::thread> threads;
  for (User& user : users) threads.emplace_back([&user, end] { user.run(end); });
  for (auto& thread : threads) thread.join();
  testing::internal::CaptureStderr();
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  testing::internal::GetCapturedStderr();  // handles that a user forgot on purpose

  std::set<int> codes;
  std::uint64_t calls = 0;
  for (const User& user : users) {
    codes.insert(user.codes().begin(), user.codes().end());
    calls += user.calls();
  }
  std::printf("%llu calls, %zu different codes\n", static_cast<unsigned long long>(calls),
              codes.size());
  // What was meant to happen did: successes and every class of refusal.
  for (const int code :
       {0, 100000, 107000, 107001, 107006, 107017, 207000, 207001, 161001, 161002, 361001}) {
    EXPECT_TRUE(codes.contains(code)) << code;
  }
  EXPECT_FALSE(codes.contains(500000)) << "an exception reached the C API";
  EXPECT_FALSE(codes.contains(507043)) << "a guard zone was damaged";
}

}  // namespace
}  // namespace gradproof::kernel
