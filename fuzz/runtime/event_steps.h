#pragma once

#include "fuzz/runtime/stream_steps.h"

#include <vector>

namespace gradproof::fuzz::runtime {

struct CreateEvent : Step<CreateEvent> {
  static constexpr const char* name = "create event";
  explicit CreateEvent(const Model&) {}
  std::vector<int> numbers() const { return {}; }
  void checkPreconditions(const Model& model) const override {
    RC_PRE(model.has_context() && model.events.size() < 4U);
  }
  void apply(Model& model) const override { model.events[model.next++].context = model.current; }
  void carry_out(const Model& model, Runtime& runtime) const {
    RC_ASSERT(aclrtCreateEvent(&runtime.events[model.next]) == ACL_SUCCESS);
  }
};

template <typename Derived>
struct OnEvent : OnStream<Derived> {
  int event;
  explicit OnEvent(const Model& model) : OnStream<Derived>(model), event(any_of(model.events)) {}
  std::vector<int> numbers() const { return {event, this->stream}; }
  void checkPreconditions(const Model& model) const override {
    OnStream<Derived>::checkPreconditions(model);
    const auto found = model.events.find(event);
    RC_PRE(found != model.events.end() && found->second.context == model.current);
  }
};

struct RecordEvent : OnEvent<RecordEvent> {
  static constexpr const char* name = "record event";
  using OnEvent::OnEvent;
  void apply(Model& model) const override {
    model.events[event].stream = stream;
    model.events[event].tick = ++model.tick;
  }
  void carry_out(const Model&, Runtime& runtime) const {
    RC_ASSERT(aclrtRecordEvent(runtime.events.at(event), runtime.streams.at(stream)) ==
              ACL_SUCCESS);
  }
};

/// From here on the stream may use what the other one had done when it recorded the event.
struct WaitForEvent : OnEvent<WaitForEvent> {
  static constexpr const char* name = "wait for event";
  using OnEvent::OnEvent;
  void checkPreconditions(const Model& model) const override {
    OnEvent::checkPreconditions(model);
    RC_PRE(model.events.at(event).stream != none);
  }
  void apply(Model& model) const override {
    const Event& waited = model.events[event];
    for (auto& [id, block] : model.blocks) {
      const bool is_ordered = block.stream == waited.stream && block.tick <= waited.tick;
      if (is_ordered) block = {block.byte, stream, ++model.tick};
    }
  }
  void carry_out(const Model&, Runtime& runtime) const {
    RC_ASSERT(aclrtStreamWaitEvent(runtime.streams.at(stream), runtime.events.at(event)) ==
              ACL_SUCCESS);
  }
};

struct SynchroniseEvent : OnEvent<SynchroniseEvent> {
  static constexpr const char* name = "synchronise event";
  using OnEvent::OnEvent;
  void checkPreconditions(const Model& model) const override {
    OnEvent::checkPreconditions(model);
    RC_PRE(model.events.at(event).stream != none);
  }
  void apply(Model& model) const override {
    model.settle(model.events[event].stream, model.events[event].tick);
  }
  void carry_out(const Model&, Runtime& runtime) const {
    RC_ASSERT(aclrtSynchronizeEvent(runtime.events.at(event)) == ACL_SUCCESS);
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    RC_ASSERT(aclrtQueryEventStatus(runtime.events.at(event), &status) == ACL_SUCCESS);
    RC_ASSERT(status == ACL_EVENT_RECORDED_STATUS_COMPLETE);
  }
};

struct DestroyEvent : OnEvent<DestroyEvent> {
  static constexpr const char* name = "destroy event";
  using OnEvent::OnEvent;
  void apply(Model& model) const override {
    model.events.erase(event);
    model.dead_events.insert(event);
  }
  void carry_out(const Model&, Runtime& runtime) const {
    const aclrtEvent handle = runtime.events.at(event);
    RC_ASSERT(aclrtDestroyEvent(handle) == ACL_SUCCESS);
    RC_ASSERT(aclrtDestroyEvent(handle) != ACL_SUCCESS);
    RC_ASSERT(aclrtRecordEvent(handle, runtime.streams.at(stream)) != ACL_SUCCESS);
    runtime.events.erase(event);
  }
};

}  // namespace gradproof::fuzz::runtime
