#pragma once

#include "fuzz/runtime/step.h"

#include <vector>

namespace gradproof::fuzz::runtime {

struct CreateStream : Step<CreateStream> {
  static constexpr const char* name = "create stream";
  explicit CreateStream(const Model&) {}
  std::vector<int> numbers() const { return {}; }
  void checkPreconditions(const Model& model) const override {
    RC_PRE(model.has_context() && model.streams.size() < 6U);
  }
  void apply(Model& model) const override { model.streams[model.next++] = model.current; }
  void carry_out(const Model& model, Runtime& runtime) const {
    RC_ASSERT(aclrtCreateStream(&runtime.streams[model.next]) == ACL_SUCCESS);
  }
};

/// A command about a stream of the current context.
template <typename Derived>
struct OnStream : Step<Derived> {
  int stream;
  explicit OnStream(const Model& model) : stream(any_of(model.streams)) {}
  void checkPreconditions(const Model& model) const override {
    const auto found = model.streams.find(stream);
    RC_PRE(found != model.streams.end() && found->second == model.current);
  }
};

struct DestroyStream : OnStream<DestroyStream> {
  static constexpr const char* name = "destroy stream";
  using OnStream::OnStream;
  std::vector<int> numbers() const { return {stream}; }
  void apply(Model& model) const override {
    model.settle(stream, model.tick);  // what it had to do is done first
    model.streams.erase(stream);
    model.dead_streams.insert(stream);
  }
  void carry_out(const Model&, Runtime& runtime) const {
    RC_ASSERT(aclrtDestroyStream(runtime.streams.at(stream)) == ACL_SUCCESS);
  }
};

struct SynchroniseStream : OnStream<SynchroniseStream> {
  static constexpr const char* name = "synchronise stream";
  using OnStream::OnStream;
  std::vector<int> numbers() const { return {stream}; }
  void apply(Model& model) const override { model.settle(stream, model.tick); }
  void carry_out(const Model&, Runtime& runtime) const {
    RC_ASSERT(aclrtSynchronizeStream(runtime.streams.at(stream)) == ACL_SUCCESS);
    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    RC_ASSERT(aclrtStreamQuery(runtime.streams.at(stream), &status) == ACL_SUCCESS);
    RC_ASSERT(status == ACL_STREAM_STATUS_COMPLETE);
  }
};

struct UseForeignStream : Step<UseForeignStream> {
  static constexpr const char* name = "use another context's stream";
  int stream;
  explicit UseForeignStream(const Model& model) : stream(any_of(model.streams)) {}
  std::vector<int> numbers() const { return {stream}; }
  void checkPreconditions(const Model& model) const override {
    const auto found = model.streams.find(stream);
    RC_PRE(model.has_context() && found != model.streams.end() && found->second != model.current);
  }
  void carry_out(const Model&, Runtime& runtime) const {
    RC_ASSERT(aclrtSynchronizeStream(runtime.streams.at(stream)) == ACL_ERROR_RT_STREAM_CONTEXT);
  }
};

struct UseDeadStream : Step<UseDeadStream> {
  static constexpr const char* name = "use the destroyed stream";
  int stream;
  explicit UseDeadStream(const Model& model) : stream(any_of(model.dead_streams)) {}
  std::vector<int> numbers() const { return {stream}; }
  void checkPreconditions(const Model& model) const override {
    RC_PRE(model.has_context() && model.dead_streams.contains(stream));
  }
  void carry_out(const Model&, Runtime& runtime) const {
    const aclrtStream handle = runtime.streams.at(stream);
    RC_ASSERT(aclrtSynchronizeStream(handle) != ACL_SUCCESS);
    RC_ASSERT(aclrtDestroyStream(handle) != ACL_SUCCESS);
    RC_ASSERT(aclrtMemsetAsync(runtime.ones, block_bytes, 0, block_bytes, handle) != ACL_SUCCESS);
  }
};

}  // namespace gradproof::fuzz::runtime
