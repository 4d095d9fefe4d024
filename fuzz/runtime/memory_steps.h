#pragma once

#include "fuzz/runtime/stream_steps.h"

#include <array>
#include <vector>

namespace gradproof::fuzz::runtime {

struct Allocate : Step<Allocate> {
  static constexpr const char* name = "allocate";
  int byte = *rc::gen::inRange(1, 0x7F);
  explicit Allocate(const Model&) {}
  std::vector<int> numbers() const { return {byte}; }
  void checkPreconditions(const Model& model) const override {
    RC_PRE(model.has_context() && model.blocks.size() < 8U);
  }
  void apply(Model& model) const override { model.blocks[model.next++] = {byte, none, 0}; }
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
    for (const auto& [id, other] : model.blocks) RC_PRE(other.stream == none);
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
    RC_PRE(model.blocks.at(block).stream == none);
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
    model.write(from, byte, stream);  // no other stream may write while it is read
  }
  void carry_out(const Model&, Runtime& runtime) const {
    RC_ASSERT(aclrtMemcpyAsync(runtime.blocks.at(to), block_bytes, runtime.blocks.at(from),
                               block_bytes, ACL_MEMCPY_DEVICE_TO_DEVICE,
                               runtime.streams.at(stream)) == ACL_SUCCESS);
  }
};

}  // namespace gradproof::fuzz::runtime
