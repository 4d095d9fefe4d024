#include "kernel/device/streams/shared_event.h"

#include "kernel/device/error_text.h"
#include "kernel/device/streams/bounded_wait.h"
#include "kernel/device/streams/stream.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <thread>

namespace gradproof::kernel::device {

/// Common state of the processes. Zeros are an event that was never recorded.
struct SharedEvent::Counts {
  Nonce nonce;
  std::atomic<std::uint64_t> recorded;  // number of the latest recording
  /// Numbers of recordings that have ended, each at its number modulo the size: so many may end in
  /// another order than they began.
  std::array<std::atomic<std::uint64_t>, 64> ended;
  std::atomic<std::int32_t> recorder;  // process of the latest one

  std::atomic<std::uint64_t>& end_of(std::uint64_t number) { return ended[number % ended.size()]; }
};

SharedEvent::SharedEvent(std::shared_ptr<SharedFile> file, const FileAddress& address)
    : file_(std::move(file)), address_(address) {}

SharedEvent::Counts& SharedEvent::counts() const {
  return *reinterpret_cast<Counts*>(file_->bytes());
}

std::shared_ptr<SharedEvent> SharedEvent::create() {
  auto file = SharedFile::create(sizeof(Counts));
  if (file == nullptr) return nullptr;
  const FileAddress address{::getpid(), file->file(), 0, new_nonce()};
  auto event = std::shared_ptr<SharedEvent>(new SharedEvent(std::move(file), address));
  event->counts().nonce = address.nonce;
  return event;
}

std::shared_ptr<SharedEvent> SharedEvent::open(const std::string& text) {
  const auto address = FileAddress::parse(text);
  auto file = address.has_value() ? SharedFile::open(*address) : nullptr;
  if (file == nullptr || file->size() < sizeof(Counts)) return nullptr;
  auto event = std::shared_ptr<SharedEvent>(new SharedEvent(std::move(file), *address));
  return event->counts().nonce == address->nonce ? event : nullptr;
}

std::string SharedEvent::text() const { return address_.text(); }

bool SharedEvent::record(const std::shared_ptr<SharedEvent>& event,
                         const std::shared_ptr<StreamQueue>& queue) {
  Counts& counts = event->counts();
  const std::uint64_t number = ++counts.recorded;
  counts.recorder = ::getpid();
  // Ends the recording also when the stream drops the task.
  const std::shared_ptr<void> end(event.get(), [event, number](void*) {
    auto& end = event->counts().end_of(number);
    std::uint64_t before = end;
    while (before < number && !end.compare_exchange_weak(before, number)) {
    }
  });
  return queue->enqueue([end] { return aclError{0}; }, {}).has_value();
}

std::uint64_t SharedEvent::latest() const { return counts().recorded; }

bool SharedEvent::is_complete(std::uint64_t recording) const {
  return counts().end_of(recording) >= recording;
}

bool SharedEvent::is_recorder_gone() const {
  const std::int32_t recorder = counts().recorder;
  return recorder != 0 && ::kill(recorder, 0) != 0 && errno == ESRCH;
}

SharedEvent::End SharedEvent::wait(std::optional<std::chrono::milliseconds> timeout) const {
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t recording = latest();
  while (!is_complete(recording)) {
    if (is_recorder_gone()) return End::RecorderIsGone;
    if (timeout.has_value() && std::chrono::steady_clock::now() - start >= *timeout)
      return End::TimeIsOver;
    demand_all_streams();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return End::Complete;
}

aclError SharedEvent::wait_as_task(std::uint64_t recording, const StreamQueue& waiting,
                                   std::optional<std::chrono::seconds> timeout) const {
  BoundedWait wait("aclrtStreamWaitEvent", waiting, timeout);
  while (!is_complete(recording)) {
    if (is_recorder_gone()) {
      return refuse(ACL_ERROR_RT_IPC_ERROR,
                    "EE1001: aclrtStreamWaitEvent: the process that recorded the event is gone");
    }
    if (const aclError code = wait.ask()) return code;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return 0;
}

}  // namespace gradproof::kernel::device
