#pragma once

#include "fuzz/runtime/step.h"

#include <vector>

namespace gradproof::fuzz::runtime {

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
    if (model.current == context) model.current = none;
  }
  void carry_out(const Model& model, Runtime& runtime) const {
    RC_ASSERT(aclrtDestroyContext(runtime.contexts.at(context)) == ACL_SUCCESS);
    aclrtContext current = nullptr;
    const bool has_one = aclrtGetCurrentContext(&current) == ACL_SUCCESS;
    RC_ASSERT(has_one == (model.current != none && model.current != context));
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

/// Makes objects without a current context, which fails.
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

}  // namespace gradproof::fuzz::runtime
