#pragma once

#include "fuzz/runtime/stream_steps.h"

#include <vector>

namespace gradproof::fuzz::runtime {

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
    runtime.phases_two[model.next] = aclnnConvolutionBackward;
    RC_ASSERT(runtime.plan(from, to, size, executor) == 0);
    RC_ASSERT((executor != nullptr));
    RC_ASSERT(size <= Runtime::workspace_bytes);
  }
};

/// Plans a forward function, after the same call with a null and with a destroyed input.
struct PlanForward : Plan {
  static constexpr const char* name = "plan forward";
  using Plan::Plan;
  void run(const Model& model, Runtime& runtime) const override {
    const int id = model.next;
    RC_ASSERT(runtime.plan_forward(id, nullptr, to) == 161001);
    aclTensor* const dead = runtime.forward_input(id, from);
    runtime.tensors.pop_back();
    RC_ASSERT(aclDestroyTensor(dead) == 0);
    RC_ASSERT(runtime.plan_forward(id, dead, to) == 161002);
    RC_ASSERT((runtime.executors.at(id) == nullptr));
    RC_ASSERT(runtime.plan_forward(id, runtime.forward_input(id, from), to) == 0);
    RC_ASSERT((runtime.executors.at(id) != nullptr));
    RC_ASSERT(runtime.workspace_sizes.at(id) <= Runtime::workspace_bytes);
    ++times_carried_out[name];
  }
  void show(std::ostream& out) const override { out << name << ' ' << from << ' ' << to; }
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
    const auto phase_two = runtime.phases_two.at(executor);
    RC_ASSERT(phase_two(size == 0 ? nullptr : runtime.workspace, size,
                        runtime.executors.at(executor), runtime.streams.at(stream)) == 0);
  }
};

/// A plan that was carried out or destroyed is over: nothing runs, nothing is written.
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
    const auto phase_two = runtime.phases_two.at(executor);
    RC_ASSERT(phase_two(runtime.workspace, Runtime::workspace_bytes, runtime.executors.at(executor),
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

}  // namespace gradproof::fuzz::runtime
