#include "kernel/device/streams/graph_capture.h"

#include "kernel/device/device_objects.h"
#include "kernel/device/error_text.h"
#include "kernel/device/streams/stream.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace gradproof::kernel::device {
namespace {

/// Captures under way: copies that act at once ask for it, and there is mostly none.
std::atomic<int> captures_alive = 0;

thread_local aclmdlRICaptureMode mode_of_thread = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;

/// A task for memory that is not what it was: on a device the cores would stop at the address.
Task stopped_at(std::uintptr_t address) {
  return [address] {
    return refuse(ACL_ERROR_RT_AICORE_EXCEPTION,
                  fmt::format("EZ9999: aclmdlRIExecuteAsync: the memory at {:#x} was freed after "
                              "the task that uses it was captured; capture again",
                              address));
  };
}

/// The captures under way, each of them once.
std::vector<std::shared_ptr<GraphCapture>> captures_under_way() {
  std::vector<std::shared_ptr<GraphCapture>> captures;
  for (const auto& stream : streams().all()) {
    const auto capture = stream->capture.get();
    if (capture != nullptr && capture->origin == stream->serial) captures.push_back(capture);
  }
  return captures;
}

void see(CapturedProgress& seen, const CapturedProgress& more) {
  for (const auto& [stream, tasks] : more) seen[stream] = std::max(seen[stream], tasks);
}

/// Returns 0, or why the stream's capture can't be ended here.
aclError check_end(const Stream& stream, const GraphCapture* capture) {
  constexpr const char* function = "aclmdlRICaptureEnd";
  if (capture == nullptr)
    return refuse(ACL_ERROR_RT_STREAM_NOT_CAPTURED,
                  fmt::format("EE1001: {}: the stream's tasks are not captured", function));
  if (capture->origin != stream.serial)
    return refuse(ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED,
                  fmt::format("EE1001: {}: the capture was begun on another stream", function));
  if (capture->mode != ACL_MODEL_RI_CAPTURE_MODE_RELAXED &&
      capture->thread != std::this_thread::get_id())
    return refuse(ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD,
                  fmt::format("EE1001: {}: the capture was begun by another thread", function));
  return 0;
}

}  // namespace

void ModelInstance::append(Task task, std::vector<MemoryHold> holds) {
  const std::lock_guard lock(mutex_);
  tasks_.push_back({std::move(task), places_of(holds)});
}

std::vector<ModelInstance::StoredTask> ModelInstance::tasks() const {
  const std::lock_guard lock(mutex_);
  return tasks_;
}

aclError ModelInstance::launch(const char* function, Stream& stream) const {
  // A copy: a stream that is captured itself locks its own capture and instance.
  std::vector<StoredTask> stored_tasks = tasks();
  for (StoredTask& stored : stored_tasks) {
    std::uintptr_t gone = 0;
    auto holds = hold_again(stored.places, gone);
    const aclError code =
        holds.has_value() ? enqueue_on(function, stream, std::move(stored.task), std::move(*holds))
                          : enqueue_on(function, stream, stopped_at(gone), {});
    if (code != 0) return code;
  }
  return 0;
}

Registry<ModelInstance>& model_instances() {
  static auto& registry = *new Registry<ModelInstance>(HandleKind::ModelInstance);
  return registry;
}

std::shared_ptr<ModelInstance> require_model_instance(const char* function, aclmdlRI instance) {
  auto found =
      require_object(model_instances(), function, "modelRI", instance, "aclmdlRICaptureEnd");
  if (found == nullptr || found->is_captured) return found;
  refuse(ACL_ERROR_RT_MODEL_CAPTURED,
         fmt::format("EE1001: {}: modelRI {} is still being captured", function, instance));
  return nullptr;
}

std::vector<std::string> destroy_model_instances_of(int device) {
  return destroy_objects_of(model_instances(), device, "model instance");
}

GraphCapture::GraphCapture(const Stream& origin, aclmdlRICaptureMode mode)
    : mode(mode),
      thread(std::this_thread::get_id()),
      origin(origin.serial),
      instance(std::make_shared<ModelInstance>(origin.device)) {
  seen_[origin.serial][origin.serial] = 1;
  ++captures_alive;
}

GraphCapture::~GraphCapture() { --captures_alive; }

void GraphCapture::store(const Stream& stream, Task task, std::vector<MemoryHold> holds) {
  const std::lock_guard lock(mutex_);
  ++seen_[stream.serial][stream.serial];
  instance->append(std::move(task), std::move(holds));
}

CapturedRecord GraphCapture::record(const Stream& stream) {
  const std::lock_guard lock(mutex_);
  return {weak_from_this(), seen_[stream.serial]};
}

aclError GraphCapture::wait(const char* function, Stream& stream,
                            const CapturedProgress& recorded) {
  if (stream.is_default)
    return refuse(ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT,
                  fmt::format("EE1001: {}: a default stream can't join a capture", function));
  const bool is_of_another = stream.capture.change([&](std::shared_ptr<GraphCapture>& capture) {
    if (capture == nullptr) capture = shared_from_this();
    return capture.get() != this;
  });
  if (is_of_another)
    return refuse(ACL_ERROR_STREAM_CAPTURE_CONFLICT,
                  fmt::format("EE1001: {}: event and stream belong to two captures", function));
  const std::lock_guard lock(mutex_);
  CapturedProgress& seen = seen_[stream.serial];
  ++seen[stream.serial];
  see(seen, recorded);
  return 0;
}

bool GraphCapture::is_joined() const {
  const std::lock_guard lock(mutex_);
  const CapturedProgress& last = seen_.at(origin);
  return std::ranges::all_of(seen_, [&](const auto& one) {
    const auto found = last.find(one.first);
    return found != last.end() && found->second == one.second.at(one.first);
  });
}

aclError begin_capture(Stream& stream, aclmdlRICaptureMode mode) {
  constexpr const char* function = "aclmdlRICaptureBegin";
  if (stream.is_default)
    return refuse(ACL_ERROR_RT_PARAM_INVALID,
                  fmt::format("EE1001: {}: a default stream can't be captured", function));
  const auto capture = std::make_shared<GraphCapture>(stream, mode);
  capture->handle = model_instances().add(capture->instance);
  if (capture->handle == nullptr)
    return refuse(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL,
                  fmt::format("EE1001: {}: no more handles", function));
  const bool is_first = stream.capture.change([&](std::shared_ptr<GraphCapture>& current) {
    if (current != nullptr) return false;
    current = capture;
    return true;
  });
  if (is_first) return 0;
  model_instances().remove(capture->handle);
  return refuse_captured(function, stream);
}

aclError end_capture(Stream& stream, aclmdlRI& instance) {
  const auto capture = stream.capture.get();
  if (const aclError code = check_end(stream, capture.get())) return code;
  const bool is_joined = capture->is_joined();
  for (const auto& each : streams().all()) {
    each->capture.change([&](std::shared_ptr<GraphCapture>& current) {
      if (current == capture) current = nullptr;
    });
  }
  if (!is_joined) {
    model_instances().remove(capture->handle);
    return refuse(ACL_ERROR_RT_STREAM_UNJOINED,
                  "EE1001: aclmdlRICaptureEnd: a stream that waited for the captured one was not "
                  "joined back: record an event there last, and wait for it here");
  }
  capture->instance->is_captured = true;
  instance = capture->handle;
  return 0;
}

aclError refuse_captured(const char* function, const Stream& stream) {
  if (stream.capture.get() == nullptr) return 0;
  return refuse(ACL_ERROR_RT_STREAM_CAPTURED,
                fmt::format("EE1001: {}: the stream's tasks are being captured and do not run; "
                            "call aclmdlRICaptureEnd first",
                            function));
}

aclError refuse_at_once(const char* function) {
  if (captures_alive == 0 || mode_of_thread == ACL_MODEL_RI_CAPTURE_MODE_RELAXED) return 0;
  const auto forbids = [](const std::shared_ptr<GraphCapture>& capture) {
    return capture->mode == ACL_MODEL_RI_CAPTURE_MODE_GLOBAL ||
           (capture->mode == ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL &&
            capture->thread == std::this_thread::get_id());
  };
  if (std::ranges::none_of(captures_under_way(), forbids)) return 0;
  return refuse(ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT,
                fmt::format("EE1001: {}: acts at once, which the mode of a capture under way does "
                            "not allow; ACL_MODEL_RI_CAPTURE_MODE_RELAXED does",
                            function));
}

aclmdlRICaptureMode exchange_capture_mode(aclmdlRICaptureMode mode) {
  return std::exchange(mode_of_thread, mode);
}

}  // namespace gradproof::kernel::device
