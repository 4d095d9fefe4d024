// Sequences of calls of the public API, right and wrong ones mixed, against a model that knows what
// each may do: contexts, streams, events, memory and executors. RapidCheck shortens a sequence that
// the runtime does not follow.

#include "acl/acl.h"
#include "aclnnop/aclnn_convolution_backward.h"
#include "tests/kernel/runtime_fixture.h"

#include <rapidcheck.h>
#include <rapidcheck/state.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

namespace gradproof::kernel {
namespace {

constexpr std::size_t block_bytes = 64;
constexpr std::int64_t block_floats = 16;
constexpr int nobody = -1;
constexpr int default_context = 0;

/// What is known of a block's bytes, which are all the same: settled, or the result of the last
/// task of a stream.
struct Block {
  int byte = 0;
  int stream = nobody;  ///< nobody: the host may look
  int tick = 0;         ///< of its last task
};

struct Event {
  int context = default_context;
  int stream = nobody;  ///< that recorded it last
  int tick = 0;
};

enum class Life { Fresh, Repeatable, Over };

struct Executor {
  int from = 0, to = 0;
  Life life = Life::Fresh;
};

/// Numbers stand for handles; a number is given out once.
struct Model {
  int next = 1, tick = 0;
  int current = default_context;  ///< nobody: the thread's context was destroyed
  std::set<int> contexts{default_context};
  std::map<int, int> streams;  ///< stream: its context
  std::map<int, Block> blocks;
  std::map<int, Event> events;
  std::map<int, Executor> executors;
  std::set<int> dead_contexts, dead_streams, dead_blocks, dead_events;

  bool has_context() const { return current != nobody; }

  /// The host waited for what a stream had to do up to a tick.
  void settle(int stream, int up_to) {
    for (auto& [id, block] : blocks) {
      if (block.stream == stream && block.tick <= up_to) block.stream = nobody;
    }
  }
  bool is_free_for(int block, int stream) const {
    const int owner = blocks.at(block).stream;
    return owner == nobody || owner == stream;
  }
  void write(int block, int byte, int stream) { blocks[block] = {byte, stream, ++tick}; }
};

/// The handles behind the numbers.
struct Runtime {
  std::map<int, aclrtContext> contexts;
  std::map<int, aclrtStream> streams;
  std::map<int, void*> blocks;
  std::map<int, aclrtEvent> events;
  std::map<int, aclOpExecutor*> executors;
  std::map<int, std::uint64_t> workspace_sizes;
  std::vector<aclTensor*> tensors;
  std::vector<aclIntArray*> arrays;
  aclBoolArray* mask = nullptr;
  void* ones = nullptr;       ///< the weight
  void* workspace = nullptr;  ///< enough for any of these problems

  static constexpr std::size_t workspace_bytes = std::size_t{1} << 20;

  Runtime() {
    aclrtGetCurrentContext(&contexts[default_context]);
    aclrtMalloc(&ones, block_bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&workspace, workspace_bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    const float one = 1;
    aclrtMemcpy(ones, sizeof one, &one, sizeof one, ACL_MEMCPY_HOST_TO_DEVICE);
    const std::array<bool, 3> only_input{true, false, false};
    mask = aclCreateBoolArray(only_input.data(), only_input.size());
  }
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  ~Runtime() {
    aclrtSetCurrentContext(contexts.at(default_context));
    aclrtSynchronizeDevice();
    for (const auto& [id, executor] : executors) aclDestroyAclOpExecutor(executor);
    for (const aclTensor* tensor : tensors) aclDestroyTensor(tensor);
    for (const aclIntArray* array : arrays) aclDestroyIntArray(array);
    aclDestroyBoolArray(mask);
    for (const auto& [id, event] : events) aclrtDestroyEvent(event);
    for (const auto& [id, context] : contexts) {
      aclrtSetCurrentContext(context);
      for (const auto& [stream_id, stream] : streams) aclrtDestroyStream(stream);
    }
    for (const auto& [id, block] : blocks) aclrtFree(block);
    aclrtFree(ones);
    aclrtFree(workspace);
    for (const auto& [id, context] : contexts) {
      if (id != default_context) aclrtDestroyContext(context);
    }
    aclrtSetDevice(0);
    aclrtResetDevice(0);
    aclGetRecentErrMsg();
    aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  }

  aclTensor* tensor(std::int64_t length, void* data) {
    const std::array<std::int64_t, 3> shape{1, 1, length}, strides{length, length, 1};
    tensors.push_back(aclCreateTensor(shape.data(), 3, ACL_FLOAT, strides.data(), 0, ACL_FORMAT_NCL,
                                      shape.data(), 3, data));
    return tensors.back();
  }
  aclIntArray* array(std::int64_t value) {
    arrays.push_back(aclCreateIntArray(&value, 1));
    return arrays.back();
  }

  /// gradInput of a kernel of one tap with weight 1: a copy of gradOutput.
  aclnnStatus plan(int from, int to, std::uint64_t& size, aclOpExecutor*& executor) {
    return aclnnConvolutionBackwardGetWorkspaceSize(
        tensor(block_floats, blocks.at(from)), tensor(block_floats, blocks.at(from)),
        tensor(1, ones), nullptr, array(1), array(0), array(1), false, array(0), 1, mask, 0,
        tensor(block_floats, blocks.at(to)), nullptr, nullptr, &size, &executor);
  }
};

using Command = rc::state::Command<Model, Runtime>;

template <typename Numbers>
int any_of(const Numbers& numbers) {
  RC_PRE(!numbers.empty());
  std::vector<int> keys;
  for (const auto& number : numbers) {
    if constexpr (std::is_same_v<std::decay_t<decltype(number)>, int>) {
      keys.push_back(number);
    } else {
      keys.push_back(number.first);
    }
  }
  return *rc::gen::elementOf(keys);
}

std::map<std::string, int> times_carried_out;

/// What all commands have in common: numbers that they are about, and a name to show.
template <typename Derived>
struct Step : Command {
  void run(const Model& model, Runtime& runtime) const override {
    static_cast<const Derived&>(*this).carry_out(model, runtime);
    ++times_carried_out[Derived::name];
  }
  void show(std::ostream& out) const override {
    out << Derived::name;
    for (const int number : static_cast<const Derived&>(*this).numbers()) out << ' ' << number;
  }
};

// ---- contexts

struct CreateContext : Step<CreateContext> {
  static constexpr const char* name = "create context";
  explicit CreateContext(const Model&) {}
  std::vector<int> numbers() const { return {}; }
  void checkPreconditions(const Model& model) const override { RC_PRE(model.contexts.size() < 4U); }
  void apply(Model& model) const override {
    model.current = model.next;
    model.contexts.insert(model.next++);
  }
  void carry_out(const Model& model, Runtime& runtime) const {
    RC_ASSERT(aclrtCreateContext(&runtime.contexts[model.next], 0) == ACL_SUCCESS);
    aclrtContext current = nullptr;
    RC_ASSERT(aclrtGetCurrentContext(&current) == ACL_SUCCESS);
    RC_ASSERT((current == runtime.contexts.at(model.next)));
  }
};

struct SwitchContext : Step<SwitchContext> {
  static constexpr const char* name = "switch to context";
  int context;
  explicit SwitchContext(const Model& model) : context(any_of(model.contexts)) {}
  std::vector<int> numbers() const { return {context}; }
  void checkPreconditions(const Model& model) const override {
    RC_PRE(model.contexts.contains(context));
  }
  void apply(Model& model) const override { model.current = context; }
  void carry_out(const Model&, Runtime& runtime) const {
    RC_ASSERT(aclrtSetCurrentContext(runtime.contexts.at(context)) == ACL_SUCCESS);
  }
};

/// One with nothing left in it.
struct DestroyContext : Step<DestroyContext> {
  static constexpr const char* name = "destroy context";
  int context;
  explicit DestroyContext(const Model& model) : context(any_of(model.contexts)) {}
  std::vector<int> numbers() const { return {context}; }
  void checkPreconditions(const Model& model) const override {
    RC_PRE(context != default_context && model.contexts.contains(context));
    for (const auto& [id, owner] : model.streams) RC_PRE(owner != context);
    for (const auto& [id, event] : model.events) RC_PRE(event.context != context);
  }
  void apply(Model& model) const override {
    model.contexts.erase(context);
    model.dead_contexts.insert(context);
    if (model.current == context) model.current = nobody;
  }
  void carry_out(const Model& model, Runtime& runtime) const {
    RC_ASSERT(aclrtDestroyContext(runtime.contexts.at(context)) == ACL_SUCCESS);
    aclrtContext current = nullptr;
    const bool has_one = aclrtGetCurrentContext(&current) == ACL_SUCCESS;
    RC_ASSERT(has_one == (model.current != nobody && model.current != context));
  }
};

struct UseDeadContext : Step<UseDeadContext> {
  static constexpr const char* name = "use the destroyed context";
  int context;
  explicit UseDeadContext(const Model& model) : context(any_of(model.dead_contexts)) {}
  std::vector<int> numbers() const { return {context}; }
  void checkPreconditions(const Model& model) const override {
    RC_PRE(model.dead_contexts.contains(context));
  }
  void carry_out(const Model&, Runtime& runtime) const {
    RC_ASSERT(aclrtSetCurrentContext(runtime.contexts.at(context)) != ACL_SUCCESS);
    RC_ASSERT(aclrtDestroyContext(runtime.contexts.at(context)) != ACL_SUCCESS);
  }
};

/// Without a current context nothing can be made.
struct MakeWithoutContext : Step<MakeWithoutContext> {
  static constexpr const char* name = "make things without a context";
  explicit MakeWithoutContext(const Model& model) { RC_PRE(!model.has_context()); }
  std::vector<int> numbers() const { return {}; }
  void checkPreconditions(const Model& model) const override { RC_PRE(!model.has_context()); }
  void carry_out(const Model&, Runtime&) const {
    aclrtStream stream = nullptr;
    RC_ASSERT(aclrtCreateStream(&stream) == ACL_ERROR_RT_CONTEXT_NULL);
    void* memory = nullptr;
    RC_ASSERT(aclrtMalloc(&memory, block_bytes, ACL_MEM_MALLOC_HUGE_FIRST) ==
              ACL_ERROR_RT_CONTEXT_NULL);
  }
};

// ---- streams

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

// ---- memory

struct Allocate : Step<Allocate> {
  static constexpr const char* name = "allocate";
  int byte = *rc::gen::inRange(1, 0x7F);
  explicit Allocate(const Model&) {}
  std::vector<int> numbers() const { return {byte}; }
  void checkPreconditions(const Model& model) const override {
    RC_PRE(model.has_context() && model.blocks.size() < 8U);
  }
  void apply(Model& model) const override { model.blocks[model.next++] = {byte, nobody, 0}; }
  void carry_out(const Model& model, Runtime& runtime) const {
    void*& block = runtime.blocks[model.next];
    RC_ASSERT(aclrtMalloc(&block, block_bytes, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
    RC_ASSERT(aclrtMemset(block, block_bytes, byte, block_bytes) == ACL_SUCCESS);
  }
};

/// One that no task and no plan uses.
struct Free : Step<Free> {
  static constexpr const char* name = "free";
  int block;
  explicit Free(const Model& model) : block(any_of(model.blocks)) {}
  std::vector<int> numbers() const { return {block}; }
  void checkPreconditions(const Model& model) const override {
    RC_PRE(model.has_context() && model.blocks.contains(block));
    for (const auto& [id, other] : model.blocks) RC_PRE(other.stream == nobody);
    for (const auto& [id, plan] : model.executors) RC_PRE(plan.from != block && plan.to != block);
  }
  void apply(Model& model) const override {
    model.blocks.erase(block);
    model.dead_blocks.insert(block);
  }
  void carry_out(const Model&, Runtime& runtime) const {
    RC_ASSERT(aclrtFree(runtime.blocks.at(block)) == ACL_SUCCESS);
    RC_ASSERT(aclrtFree(runtime.blocks.at(block)) != ACL_SUCCESS);
    std::array<char, block_bytes> bytes{};
    RC_ASSERT(aclrtMemcpy(bytes.data(), block_bytes, runtime.blocks.at(block), block_bytes,
                          ACL_MEMCPY_DEVICE_TO_HOST) != ACL_SUCCESS);
    runtime.blocks.erase(block);  // the address may be given out again
  }
};

struct Read : Step<Read> {
  static constexpr const char* name = "read";
  int block;
  explicit Read(const Model& model) : block(any_of(model.blocks)) {}
  std::vector<int> numbers() const { return {block}; }
  void checkPreconditions(const Model& model) const override {
    RC_PRE(model.has_context() && model.blocks.contains(block));
    RC_PRE(model.blocks.at(block).stream == nobody);
  }
  void carry_out(const Model& model, Runtime& runtime) const {
    std::array<unsigned char, block_bytes> bytes{};
    RC_ASSERT(aclrtMemcpy(bytes.data(), block_bytes, runtime.blocks.at(block), block_bytes,
                          ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS);
    for (const unsigned char byte : bytes) RC_ASSERT(int{byte} == model.blocks.at(block).byte);
  }
};

struct Fill : OnStream<Fill> {
  static constexpr const char* name = "fill";
  int block, byte = *rc::gen::inRange(1, 0x7F);
  explicit Fill(const Model& model) : OnStream(model), block(any_of(model.blocks)) {}
  std::vector<int> numbers() const { return {block, byte, stream}; }
  void checkPreconditions(const Model& model) const override {
    OnStream::checkPreconditions(model);
    RC_PRE(model.blocks.contains(block) && model.is_free_for(block, stream));
  }
  void apply(Model& model) const override { model.write(block, byte, stream); }
  void carry_out(const Model&, Runtime& runtime) const {
    RC_ASSERT(aclrtMemsetAsync(runtime.blocks.at(block), block_bytes, byte, block_bytes,
                               runtime.streams.at(stream)) == ACL_SUCCESS);
  }
};

struct Copy : OnStream<Copy> {
  static constexpr const char* name = "copy";
  int from, to;
  explicit Copy(const Model& model)
      : OnStream(model), from(any_of(model.blocks)), to(any_of(model.blocks)) {}
  std::vector<int> numbers() const { return {from, to, stream}; }
  void checkPreconditions(const Model& model) const override {
    OnStream::checkPreconditions(model);
    RC_PRE(from != to && model.blocks.contains(from) && model.blocks.contains(to));
    RC_PRE(model.is_free_for(from, stream) && model.is_free_for(to, stream));
  }
  void apply(Model& model) const override {
    const int byte = model.blocks[from].byte;
    model.write(to, byte, stream);
    model.write(from, byte, stream);  // nobody else may write while it is read
  }
  void carry_out(const Model&, Runtime& runtime) const {
    RC_ASSERT(aclrtMemcpyAsync(runtime.blocks.at(to), block_bytes, runtime.blocks.at(from),
                               block_bytes, ACL_MEMCPY_DEVICE_TO_DEVICE,
                               runtime.streams.at(stream)) == ACL_SUCCESS);
  }
};

// ---- events

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
    RC_PRE(model.events.at(event).stream != nobody);
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
    RC_PRE(model.events.at(event).stream != nobody);
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

// ---- executors

struct Plan : Step<Plan> {
  static constexpr const char* name = "plan";
  int from, to;
  explicit Plan(const Model& model) : from(any_of(model.blocks)), to(any_of(model.blocks)) {}
  std::vector<int> numbers() const { return {from, to}; }
  void checkPreconditions(const Model& model) const override {
    RC_PRE(model.has_context() && from != to && model.executors.size() < 6U);
    RC_PRE(model.blocks.contains(from) && model.blocks.contains(to));
  }
  void apply(Model& model) const override { model.executors[model.next++] = {from, to}; }
  void carry_out(const Model& model, Runtime& runtime) const {
    auto& executor = runtime.executors[model.next];
    auto& size = runtime.workspace_sizes[model.next];
    RC_ASSERT(runtime.plan(from, to, size, executor) == 0);
    RC_ASSERT((executor != nullptr));
    RC_ASSERT(size <= Runtime::workspace_bytes);
  }
};

template <typename Derived>
struct OnExecutor : Step<Derived> {
  int executor;
  explicit OnExecutor(const Model& model) : executor(any_of(model.executors)) {}
  std::vector<int> numbers() const { return {executor}; }
  static bool is(const Model& model, int executor, Life life) {
    const auto found = model.executors.find(executor);
    return found != model.executors.end() && found->second.life == life;
  }
};

struct MakeRepeatable : OnExecutor<MakeRepeatable> {
  static constexpr const char* name = "make repeatable";
  using OnExecutor::OnExecutor;
  void checkPreconditions(const Model& model) const override {
    RC_PRE(is(model, executor, Life::Fresh));
  }
  void apply(Model& model) const override { model.executors[executor].life = Life::Repeatable; }
  void carry_out(const Model&, Runtime& runtime) const {
    RC_ASSERT(aclSetAclOpExecutorRepeatable(runtime.executors.at(executor)) == 0);
  }
};

struct Launch : OnStream<Launch> {
  static constexpr const char* name = "launch";
  int executor;
  explicit Launch(const Model& model) : OnStream(model), executor(any_of(model.executors)) {}
  std::vector<int> numbers() const { return {executor, stream}; }
  void checkPreconditions(const Model& model) const override {
    OnStream::checkPreconditions(model);
    const auto found = model.executors.find(executor);
    RC_PRE(found != model.executors.end() && found->second.life != Life::Over);
    RC_PRE(model.is_free_for(found->second.from, stream));
    RC_PRE(model.is_free_for(found->second.to, stream));
  }
  void apply(Model& model) const override {
    Executor& plan = model.executors[executor];
    const int byte = model.blocks[plan.from].byte;
    model.write(plan.to, byte, stream);
    model.write(plan.from, byte, stream);
    if (plan.life == Life::Fresh) plan.life = Life::Over;
  }
  void carry_out(const Model&, Runtime& runtime) const {
    const std::uint64_t size = runtime.workspace_sizes.at(executor);
    RC_ASSERT(aclnnConvolutionBackward(size == 0 ? nullptr : runtime.workspace, size,
                                       runtime.executors.at(executor),
                                       runtime.streams.at(stream)) == 0);
  }
};

/// A plan that was carried out, or given up, is over: nothing runs, nothing is written.
struct LaunchAgain : OnStream<LaunchAgain> {
  static constexpr const char* name = "launch again";
  int executor;
  explicit LaunchAgain(const Model& model) : OnStream(model), executor(any_of(model.executors)) {}
  std::vector<int> numbers() const { return {executor, stream}; }
  void checkPreconditions(const Model& model) const override {
    OnStream::checkPreconditions(model);
    const auto found = model.executors.find(executor);
    RC_PRE(found != model.executors.end() && found->second.life == Life::Over);
  }
  void carry_out(const Model&, Runtime& runtime) const {
    RC_ASSERT(aclnnConvolutionBackward(runtime.workspace, Runtime::workspace_bytes,
                                       runtime.executors.at(executor),
                                       runtime.streams.at(stream)) == 161002);
    RC_ASSERT(aclSetAclOpExecutorRepeatable(runtime.executors.at(executor)) != 0);
  }
};

struct DestroyExecutor : OnExecutor<DestroyExecutor> {
  static constexpr const char* name = "destroy executor";
  using OnExecutor::OnExecutor;
  void checkPreconditions(const Model& model) const override {
    RC_PRE(is(model, executor, Life::Fresh) || is(model, executor, Life::Repeatable));
  }
  void apply(Model& model) const override { model.executors[executor].life = Life::Over; }
  void carry_out(const Model&, Runtime& runtime) const {
    RC_ASSERT(aclDestroyAclOpExecutor(runtime.executors.at(executor)) == 0);
    RC_ASSERT(aclDestroyAclOpExecutor(runtime.executors.at(executor)) != 0);
  }
};

/// Forgets a plan that is over, so that its blocks can be freed.
struct ForgetExecutor : OnExecutor<ForgetExecutor> {
  static constexpr const char* name = "forget executor";
  using OnExecutor::OnExecutor;
  void checkPreconditions(const Model& model) const override {
    RC_PRE(is(model, executor, Life::Over));
  }
  void apply(Model& model) const override { model.executors.erase(executor); }
  void carry_out(const Model&, Runtime&) const {}
};

template <typename... Commands>
struct Repertoire {
  static void check(Runtime& runtime) {
    rc::state::check(Model{}, runtime, rc::state::gen::execOneOfWithArgs<Commands...>());
  }
  static void expect_all_carried_out() {
    for (const char* name : {Commands::name...}) EXPECT_GT(times_carried_out[name], 0) << name;
  }
};

/// What leads somewhere stands here more than once.
using Calls =
    Repertoire<CreateContext, SwitchContext, SwitchContext, DestroyContext, UseDeadContext,
               MakeWithoutContext, CreateStream, CreateStream, DestroyStream, SynchroniseStream,
               UseForeignStream, UseDeadStream, Allocate, Allocate, Free, Read, Read, Fill, Fill,
               Copy, Copy, CreateEvent, RecordEvent, WaitForEvent, SynchroniseEvent, DestroyEvent,
               Plan, Plan, MakeRepeatable, Launch, Launch, LaunchAgain, DestroyExecutor,
               ForgetExecutor>;

class RuntimeState : public OnDevice {};

TEST_F(RuntimeState, FollowsItsModelThroughAnySequenceOfCalls) {
  // RapidCheck reads its parameters when it is first used; the user's own win.
  constexpr int keep_what_the_user_set = 0;
  ::setenv("RC_PARAMS", "max_success=1500 max_size=200", keep_what_the_user_set);
  EXPECT_TRUE(rc::check([] {
    aclrtSetDevice(0);  // each sequence begins with the default context alone
    Runtime runtime;
    Calls::check(runtime);
  }));
  Calls::expect_all_carried_out();
  if (std::getenv("GRADPROOF_MEASURE") == nullptr) return;
  for (const auto& [name, times] : times_carried_out) std::printf("%6d %s\n", times, name.c_str());
}

}  // namespace
}  // namespace gradproof::kernel
