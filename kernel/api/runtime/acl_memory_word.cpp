// Words of device memory that streams write and wait for.

#include "acl/acl_rt.h"
#include "kernel/api/runtime/on_stream.h"
#include "kernel/device/memory/memory.h"
#include "kernel/device/streams/bounded_wait.h"

#include <atomic>
#include <thread>

namespace {

using namespace gradproof::kernel;  // the C names below stand outside every namespace
using api::on_stream;
using api::refuse_value;
using StreamPointer = std::shared_ptr<device::Stream>;
using Word = std::uint64_t;

/// A word and what keeps its allocation.
struct HeldWord {
  Word* word = nullptr;
  std::vector<device::MemoryHold> holds;
};

/// Finds a word; returns 0, or 107000 for what is no aligned word of device memory.
aclError find_word(const char* function, void* address, HeldWord& found) {
  if (reinterpret_cast<std::uintptr_t>(address) % sizeof(Word) != 0) {
    return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "devAddr", address, "multiples of 8");
  }
  device::HeldView view = device::held_view(address, sizeof(Word));
  if (view.bytes == nullptr) {
    return device::refuse(
        ACL_ERROR_RT_PARAM_INVALID,
        fmt::format("EE1001: {}: devAddr {} {}; 8 bytes of device memory are needed there",
                    function, address, device::describe_address(address)));
  }
  found.word = reinterpret_cast<Word*>(view.bytes);
  found.holds.push_back(std::move(view.hold));
  return 0;
}

bool is_reached(Word now, Word value, std::uint32_t flag) {
  switch (flag) {
    case ACL_STREAM_WAIT_VALUE_GEQ:
      return static_cast<std::int64_t>(now - value) >= 0;
    case ACL_STREAM_WAIT_VALUE_EQ:
      return now == value;
    case ACL_STREAM_WAIT_VALUE_AND:
      return (now & value) != 0;
    default:
      return ~(now | value) != 0;
  }
}

aclError wait_for_word(Word& word, Word value, std::uint32_t flag,
                       const device::StreamQueue& waiting) {
  device::BoundedWait wait("aclrtValueWait", waiting, std::nullopt);
  while (!is_reached(std::atomic_ref(word).load(), value, flag)) {
    if (const aclError code = wait.ask()) return code;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return 0;
}

}  // namespace

extern "C" {

aclError aclrtValueWrite(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream) {
  const char* const function = "aclrtValueWrite";
  return on_stream(function, stream, {{"devAddr", devAddr}},
                   [&](const StreamPointer& found) -> aclError {
                     if (flag != 0)
                       return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "flag", flag, "0");
                     HeldWord held;
                     if (const aclError code = find_word(function, devAddr, held)) return code;
                     const auto task = [word = held.word, value] {
                       std::atomic_ref(*word).store(value);
                       return aclError{0};
                     };
                     return device::enqueue_on(function, *found, task, std::move(held.holds));
                   });
}

aclError aclrtValueWait(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream) {
  const char* const function = "aclrtValueWait";
  return on_stream(
      function, stream, {{"devAddr", devAddr}}, [&](const StreamPointer& found) -> aclError {
        if (flag > ACL_STREAM_WAIT_VALUE_NOR)
          return refuse_value(ACL_ERROR_RT_PARAM_INVALID, function, "flag", flag, "0 to 3");
        HeldWord held;
        if (const aclError code = find_word(function, devAddr, held)) return code;
        const auto task = [word = held.word, value, flag] {
          return wait_for_word(*word, value, flag, *device::StreamQueue::running());
        };
        return device::enqueue_on(function, *found, task, std::move(held.holds));
      });
}

}  // extern "C"
